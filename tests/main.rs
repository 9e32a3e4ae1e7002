//! All integration tests, as one binary.

mod bnf;
mod canon;
#[cfg(feature = "cli")]
mod cli;
mod coverage;
mod crawl;
mod explain;
mod generate;
#[cfg(feature = "html")]
mod html;
#[cfg(feature = "html")]
mod html_attributes;
#[cfg(feature = "html")]
mod html_css;
#[cfg(feature = "html")]
mod html_encoding;
#[cfg(feature = "html")]
mod html_limits;
#[cfg(feature = "html")]
mod html_stream;
#[cfg(feature = "html")]
mod html_vectors;
mod laws;
mod limits;
#[cfg(feature = "cli")]
mod links;
mod near;
mod oracle;
mod percent;
mod relativize;
mod scheme;
mod text;
mod validate;
mod vectors;
#[cfg(feature = "cli")]
mod warc;
