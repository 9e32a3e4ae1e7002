//! Tags, and the text between them: from the tokenizer to a [`Finder`](finder::Finder).

pub(crate) mod attribute;
mod character_references;
pub(crate) mod context;
pub(crate) mod element;
pub(crate) mod emitter;
pub(crate) mod finder;
mod foreign;
mod scanner;
pub(crate) mod tag;
