//! All integration tests, as one binary.

mod api;
mod canon;
#[cfg(feature = "cli")]
mod documents;
mod percent;

/// Random inputs for the tests.
mod inputs {
    pub mod near_valid;
    pub mod references;
    pub mod runner;
}

mod engine {
    mod explain;
    mod laws;
    mod limits;
    mod nested;
    mod oracle;
    mod relativize;
    mod vectors;
}

mod crawl {
    mod browsers;
    mod cdx;
    mod laws;
    mod normalizer;
    pub mod oracle;
    mod scope;
    mod vectors;
    pub mod web_uris;
}

mod scheme {
    mod authority;
    mod ftp;
    mod gateways;
    mod gopher;
    mod http;
    mod laws;
    mod mail_and_news;
    mod others;
    mod read;
    mod table;
    mod warnings;
}

mod validate {
    mod authorities;
    mod bnf;
    mod characters;
    mod early;
    mod generic;
    mod laws;
    mod relative;
    mod rfc3986;
    mod rfc3987;
    mod schemes;
    mod verdicts;
}

mod text {
    mod checks;
    mod laws;
    mod unwrap;
    mod wrap;
}

#[cfg(feature = "html")]
mod html {
    mod attributes;
    mod charset;
    mod css;
    mod laws;
    mod limits;
    mod markup;
    mod stream;
    mod text;
    mod vectors;
}

mod whatwg {
    mod encoded;
    mod fast_path;
    pub mod inputs;
    mod laws;
    mod limits;
    mod pairs;
    mod steps;
    mod vectors;
}

#[cfg(feature = "cli")]
mod command {
    mod about;
    mod inspect;
    #[cfg(target_os = "linux")]
    pub mod measure;
    #[cfg(target_os = "linux")]
    mod memory;
    mod nested;
    mod normalize;
    pub mod process;
    mod resolve;
    mod terminal;
    mod unwrap;
    mod usage;
    mod validate;
}

/// `relref links`.
#[cfg(feature = "cli")]
mod links {
    mod bounds;
    mod choices;
    mod feeds;
    mod inputs;
    mod lines;
    #[cfg(target_os = "linux")]
    pub mod memory;
    mod messages;
    mod output;
    mod rejected;
    mod run;
    mod seen;
    #[cfg(unix)]
    mod signals;
}

/// `relref links` on web archives.
#[cfg(feature = "cli")]
mod archive {
    mod bodies;
    mod bounds;
    mod damage;
    pub mod made;
    mod wacz;
    mod whole;
    mod zstd;
}
