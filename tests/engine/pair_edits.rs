//! Laws of edits of query pairs: random ones are those of a list of pairs.

use quickcheck::{Arbitrary, Gen, TestResult, quickcheck};
use relref::UriRef;

use crate::inputs::edits::{Part, Parts, Start, failed, is_valid, splits_so};

#[derive(Clone, Debug)]
enum PairEdit {
    Append(Vec<(Part, Part)>),
    Set(Part, Part),
    Remove(Part),
    Retain(u8),
    Replace(Vec<(Part, Part)>),
}

impl Arbitrary for PairEdit {
    fn arbitrary(g: &mut Gen) -> Self {
        let name = *g.choose(&["a", "b", "é", "", "b c"]).unwrap();
        let pairs = |g: &mut Gen| (0..u8::arbitrary(g) % 3).map(|_| Arbitrary::arbitrary(g)).collect();
        match u8::arbitrary(g) % 6 {
            0 | 1 => PairEdit::Append(pairs(g)),
            2 => PairEdit::Set(Part(name.into()), Part::arbitrary(g)),
            3 => PairEdit::Remove(Part(name.into())),
            4 => PairEdit::Retain(u8::arbitrary(g) % 3),
            _ => PairEdit::Replace(pairs(g)),
        }
    }
}

/// A pair: as it was written, if it has been, its name and its value.
type Pair = (Option<String>, String, String);

fn stays(number: u8, name: &str, value: &str) -> bool {
    (name.len() + value.len()) % 3 != usize::from(number)
}

impl PairEdit {
    fn apply(&self, uri: &mut UriRef<String>) {
        fn texts(pairs: &[(Part, Part)]) -> impl Iterator<Item = (&str, &String)> {
            pairs.iter().map(|(name, value)| (&*name.0, &value.0))
        }
        let _ = match self {
            PairEdit::Append(pairs) => match &pairs[..] {
                [(Part(name), Part(value))] => uri.append_query_pair(name, value),
                pairs => uri.append_query_pairs(texts(pairs)),
            },
            PairEdit::Set(Part(name), Part(value)) => uri.set_query_pair(name, value),
            PairEdit::Remove(Part(name)) => uri.remove_query_pair(name),
            PairEdit::Retain(number) => uri.retain_query_pairs(|name, value| stays(*number, name, value)),
            PairEdit::Replace(pairs) => uri.set_query_pairs(texts(pairs)),
        };
    }

    fn model(&self, pairs: &mut Vec<Pair>) {
        let new = |(Part(name), Part(value)): &(Part, Part)| (None, name.clone(), value.clone());
        match self {
            PairEdit::Append(added) => pairs.extend(added.iter().map(new)),
            PairEdit::Set(name, value) => {
                let first = pairs.iter().position(|pair| pair.1 == name.0);
                let at = first.unwrap_or(pairs.len());
                pairs.retain(|pair| pair.1 != name.0);
                pairs.insert(at, new(&(name.clone(), value.clone())));
            }
            PairEdit::Remove(Part(name)) => pairs.retain(|pair| pair.1 != *name),
            PairEdit::Retain(number) => pairs.retain(|(_, name, value)| stays(*number, name, value)),
            PairEdit::Replace(all) => *pairs = all.iter().map(new).collect(),
        }
    }
}

fn pairs_of(uri: UriRef<&str>) -> Vec<Pair> {
    let written = uri.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
    written
        .zip(uri.query_pairs())
        .map(|(written, (name, value))| (Some(written.into()), name.into(), value.into()))
        .collect()
}

quickcheck! {
    /// Edits of pairs are those of a list of pairs. Pairs that stay keep their bytes, and so do the other components.
    fn pairs(start: Start, edits: Vec<PairEdit>) -> TestResult {
        let mut uri = UriRef::new(start.0);
        for edit in edits {
            let before = uri.clone();
            edit.apply(&mut uri);
            let failed = |why| failed(&edit, before.as_str(), uri.as_str(), why);
            let mut expected = pairs_of(before.as_borrowed());
            edit.model(&mut expected);
            let found = pairs_of(uri.as_borrowed());
            let same = |(found, expected): (&Pair, &Pair)| {
                (&found.1, &found.2) == (&expected.1, &expected.2)
                    && (expected.0.is_none() || found.0 == expected.0)
            };
            if found.len() != expected.len() || !found.iter().zip(&expected).all(same) {
                return failed("other pairs");
            }
            if !splits_so(&uri) || (is_valid(before.as_str()) && !is_valid(uri.as_str())) {
                return failed("not valid");
            }
            let others = |uri: &UriRef<String>| Parts { query: None, ..Parts::of(uri.as_str()) };
            if others(&uri) != others(&before) || (found.is_empty() && uri != before && uri.query().is_some()) {
                return failed("other components");
            }
            if !matches!(edit, PairEdit::Replace(_))
                && pairs_of(before.as_borrowed()).len() == found.len() && expected.iter().all(|pair| pair.0.is_some()) && uri != before {
                return failed("a change without a cause");
            }
        }
        TestResult::passed()
    }
}
