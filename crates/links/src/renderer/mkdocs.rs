//! The extensions of Python-Markdown that a `mkdocs.yml` names: no more of YAML is read than such files have.

/// An extension, with its options as they are written.
struct Extension<'t> {
    name: &'t str,
    options: String,
}

/// The extensions that decide about the ids of headings.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct IdExtensions {
    /// Headings give themselves ids.
    pub(super) has_attr_list: bool,
    /// Ids are made by `pymdownx.slugs`, in lower case.
    pub(super) has_lower_slugs: bool,
}

impl IdExtensions {
    pub(super) fn of(configuration: &str) -> Self {
        let mut found = IdExtensions::default();
        for Extension { name, options } in extensions(configuration) {
            match name.strip_prefix("markdown.extensions.").unwrap_or(name) {
                // Both of the latter have attr_list in them.
                "attr_list" | "extra" | "pymdownx.extra" => found.has_attr_list = true,
                "toc" => found.has_lower_slugs = has_lower_slugs(&options),
                _ => {}
            }
        }
        found
    }
}

fn has_lower_slugs(options: &str) -> bool {
    let words: Vec<&str> = options
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
        .filter(|word| !word.is_empty())
        .collect();
    let is_lower = words.windows(2).any(|pair| pair == ["case", "lower"]);
    words.contains(&"pymdownx.slugs.uslugify") || (is_lower && words.contains(&"pymdownx.slugs.slugify"))
}

/// Returns the folder of the sources, relative to that of the configuration; `None` if it is not below it or not known.
pub(super) fn docs_dir(configuration: &str) -> Option<String> {
    let mut lines = configuration.lines().map(without_comment);
    let value = lines.find_map(|line| line.strip_prefix("docs_dir:"));
    let Some(value) = value else { return Some("docs".to_owned()) };
    let folder = value.trim().trim_matches(['"', '\'']);
    let names: Vec<&str> = folder.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    let is_known = !folder.starts_with(['/', '!', '[', '{']) && !names.is_empty() && !names.contains(&"..");
    is_known.then(|| names.join("/"))
}

/// Returns the items, or keys, of `markdown_extensions`.
fn extensions(configuration: &str) -> Vec<Extension<'_>> {
    const KEY: &str = "markdown_extensions:";
    let lines = configuration.lines().map(without_comment).filter(|line| !line.trim().is_empty());
    let mut lines = lines.skip_while(|line| !line.starts_with(KEY));
    let Some(value) = lines.next().map(|line| line[KEY.len()..].trim()) else { return Vec::new() };
    let is_flow = value.starts_with(['[', '{']);
    let block: Vec<&str> = [value]
        .into_iter()
        .filter(|_| is_flow)
        .chain(lines.take_while(|line| line.starts_with([' ', '-', ']', '}'])))
        .collect();
    let mut found: Vec<Extension> = Vec::new();
    let first_indent = block.first().map_or(0, |line| indent(line));
    let mut depth = 0_usize;
    for line in block {
        if !is_flow && indent(line) > first_indent {
            found.last_mut().into_iter().for_each(|last| last.options.extend([line, "\n"]));
            continue;
        }
        for part in line.split_inclusive([',', '[', ']', '{', '}']) {
            let is_item = depth <= usize::from(is_flow);
            let text = part.trim_end_matches([',', '[', ']', '{', '}']).trim().trim_start_matches("- ").trim_start();
            let (name, options) = text.split_once(": ").unwrap_or((text.strip_suffix(':').unwrap_or(text), ""));
            let name = name.trim_matches(['"', '\'', ' ']);
            match found.last_mut() {
                _ if is_item && !name.is_empty() => found.push(Extension { name, options: options.to_owned() }),
                Some(last) => last.options.extend([part, " "]),
                None => {}
            }
            match part.chars().next_back() {
                Some('[' | '{') => depth += 1,
                Some(']' | '}') => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    found
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A `#` starts a comment after white space, and not in quotes.
fn without_comment(line: &str) -> &str {
    let (mut quote, mut before) = (None, ' ');
    let start = line.char_indices().find_map(|(at, c)| {
        match quote {
            Some(_) if quote == Some(c) => quote = None,
            Some(_) => {}
            None if c == '#' && before.is_whitespace() => return Some(at),
            None if matches!(c, '"' | '\'') && !before.is_alphanumeric() => quote = Some(c),
            None => {}
        }
        before = c;
        None
    });
    &line[..start.unwrap_or(line.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_extensions_and_options_of_the_ids_count() {
        for (configuration, has_attr_list, has_lower_slugs) in [
            ("site_name: x\n", false, false),
            ("markdown_extensions:\n  - attr_list\n", true, false),
            ("markdown_extensions:\n- toc:\n    permalink: true\n- 'attr_list' # x\nextra:\n  a: b\n", true, false),
            ("markdown_extensions:\n  - tables # attr_list\n  # - attr_list\nextra:\n  attr_list: x\n", false, false),
            ("extra:\n  - attr_list\nmarkdown_extensions:\n  - admonition\n", false, false),
            ("markdown_extensions: [toc, extra]\n", true, false),
            ("markdown_extensions: [\n  toc,\n  pymdownx.extra,\n]\n", true, false),
            ("markdown_extensions:\n  pymdownx.extra: {}\n  toc:\n    permalink: x\n", true, false),
            ("markdown_extensions:\n  - x:\n      - attr_list\n", false, false),
            (
                "markdown_extensions:\n  - toc:\n      slugify: !!python/object/apply:pymdownx.slugs.slugify\n        kwds:\n          case: lower\n",
                false,
                true,
            ),
            (
                "markdown_extensions:\n  - toc:\n      slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}\n",
                false,
                true,
            ),
            (
                "markdown_extensions:\n  - toc:\n      slugify: !!python/object/apply:pymdownx.slugs.slugify\n        kwds: {case: fold}\n  - x:\n      case: lower\n",
                false,
                false,
            ),
            (
                "markdown_extensions:\n  - toc: {slugify: !!python/name:pymdownx.slugs.uslugify }\n  - extra\n",
                true,
                true,
            ),
            (
                "markdown_extensions:\n  - pymdownx.tabbed:\n      slugify: !!python/object/apply:pymdownx.slugs.slugify\n        kwds: {case: lower}\n",
                false,
                false,
            ),
        ] {
            assert_eq!(
                IdExtensions::of(configuration),
                IdExtensions { has_attr_list, has_lower_slugs },
                "{configuration}"
            );
        }
    }
}
