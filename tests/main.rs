//! All integration tests, as one binary.

mod canon;
#[cfg(feature = "cli")]
mod documents;
mod percent;

/// Random input.
mod inputs {
    pub mod near_valid;
    pub mod references;
}

mod engine {
    mod explain;
    mod laws;
    mod limits;
    mod oracle;
    mod relativize;
    mod vectors;
}

mod crawl {
    mod normalizer;
}

mod scheme {
    mod views;
}

mod validate {
    mod bnf;
    mod grammars;
}

mod text {
    mod wrappers;
}

#[cfg(feature = "html")]
mod html {
    mod attributes;
    mod css;
    mod encoding;
    mod limits;
    mod markup;
    mod stream;
    mod vectors;
}

#[cfg(feature = "cli")]
mod command {
    pub mod cli;
}

#[cfg(feature = "cli")]
mod links {
    pub mod command;
}

#[cfg(feature = "cli")]
mod archive {
    mod command;
}
