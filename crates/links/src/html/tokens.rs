//! Tags, and the text between them: from the tokenizer to a [`Finder`](finder::Finder).

pub(crate) mod attribute;
pub(crate) mod context;
pub(crate) mod element;
pub(crate) mod emitter;
pub(crate) mod finder;
mod foreign;
pub(crate) mod tag;
