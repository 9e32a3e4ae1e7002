//! Front matter: the data before a page, which is no Markdown.

/// Returns the length in bytes of the front matter at the start of a text: of YAML between lines of `---` (the last one may be `...`),
/// or, with `with_toml`, of TOML between lines of `+++`. 0 without any.
///
/// pulldown-cmark's own option finds such a pair of lines in the middle of a page, too, and takes the links between them.
pub(super) fn front_matter_len(text: &str, with_toml: bool) -> usize {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let ends: &[&str] = match first.trim_end() {
        "---" => &["---", "..."],
        "+++" if with_toml => &["+++"],
        _ => return 0,
    };
    let mut len = first.len();
    for line in lines {
        len += line.len();
        if ends.contains(&line.trim_end()) {
            return len;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_at_the_start_and_has_an_end() {
        for (text, len) in [
            ("---\na: b\n---\nx", 13),
            ("---\r\n---\r\n", 10),
            ("---\na\n...", 9),
            ("---\na\n", 0),
            ("\n---\na\n---\n", 0),
            (" ---\na\n---\n", 0),
            ("+++\na\n+++ \nx", 11),
            ("+++\na\n---\n", 0),
            ("----\na\n----\n", 0),
            ("", 0),
        ] {
            assert_eq!(front_matter_len(text, true), len, "{text:?}");
        }
        assert_eq!(front_matter_len("+++\na\n+++\n", false), 0);
    }
}
