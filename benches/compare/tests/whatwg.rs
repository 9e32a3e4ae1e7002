//! `relref::whatwg` agrees with ada on random pairs, and on the tables that newer versions of ada carry.
//!
//! `QUICKCHECK_TESTS=10000000 cargo test --release --manifest-path benches/compare/Cargo.toml --test whatwg` tries ten million.

use quickcheck::quickcheck;
use relref::whatwg::{Base, parse};

#[path = "../../../tests/whatwg/inputs.rs"]
mod inputs;

use inputs::Pair;

fn ada(reference: &str, base: Option<&str>) -> Option<String> {
    ada_url::Url::parse(reference, base).ok().map(|url| url.href().to_string())
}

quickcheck! {
    fn ada_resolves_the_same(pair: Pair) -> bool {
        let ours = Base::new(&pair.base).ok().and_then(|base| base.resolve(&pair.reference).ok());
        let theirs = ada(&pair.reference, Some(&pair.base));
        assert_eq!(ours, theirs, "{pair:?}");
        true
    }

    fn ada_parses_the_same(pair: Pair) -> bool {
        for url in [&pair.base, &pair.reference] {
            assert_eq!(parse(url).ok(), ada(url, None), "{url:?}");
        }
        true
    }
}
