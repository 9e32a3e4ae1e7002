//! Makes ids of the texts of headings, as each renderer does.

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

/// github-slugger 2.
pub(super) fn github(text: &str) -> String {
    let lower = text.to_lowercase();
    let mut id = String::with_capacity(lower.len());
    id.extend(lower.chars().filter(|c| *c == ' ' || *c == '-' || is_word(*c)).map(space_to_hyphen));
    id
}

/// `Gitlab::Utils::Markdown.string_to_anchor`, of which only the first 255 characters count.
pub(super) fn gitlab(text: &str) -> String {
    let mut id = String::new();
    for c in lower_each(text.trim()).filter(|c| *c == ' ' || *c == '-' || is_word(*c)).map(space_to_hyphen) {
        if !(c == '-' && id.ends_with('-')) {
            id.push(c);
        }
    }
    if !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) {
        id.insert_str(0, "anchor-");
    }
    id.chars().take(255).collect()
}

/// `mdbook::utils::normalize_id`.
pub(super) fn mdbook(text: &str) -> String {
    let keep = |c: char| match c {
        '_' | '-' => Some(c),
        c if c.is_alphanumeric() => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    };
    text.trim().to_lowercase().chars().filter_map(keep).collect()
}

/// `markdown.extensions.toc.slugify`.
pub(super) fn mkdocs(text: &str) -> String {
    let ascii = nfkd(text);
    let ascii = ascii
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-') || is_python_space(*c) && c.is_ascii());
    let ascii = ascii.collect::<String>().trim().to_ascii_lowercase();
    let mut id = String::new();
    for c in ascii.chars() {
        match c {
            '-' | ' ' | '\t'..='\r' | '\x1C'..='\x1F' => id.extend((!id.ends_with('-')).then_some('-')),
            c => id.push(c),
        }
    }
    id
}

/// `pymdownx.slugs.slugify(case="lower")`.
pub(super) fn pymdownx(text: &str) -> String {
    let text = without_tags(&without_emoji_names(text));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = ComposingNormalizerBorrowed::new_nfc().normalize(&text).to_lowercase();
    let kept = text.chars().filter(|c| matches!(c, '_' | '-' | ' ') || is_alphanumeric(*c));
    kept.map(space_to_hyphen).collect()
}

/// `sanitizeAnchorName` of Hugo.
pub(super) fn hugo(text: &str) -> String {
    let keep = |c: char| match c {
        '_' | '-' => Some(c),
        ' ' => Some('-'),
        c if is_letter_or_digit(c) => lower(c).next(),
        _ => None,
    };
    text.trim().chars().filter_map(keep).collect()
}

/// `generate_gfm_header_id` of kramdown-parser-gfm.
pub(super) fn jekyll(text: &str) -> String {
    let kept = lower_each(text).filter(|c| matches!(c, ' ' | '\t' | '-') || is_word(*c));
    kept.map(|c| if c == '\t' { '-' } else { space_to_hyphen(c) }).collect()
}

/// `basic_generate_id` of kramdown.
pub(super) fn kramdown(text: &str) -> String {
    let text = text.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let kept = text.chars().filter(|c| matches!(c, ' ' | '-') || c.is_ascii_alphanumeric());
    let id: String = kept.map(|c| space_to_hyphen(c.to_ascii_lowercase())).collect();
    if id.is_empty() { "section".to_owned() } else { id }
}

/// `slugify` of @mdit-vue/shared.
pub(super) fn vitepress(text: &str) -> String {
    let text = nfkd(&without_emoji_names(text));
    let mut id = String::new();
    let is_mark = |c: &char| ('\u{300}'..='\u{36F}').contains(c) || *c <= '\x1F';
    for c in text.chars().filter(|c| !is_mark(c)) {
        let is_special = c.is_whitespace() || c == '\u{FEFF}' || "~`!@#$%^&*()-_+=[]{}|\\;:\"'“”‘’<>,.?/".contains(c);
        match is_special {
            true => id.extend((!id.ends_with('-')).then_some('-')),
            false => id.push(c),
        }
    }
    let id = id.trim_matches('-');
    let underscore = if id.starts_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
    [underscore, &id.to_lowercase()].concat()
}

