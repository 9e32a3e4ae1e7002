//! The attributes with which a heading gives itself an id, as each renderer reads them.

use super::destination::decoded;
use crate::renderer::OwnId;

/// Returns the offset of the attributes at the end of the source of a heading, and the id among them.
pub(super) fn at_end(source: &str, kind: OwnId) -> Option<(usize, Option<String>)> {
    let inner = source.trim_end().strip_suffix('}')?;
    let open = inner.rfind('{')?;
    let (before, inner) = (&inner[..open], &inner[open + 1..]);
    if inner.contains('}') {
        return None;
    }
    let id = match kind {
        OwnId::None | OwnId::Parsed | OwnId::Docusaurus => return None,
        OwnId::XmlName => {
            Some(inner.strip_prefix('#').filter(|id| before.ends_with([' ', '\t']) && is_xml_name(id))?.to_owned())
        }
        OwnId::Goldmark => goldmark(inner)?,
        OwnId::Pandoc => pandoc(inner)?,
        OwnId::MarkdownIt => markdown_it(inner),
        // The first brace after a space counts there.
        OwnId::AttrList if before.ends_with('`') => None,
        OwnId::AttrList if !before.ends_with(' ') || before.contains(" {") => return None,
        OwnId::AttrList => attr_list(inner)?,
    };
    Some((open, id))
}

/// Returns the ids in all that looks like attributes, such as `{ #a }` and `{: .b #c }`. Some of them may be in code: no id that a page has
/// is missing. Python-Markdown has read the escapes of a text before it looks for attributes.
pub(super) fn ids(text: &str) -> impl Iterator<Item = String> {
    let starts = memchr::memchr_iter(b'{', text.as_bytes());
    let inner = starts.filter_map(|start| {
        let rest = &text[start + 1..];
        let end = rest.find(['{', '}', '\n']).filter(|end| rest[*end..].starts_with('}'))?;
        Some(rest[..end].trim_start_matches(':'))
    });
    inner
        .flat_map(words)
        .filter_map(|word| word.strip_prefix('#'))
        .filter(|id| !id.is_empty())
        .map(|id| decoded(id).into_owned())
}

/// Returns the id in the text of a heading of Docusaurus, and the length of the text before it: `{#a}`, or `{/* #a */}` in MDX.
pub(super) fn docusaurus<'t>(text: &'t str, source: &'t str, has_comments: bool) -> Option<(usize, &'t str)> {
    let comment = || {
        let inner = source.trim_end().strip_suffix("*/}")?;
        let inner = &inner[inner.rfind("{/*")? + "{/*".len()..];
        inner.split_whitespace().next()?.strip_prefix('#').filter(|id| !id.is_empty())
    };
    if let Some(id) = comment().filter(|_| has_comments) {
        return Some((text.len(), id));
    }
    let inner = text.strip_suffix('}')?;
    let open = inner.rfind("{#")?;
    let id = inner[open + "{#".len()..].trim();
    (!id.is_empty() && !id.contains('}')).then(|| (text[..open].trim_end().len(), id))
}

/// Returns the id in what stands between `{:` and `}` on a line of its own in kramdown; `None` for a definition or anything else.
pub(super) fn of_line(line: &str) -> Option<Option<&str>> {
    let inner = line.trim().strip_prefix("{:")?.strip_suffix('}')?;
    if inner.is_empty() || inner.starts_with([':', '/']) || inner.contains('}') {
        return None;
    }
    if inner.split(':').count() > 1
        && inner.split(':').next().is_some_and(|name| name.chars().all(char::is_alphanumeric))
    {
        return None;
    }
    let ids = words(inner).filter_map(id_of_word);
    Some(ids.last())
}

/// A word of kramdown's attributes: `#a.b`, `.b#a` or `id="a"`.
fn id_of_word(word: &str) -> Option<&str> {
    if word.starts_with(['#', '.']) {
        let id = &word[word.find('#')? + 1..];
        let id = &id[..id.find(['.', '#']).unwrap_or(id.len())];
        return Some(id).filter(|id| id.starts_with(|c: char| c.is_ascii_alphabetic()));
    }
    word.strip_prefix("id=")
        .filter(|value| value.starts_with(['"', '\'']))
        .and_then(|value| unquoted(value, &['"', '\'']))
}

