//! Random pairs and their results, for `tests/peers/whatwg.py`.

use std::{env, fs};

use quickcheck::{Arbitrary, Gen};
use relref::whatwg::Base;

use super::inputs::Pair;

/// Writes lines `[base, reference, href or null]` to the file named by `RELREF_PAIRS`, as many as `RELREF_COUNT` says.
#[test]
#[ignore = "for tests/peers/whatwg.py"]
fn write() {
    let number = |name| env::var(name).ok().and_then(|number| number.parse().ok());
    let (file, count) = (env::var("RELREF_PAIRS").unwrap(), number("RELREF_COUNT").unwrap_or(100_000));
    let mut generator = Gen::new(100);
    let mut lines = String::new();
    for _ in 0..count {
        let Pair { base, reference } = Pair::arbitrary(&mut generator);
        let href = Base::new(&base).ok().and_then(|base| base.resolve(&reference).ok());
        lines += &serde_json::to_string(&(base, reference, href)).unwrap();
        lines += "\n";
    }
    fs::write(file, lines).unwrap();
}