/// The identifiers of pandoc's extension `auto_identifiers`.
pub(super) fn pandoc(text: &str) -> String {
    let kept = text.chars().filter(|c| matches!(c, '_' | '-' | '.') || c.is_whitespace() || is_alphanumeric(*c));
    // Only the first character of what it becomes: `İ` is `i`.
    let kept = kept.filter_map(|c| c.to_lowercase().next()).collect::<String>();
    let words = kept.split_whitespace().collect::<Vec<_>>().join("-");
    let id = words.trim_start_matches(|c: char| !is_letter(c));
    if id.is_empty() { "section".to_owned() } else { id.to_owned() }
}

/// The identifiers of pandoc's extension `gfm_auto_identifiers`, in which emoji have their names.
pub(super) fn pandoc_gfm(text: &str) -> String {
    let keep = |c: char| match c {
        '_' | '-' => Some(c),
        c if c.is_whitespace() => Some('-'),
        c if is_alphanumeric(c) || is_mark(c) => Some(c),
        _ => None,
    };
    let text = ComposingNormalizerBorrowed::new_nfc().normalize(text);
    lower_each(&with_emoji_names(&text)).filter_map(keep).collect()
}

fn space_to_hyphen(c: char) -> char {
    if c == ' ' { '-' } else { c }
}

/// Ruby, Go and Haskell do not know the final sigma.
fn lower_each(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().flat_map(char::to_lowercase)
}

fn lower(c: char) -> impl Iterator<Item = char> {
    c.to_lowercase()
}

fn category(c: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(c)
}

/// `\p{Word}` of Ruby: letters, marks, decimal digits and connectors.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || c == '_'
        || !c.is_ascii() && {
            let category = category(c);
            c.is_alphabetic()
                || is_mark(c)
                || matches!(category, GeneralCategory::DecimalNumber | GeneralCategory::ConnectorPunctuation)
        }
}

fn is_mark(c: char) -> bool {
    GeneralCategoryGroup::Mark.contains(category(c))
}

fn is_letter(c: char) -> bool {
    GeneralCategoryGroup::Letter.contains(category(c))
}

fn is_letter_or_digit(c: char) -> bool {
    is_letter(c) || category(c) == GeneralCategory::DecimalNumber
}

/// Letters and numbers of any kind, without marks.
fn is_alphanumeric(c: char) -> bool {
    is_letter(c) || GeneralCategoryGroup::Number.contains(category(c))
}

fn is_python_space(c: char) -> bool {
    c.is_whitespace() || ('\x1C'..='\x1F').contains(&c)
}

fn nfkd(text: &str) -> String {
    DecomposingNormalizerBorrowed::new_nfkd().normalize(text).into_owned()
}

/// Removes what looks like a tag of HTML.
fn without_tags(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(start) = rest.find('<') {
        let Some(len) = rest[start..].find('>') else { break };
        kept.push_str(&rest[..start]);
        rest = &rest[start + len + 1..];
    }
    kept + rest
}

/// Removes the names of emoji, such as `:tada:`: a renderer shows pictures instead.
fn without_emoji_names(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(start) = rest.find(':') {
        let name_len = rest[start + 1..].find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+')));
        let end = name_len.map(|len| start + 1 + len).filter(|end| rest[*end..].starts_with(':'));
        match end.filter(|end| emojis::get_by_shortcode(&rest[start + 1..*end]).is_some()) {
            Some(end) => {
                kept.push_str(&rest[..start]);
                rest = &rest[end + 1..];
            }
            None => {
                kept.push_str(&rest[..=start]);
                rest = &rest[start + 1..];
            }
        }
    }
    kept + rest
}

/// Writes each emoji as its name. The longest that starts at a place counts.
fn with_emoji_names(text: &str) -> String {
    const LONGEST: usize = 12;
    let mut named = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8()).take(LONGEST);
        let emoji = if c.is_ascii_alphabetic() || c == ' ' {
            None
        } else {
            ends.collect::<Vec<_>>().into_iter().rev().find_map(|end| {
                let name = emojis::get(&rest[..end]).filter(|emoji| emoji.as_str() == &rest[..end])?.shortcode()?;
                Some((end, name))
            })
        };
        match emoji {
            Some((end, name)) => {
                named.push_str(name);
                rest = &rest[end..];
            }
            None => {
                named.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    named
}
