//! The redirects of a server, in the syntax of a `_redirects` file of Netlify.

use std::collections::BTreeMap;

use relref::percent::decode_leaving_illegal;

/// The redirects that a server makes where a site has no file.
///
/// ```
/// use relref_links::check::Redirects;
///
/// let redirects = Redirects::new("# moved\n/news/:year/* /blog/:year/:splat 301\n/gone / 404\n");
/// assert_eq!(redirects.target("/news/2020/a/b/", ""), Some("/blog/2020/a/b".into()));
/// assert_eq!(redirects.target("/gone", ""), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Redirects {
    rules: Vec<Redirect>,
    /// The rules by the segments before their first placeholder, decoded, each with a slash after it. A path is only compared with
    /// those that have its own start, or none.
    by_start: BTreeMap<Vec<u8>, Vec<usize>>,
    /// The most segments of a start.
    max_depth: usize,
}

// Bounds of what one path is compared with. Servers have lower ones: Cloudflare takes 100 lines with placeholders.
const MOST_OF_A_START: usize = 1000;
const DEEPEST_START: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Redirect {
    from: String,
    /// The names that the query must have, and the placeholders of their values or these themselves.
    query: Vec<(String, String)>,
    to: String,
    /// The status is that of an error.
    is_error: bool,
}

impl Redirects {
    /// Reads the text of a `_redirects` file: in each line a path, names of the query with placeholders, the target and a status. `:name`
    /// in a path stands for a segment, and a `*` at its end for the rest, which the target calls `:splat`. Comments, lines without a target and
    /// paths with a host are left out; conditions of countries and languages count as met. Of the lines whose paths are the same up to their
    /// first placeholder, or in 16 segments, the first 1,000 count.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut redirects = Redirects::default();
        for rule in text.trim_start_matches('\u{FEFF}').lines().filter_map(Redirect::new) {
            let is_literal = |segment: &&str| *segment != "*" && !segment.starts_with(':');
            let (mut start, mut depth) = (Vec::new(), 0);
            for segment in segments(&rule.from).take_while(is_literal).take(DEEPEST_START) {
                push_segment(&mut start, segment);
                depth += 1;
            }
            let of_start = redirects.by_start.entry(start).or_default();
            if of_start.len() < MOST_OF_A_START {
                redirects.max_depth = redirects.max_depth.max(depth);
                of_start.push(redirects.rules.len());
                redirects.rules.push(rule);
            }
        }
        redirects
    }

    /// Returns the target of the first line that fits a path, which starts with a slash and is percent-encoded, and a query. `None` if the
    /// server answers with an error, or none fits.
    #[must_use]
    pub fn target(&self, path: &str, query: &str) -> Option<String> {
        let (mut start, mut near) = (Vec::new(), Vec::<usize>::new());
        let mut segments = segments(path).take(self.max_depth);
        loop {
            near.extend(self.by_start.get(&start).into_iter().flatten());
            let Some(segment) = segments.next() else { break };
            push_segment(&mut start, segment);
        }
        near.sort_unstable();
        let mut near = near.into_iter().map(|at| &self.rules[at]);
        let (redirect, values) = near.find_map(|redirect| Some((redirect, redirect.values(path, query)?)))?;
        (!redirect.is_error).then(|| redirect.target(&values))
    }
}

impl Redirect {
    fn new(line: &str) -> Option<Self> {
        let is_target = |word: &&str| word.starts_with('/') || word.contains("://");
        let mut words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
        let from = words.next().filter(|from| from.starts_with('/'))?;
        let (mut query, mut to) = (Vec::new(), None);
        for word in words.by_ref() {
            if is_target(&word) {
                to = Some(word.to_owned());
                break;
            }
            let (name, value) = word.split_once('=').unwrap_or((word, ":"));
            query.push((name.to_owned(), value.to_owned()));
        }
        let status = words.next().unwrap_or("301");
        let is_error = status.starts_with(['4', '5']);
        Some(Redirect { from: from.to_owned(), query, to: to?, is_error })
    }

    /// The values of the placeholders, with their names; `None` if the path or the query is another.
    fn values<'r>(&'r self, path: &'r str, query: &'r str) -> Option<Vec<(&'r str, String)>> {
        let (mut pattern, mut path, mut values) = (segments(&self.from), segments(path), Vec::new());
        let decoded = |text: &'r str| decode_leaving_illegal(text).to_bytes();
        for (name, wanted) in &self.query {
            let mut given = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
            let (_, value) = given.find(|(known, _)| known == name)?;
            match wanted.strip_prefix(':') {
                Some(placeholder) => values.push((placeholder, value.to_owned())),
                None if wanted == value => {}
                None => return None,
            }
        }
        loop {
            match (pattern.next(), path.next()) {
                (None, None) => return Some(values),
                (Some("*"), first) => {
                    values.push(("splat", first.into_iter().chain(path).collect::<Vec<_>>().join("/")));
                    return Some(values);
                }
                (Some(name), Some(segment)) if name.starts_with(':') => values.push((&name[1..], segment.to_owned())),
                (Some(one), Some(other)) if decoded(one) == decoded(other) => {}
                _ => return None,
            }
        }
    }

    fn target(&self, values: &[(&str, String)]) -> String {
        let fill = |segment: &str| {
            let Some((before, name)) = segment.split_once(':') else { return segment.to_owned() };
            let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
            let value = values.iter().find(|(known, _)| *known == &name[..end] && end > 0);
            value.map_or_else(|| segment.to_owned(), |(_, value)| [before, value, &name[end..]].concat())
        };
        self.to.split('/').map(fill).collect::<Vec<_>>().join("/")
    }
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

fn push_segment(start: &mut Vec<u8>, segment: &str) {
    start.extend_from_slice(&decode_leaving_illegal(segment).to_bytes());
    start.push(b'/');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_netlify() {
        let redirects = Redirects::new(
            "\u{FEFF}/a /b\n/old/* https://h.example/:splat 301! Country=de # moved\n/x\n/store id=:id /blog/:id.html 302\n/café /d?q=1#x\n/c/:d/e /:d 200\nhttp://o/ /z\n/n / 410\n/* /index.html 200",
        );
        for (path, query, expected) in [
            ("/a", "", Some("/b")),
            ("/a/", "x", Some("/b")),
            ("/old/x/y", "", Some("https://h.example/x/y")),
            ("/old", "", Some("https://h.example/")),
            ("/store", "a&id=3", Some("/blog/3.html")),
            ("/caf%C3%A9", "", Some("/d?q=1#x")),
            ("/store", "", Some("/index.html")),
            ("/c/q/e", "", Some("/q")),
            ("/c/q/e/f", "", Some("/index.html")),
            ("/n", "", None),
        ] {
            assert_eq!(redirects.target(path, query).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn a_path_is_compared_with_few_lines() {
        let lines: Vec<String> = (0..5000).map(|n| format!("/:a/{n} /new/{n}\n")).collect();
        let redirects = Redirects::new(&lines.concat());
        assert_eq!(redirects.rules.len(), MOST_OF_A_START);
        assert_eq!(redirects.target("/x/999", "").as_deref(), Some("/new/999"));

        let deep = "/a".repeat(1000);
        let redirects = Redirects::new(&format!("{deep}/b /b\n{deep}/c /c\n"));
        assert_eq!(redirects.max_depth, DEEPEST_START);
        assert_eq!(redirects.target(&format!("{deep}/c"), "").as_deref(), Some("/c"));
    }
}
