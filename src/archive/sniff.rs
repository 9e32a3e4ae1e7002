//! Whether bytes are a page, by their start (MIME Sniffing Standard §7.1).

/// The number of bytes that are looked at.
pub const LEN: usize = 1445;

/// The tags that tell, those of the standard and three more that start heads; a space or `>` follows.
const TAGS: [&str; 19] = [
    "!doctype html",
    "html",
    "head",
    "script",
    "iframe",
    "h1",
    "div",
    "font",
    "table",
    "a",
    "style",
    "title",
    "b",
    "body",
    "br",
    "p",
    "base",
    "meta",
    "link",
];

/// Whether these bytes start an HTML page, in an encoding like ASCII or in UTF-16.
pub fn is_html(start: &[u8]) -> bool {
    let ascii: Vec<u8> = match start {
        [0xff, 0xfe, rest @ ..] => rest.iter().copied().step_by(2).collect(),
        [0xfe, 0xff, rest @ ..] => rest.iter().copied().skip(1).step_by(2).collect(),
        [_, 0, _, 0, ..] => start.iter().copied().step_by(2).collect(),
        [0, _, 0, _, ..] => start.iter().copied().skip(1).step_by(2).collect(),
        [0xef, 0xbb, 0xbf, rest @ ..] => rest.to_vec(),
        _ => start.to_vec(),
    };
    let Some(markup) = ascii.trim_ascii_start().strip_prefix(b"<") else { return false };
    if markup.starts_with(b"!--") {
        return true;
    }
    if markup.starts_with(b"?xml") {
        return markup.windows(5).any(|tag| tag.eq_ignore_ascii_case(b"<html"));
    }
    TAGS.iter().any(|tag| {
        let ends = |end: &u8| end.is_ascii_whitespace() || *end == b'>';
        markup.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()))
            && markup.get(tag.len()).is_none_or(ends)
    })
}

/// Reports whether these bytes can be text: none of them is a binary data byte of the standard.
pub fn is_text(start: &[u8]) -> bool {
    !start.iter().any(|byte| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f))
}

/// Whether these bytes are no text: they have a NUL, and do not start as a page.
pub fn is_binary(start: &[u8]) -> bool {
    let start = &start[..start.len().min(LEN)];
    let marked = start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]);
    !marked && start.contains(&0) && !is_html(start)
}
