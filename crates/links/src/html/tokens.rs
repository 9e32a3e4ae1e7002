//! Tags, and the text between them: from the scanner to a [`TokenSink`](token_sink::TokenSink).

pub(crate) mod attribute;
pub(crate) mod character_references;
pub(crate) mod context;
pub(crate) mod element;
mod foreign;
mod name;
#[cfg(test)]
mod oracle;
pub(crate) mod scanner;
mod short_name;
mod skip;
pub(crate) mod tag;
pub(crate) mod token_sink;
mod xml;
