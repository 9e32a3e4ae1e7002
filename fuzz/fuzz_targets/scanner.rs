//! The tokens of pages: the scanner finds what html5gum finds, in memory and in chunks.
//!
//! Input: four bytes, each the length of a chunk, which repeat; page.

#![no_main]
#![allow(dead_code, reason = "the files are those of relref-links, which uses more of them")]

extern crate alloc;

#[path = "../../crates/links/src/entities.rs"]
mod entities;

/// The private files of relref-links, by the paths that they use.
#[path = "../../crates/links/src/html"]
mod html {
    pub mod kind {
        pub use relref_links::html::Kind;
    }
    pub mod tokens {
        pub mod attribute;
        pub mod character_references;
        pub mod context;
        pub mod element;
        pub mod foreign;
        pub mod name;
        pub mod oracle;
        pub mod scanner;
        pub mod short_name;
        pub mod skip;
        pub mod tag;
        pub mod token_sink;
        pub mod xml;
    }
}

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((lens, page)) = input.split_first_chunk::<4>() else { return Corpus::Reject };
    html::tokens::oracle::compare(page, &lens.map(usize::from));
    Corpus::Keep
});
