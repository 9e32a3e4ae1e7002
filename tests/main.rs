//! All integration tests of the engine, as one binary.

mod api;
mod canon;
mod circles;
mod documents;
mod percent;

/// Random inputs for the tests.
mod inputs {
    pub mod edits;
    pub mod near_valid;
    pub mod references;
    pub mod runner;
}

mod engine {
    mod edits;
    mod explain;
    mod laws;
    mod limits;
    mod nested;
    mod oracle;
    mod pair_edits;
    mod relativize;
    // It compares with paths of the standard library, which have backslashes on Windows.
    #[cfg(unix)]
    mod segment_edits;
    mod vectors;
}

mod crawl {
    mod browsers;
    mod cdx;
    mod laws;
    mod normalizer;
    pub mod oracle;
    mod redirector;
    mod robots;
    mod robots_checks;
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

mod whatwg {
    mod checks;
    #[cfg(feature = "idna")]
    mod display_host;
    mod encoded;
    mod fast_path;
    mod hrefs;
    pub mod inputs;
    mod laws;
    mod limits;
    mod pairs;
    mod steps;
    mod url;
    mod vectors;
}
