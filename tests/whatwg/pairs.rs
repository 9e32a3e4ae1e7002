//! Random pairs and their results, for `tests/peers/whatwg.py`.

use std::{env, fs};

use quickcheck::{Arbitrary, Gen};
use relref::whatwg::Base;

use super::hrefs::parse;
use super::inputs::Pair;

/// Makes random pairs as lines `[base, reference, href or null]`, and checks that each line reads back and that each href parses to
/// itself. If `RELREF_PAIRS` names a file, they are written to it, for other parsers to check. `RELREF_COUNT` is the number of
/// pairs.
#[test]
fn random_pairs_as_lines() {
    let count = env::var("RELREF_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(1000);
    let mut generator = Gen::new(100);
    let mut lines = String::new();
    for _ in 0..count {
        let Pair { base, reference } = Pair::arbitrary(&mut generator);
        let href = Base::new(&base).ok().and_then(|base| base.resolve(&reference).ok());
        let line = serde_json::to_string(&(&base, &reference, &href)).unwrap();
        let back: (String, String, Option<String>) = serde_json::from_str(&line).unwrap();
        assert_eq!((&back.0, &back.1), (&base, &reference));
        assert_eq!(back.2.as_deref().map(parse), href.map(Ok), "{line}");
        lines += &line;
        lines += "\n";
    }
    if let Ok(file) = env::var("RELREF_PAIRS") {
        fs::write(file, lines).unwrap();
    }
}