/// `REXML::XMLTokens::NAME`, as far as letters are concerned.
fn is_xml_name(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | ':'));
    starts && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.' | '·'))
}

/// The words between white space, which may be within quotes after `=`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        let (mut quote, mut before) = (None, ' ');
        let end = rest.char_indices().find_map(|(at, c)| {
            match quote {
                Some(_) if quote == Some(c) => quote = None,
                Some(_) => {}
                None if c.is_ascii_whitespace() => return Some(at),
                None if before == '=' && matches!(c, '"' | '\'') => quote = Some(c),
                None => {}
            }
            before = c;
            None
        });
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

/// Returns a value without its quotes; `None` if they are not in a pair.
fn unquoted<'t>(value: &'t str, quotes: &[char]) -> Option<&'t str> {
    let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else { return Some(value) };
    value[1..].strip_suffix(quote).filter(|_| quotes.contains(&quote))
}

/// pandoc's extension `header_attributes`: all of it is right, or it is text.
fn pandoc(inner: &str) -> Option<Option<String>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
    let is_name = |name: &str| name.starts_with(char::is_alphabetic) && name.chars().all(is_part);
    let mut found = None;
    for word in words(inner) {
        if let Some(id) = word.strip_prefix('#') {
            found = Some(id).filter(|id| !id.is_empty() && id.chars().all(is_part)).map(Some)?;
        } else if let Some((name, value)) = word.split_once('=') {
            let value = unquoted(value, &['"', '\'']).filter(|_| is_name(name))?;
            found = if name == "id" { Some(value) } else { found };
        } else if word != "-" && !word.strip_prefix('.').is_some_and(is_name) {
            return None;
        }
    }
    Some(found.map(str::to_owned))
}

/// The attributes of headings in goldmark, where an id may be empty.
fn goldmark(inner: &str) -> Option<Option<String>> {
    let is_part = |c: char| !c.is_ascii_punctuation() || matches!(c, '-' | '_' | ':' | '.');
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | ':')) && name.chars().all(is_part)
    };
    let mut found = None;
    let mut is_empty = true;
    for word in words(inner) {
        is_empty = false;
        if let Some(name) = word.strip_prefix(['#', '.']) {
            let name = Some(name).filter(|name| name.chars().all(is_part))?;
            found = if word.starts_with('#') { Some(name) } else { found };
        } else {
            let (name, value) = word.split_once('=')?;
            let value = unquoted(value, &['"']).filter(|_| is_name(name))?;
            found = if name == "id" { Some(value) } else { found };
        }
    }
    (!is_empty || inner.is_empty()).then(|| found.map(str::to_owned))
}

/// `get_attrs_and_remainder` of Python-Markdown's extension `attr_list`.
fn attr_list(inner: &str) -> Option<Option<String>> {
    let inner = inner.strip_prefix(':').unwrap_or(inner).trim_matches(' ');
    let id = |word: &'_ str| match word.split_once('=') {
        Some(("id", value)) => Some(value.trim_matches(['"', '\'']).to_owned()),
        Some(_) => None,
        None => word.strip_prefix('#').map(str::to_owned),
    };
    (!inner.is_empty()).then(|| words(inner).filter_map(id).last())
}

/// `getAttrs` of markdown-it-attrs, which takes anything. The first id counts.
fn markdown_it(inner: &str) -> Option<String> {
    let (mut key, mut value) = (String::new(), String::new());
    let (mut in_key, mut in_quotes) = (true, false);
    for c in inner.chars().chain([' ']) {
        match c {
            '=' if in_key => in_key = false,
            '.' | '#' if key.is_empty() => {
                key.push_str(if c == '#' { "id" } else { "class" });
                in_key = false;
            }
            '"' if in_quotes || value.is_empty() => in_quotes = !in_quotes,
            ' ' if !in_quotes => {
                if key == "id" {
                    return Some(value).filter(|id| !id.is_empty());
                }
                (in_key, key, value) = (true, String::new(), String::new());
            }
            '\t' | '\n' | '/' | '>' | '\'' if in_key => {}
            c if in_key => key.push(c),
            c => value.push(c),
        }
    }
    None
}
