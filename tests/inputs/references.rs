//! Random bases and references that have what changes a resolution: dot segments, slash runs, empty segments, URIs inside
//! paths, and queries and fragments with slashes.

use quickcheck::{Arbitrary, Gen};
use relref::{Rules, Slashes};

/// A random base, which is an absolute URI, and a random reference.
#[derive(Clone, Debug)]
pub struct Pair {
    pub base: String,
    pub reference: String,
}

/// A random text, which often looks like a URI or a relative reference.
#[derive(Clone, Debug)]
pub struct Text(pub String);

/// Random rules: those of a document, those of a document made non-strict, or a mix that no document has.
#[derive(Clone, Copy, Debug)]
pub struct AnyRules(pub Rules);

/// Returns a random one of these texts.
fn pick<'a>(g: &mut Gen, from: &[&'a str]) -> &'a str {
    g.choose(from).unwrap()
}

/// Returns a random number below `n`.
fn random_below(g: &mut Gen, n: usize) -> usize {
    usize::arbitrary(g) % n
}

/// Returns a random scheme, with its colon.
fn scheme(g: &mut Gen) -> &'static str {
    pick(g, &["http:", "http:", "https:", "f:", "file:", "view-source:", "HTTP:", "x-1.+:", "gopher:", "mailto:"])
}

/// Returns a random authority, with the slashes before it.
fn authority(g: &mut Gen) -> &'static str {
    pick(
        g,
        &[
            "//h",
            "//h",
            "//u@h:80",
            "//",
            "//..",
            "//h:",
            "//[::1]",
            "//h;p",
            "//H%2D:80",
            "//h:80:80",
            "//h:%38%30",
            "//LocalHost",
            "//%6cocalhost:",
        ],
    )
}

/// Returns a random segment of a path.
fn segment(g: &mut Gen) -> &'static str {
    let some =
        ["a", "b", "g", "x.y", ".", ".", "..", "..", "..", "", "...", ".a", "a.", "a:b", "http:", "c;p=1", ";", "%2e"];
    let rare = ["é", "a b", "\u{0}", "%2F", "a;b", "C:", "..;x", ":", "@", "|"];
    if random_below(g, 8) == 0 { pick(g, &rare) } else { pick(g, &some) }
}

/// Appends random segments, with slashes between them. Some are a scheme and an authority.
fn segments(g: &mut Gen, out: &mut String) {
    for at in 0..random_below(g, 7) {
        if at > 0 {
            out.push_str(pick(g, &["/", "/", "/", "/", "//", "///"]));
        }
        if random_below(g, 12) == 0 {
            out.push_str(scheme(g));
            out.push_str(authority(g));
        } else {
            out.push_str(segment(g));
        }
    }
    if random_below(g, 3) == 0 {
        out.push('/');
    }
}

/// Appends a random query and a random fragment, each of which may be missing.
fn query_and_fragment(g: &mut Gen, out: &mut String) {
    if random_below(g, 4) == 0 {
        out.push_str(pick(g, &["?", "?q", "?q/../r", "?a?b", "?//x/./y", "?x:y"]));
    }
    if random_below(g, 4) == 0 {
        out.push_str(pick(g, &["#", "#f", "#f/../g", "#a#b", "#f?q", "#//x:"]));
    }
}

/// Appends a random path, which may start with any number of slashes.
fn path(g: &mut Gen, out: &mut String) {
    out.push_str(pick(g, &["", "", "/", "/", "/", "//", "///", "////"]));
    segments(g, out);
}

/// Returns a random absolute URI.
fn absolute(g: &mut Gen) -> String {
    let mut out = String::from(scheme(g));
    if random_below(g, 3) > 0 {
        out.push_str(authority(g));
        if random_below(g, 6) > 0 {
            out.push('/');
            segments(g, &mut out);
        }
    } else {
        path(g, &mut out);
    }
    query_and_fragment(g, &mut out);
    out
}

/// Returns a random reference, which may be an absolute URI.
fn reference(g: &mut Gen) -> String {
    let mut out = String::new();
    match random_below(g, 10) {
        0 => return absolute(g),
        1 => {}
        2 => out.push_str(authority(g)),
        3 => out.push_str(scheme(g)),
        _ => path(g, &mut out),
    }
    query_and_fragment(g, &mut out);
    out
}

/// Returns shorter texts to try when a law fails: each half of the text, and the text without one of its characters, for each
/// character.
fn shorter(text: &str) -> Vec<String> {
    let half = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    let halves = [text[..half].to_string(), text[half..].to_string()];
    let less = text.char_indices().map(|(at, c)| format!("{}{}", &text[..at], &text[at + c.len_utf8()..]));
    halves.into_iter().chain(less).filter(|less| less.len() < text.len()).collect()
}

impl Arbitrary for Pair {
    fn arbitrary(g: &mut Gen) -> Self {
        Pair { base: absolute(g), reference: reference(g) }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let Pair { base, reference } = self.clone();
        let absolute = |base: &String| relref::UriRef::new(base).scheme().is_some();
        let bases = shorter(&base).into_iter().filter(absolute);
        let bases: Vec<_> = bases.map(|base| Pair { base, reference: reference.clone() }).collect();
        let references = shorter(&reference).into_iter().map(move |reference| Pair { base: base.clone(), reference });
        Box::new(bases.into_iter().chain(references))
    }
}

impl Arbitrary for AnyRules {
    fn arbitrary(g: &mut Gen) -> Self {
        let rules = *g.choose(Rules::ALL).unwrap();
        match random_below(g, 4) {
            0 => AnyRules(rules),
            1 => AnyRules(rules.lenient()),
            _ => AnyRules(Rules {
                document: rules.document,
                slashes: *g.choose(&[Slashes::Levels, Slashes::FirstRun, Slashes::Components]).unwrap(),
                query_replaces: bool::arbitrary(g),
                rooted_dots: bool::arbitrary(g),
                absolute_dots: bool::arbitrary(g),
                drop_surplus: bool::arbitrary(g),
                empty_is_whole: bool::arbitrary(g),
                params: bool::arbitrary(g),
                empty_is_absent: bool::arbitrary(g),
                lenient: bool::arbitrary(g),
            }),
        }
    }
}

impl Arbitrary for Text {
    fn arbitrary(g: &mut Gen) -> Self {
        match random_below(g, 4) {
            0 => Text(String::arbitrary(g)),
            1 => Text(absolute(g)),
            _ => Text(reference(g)),
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(shorter(&self.0).into_iter().map(Text))
    }
}
