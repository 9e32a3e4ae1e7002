//! All integration tests, as one binary.

mod canon;
#[cfg(feature = "cli")]
mod cli;
mod explain;
mod generate;
#[cfg(feature = "html")]
mod html;
mod laws;
mod limits;
mod oracle;
mod percent;
mod relativize;
mod scheme;
mod text;
mod vectors;
