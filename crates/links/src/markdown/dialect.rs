//! Rewrites a page, line by line, so that the parser, which reads CommonMark, finds the headings that another renderer finds.

use std::borrow::Cow;

use super::attributes;
use crate::renderer::{Dialect, Rule};

/// A page as the parser needs it to find its headings.
pub(super) struct Prepared<'t> {
    pub(super) text: Cow<'t, str>,
    /// The lines of attributes, in order.
    pub(super) attributes: Vec<Attributes>,
}

/// One or more lines of attributes, which are blank in the text.
pub(super) struct Attributes {
    pub(super) start: usize,
    pub(super) end: usize,
    /// They belong to what is before them.
    pub(super) is_after: bool,
    pub(super) id: Option<String>,
}

pub(super) fn prepare<'t>(page: &'t str, rule: &Rule) -> Prepared<'t> {
    let dialect = rule.dialect;
    if dialect == Dialect::CommonMark || dialect == Dialect::Goldmark {
        return Prepared { text: Cow::Borrowed(page), attributes: Vec::new() };
    }
    let mut lines = Lines {
        dialect,
        strict_fences: rule.strict_fences,
        text: String::with_capacity(page.len() + 64),
        attributes: Vec::new(),
        fence: None,
        until: None,
        elements: Vec::new(),
        last_fences: last_fences(page, dialect),
        previous: 0,
        after_blank: true,
        previous_after_blank: true,
    };
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        lines.line(line, at);
        at += line.len();
    }
    Prepared { text: Cow::Owned(lines.text), attributes: lines.attributes }
}

/// A fence: its character, its length up to [`LONGEST_FENCE`], and how far it is indented.
#[derive(Clone, Copy)]
struct Fence {
    mark: char,
    len: usize,
    indent: usize,
}

const LONGEST_FENCE: usize = 32;

struct Lines {
    dialect: Dialect,
    strict_fences: bool,
    text: String,
    attributes: Vec<Attributes>,
    fence: Option<Fence>,
    /// The mark that ends the comment that is open.
    until: Option<&'static str>,
    /// The raw elements that are open, and whether Markdown is read in them.
    elements: Vec<(String, bool)>,
    /// The offset after the last line of each kind of fence, where one without an end is text.
    last_fences: Option<[[usize; LONGEST_FENCE + 1]; 2]>,
    /// Where the previous line starts in `text`.
    previous: usize,
    after_blank: bool,
    /// The line before the previous one was blank.
    previous_after_blank: bool,
}

impl Lines {
    fn line(&mut self, line: &str, at: usize) {
        let start = self.text.len();
        let trimmed = line.trim();
        let is_blank = trimmed.is_empty();
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(end) = self.until {
            self.text.push_str(if end == "-->" { line } else { "\n" });
            self.until = self.until.filter(|end| !line.contains(end));
        } else if let Some(fence) = self.fence {
            self.in_fence(line, fence);
        } else if self.elements.last().is_some_and(|(_, is_markdown)| !is_markdown) {
            self.count_tags(trimmed);
            self.text.push_str(if self.elements.is_empty() && self.is_kramdown() { "x\n" } else { "\n" });
        } else if let Some(fence) = self.opening(line, at) {
            self.fence = Some(fence);
            self.text.push_str(if self.dialect == Dialect::Mdx && fence.indent > 3 { line.trim_start() } else { line });
        } else if trimmed.starts_with('<') && (indent < 4 || self.dialect == Dialect::Mdx) && self.html(line, trimmed) {
        } else if trimmed.starts_with("{:") && indent < 4 && self.is_kramdown() && self.attribute_line(trimmed) {
            return;
        } else {
            self.plain(line);
        }
        self.previous = start;
        self.previous_after_blank = self.after_blank;
        self.after_blank = is_blank;
    }

    fn is_kramdown(&self) -> bool {
        matches!(self.dialect, Dialect::Kramdown | Dialect::Jekyll)
    }

    fn in_fence(&mut self, line: &str, fence: Fence) {
        let is_end = fence_of(line).is_some_and(|end| {
            let is_near = end.indent < fence.indent + 4 || self.dialect == Dialect::Mdx;
            is_near && end.mark == fence.mark && end.len >= fence.len && line.trim().chars().all(|c| c == fence.mark)
        });
        if is_end {
            self.fence = None;
        }
        match self.dialect {
            Dialect::Mdx if fence.indent > 3 => self.text.push_str(line.trim_start()),
            Dialect::Mdx if is_end => {
                self.text.extend(std::iter::repeat_n(' ', fence.indent));
                self.text.push_str(line.trim_start());
            }
            _ => self.text.push_str(line),
        }
    }

    /// Returns the fence that a line opens. One that needs an end and has none is written as text.
    fn opening(&mut self, line: &str, at: usize) -> Option<Fence> {
        let fence = fence_of(line)?;
        let info = line.trim().trim_start_matches(fence.mark);
        if (fence.mark == '`' && info.contains('`')) || !self.can_open(fence, info.trim()) {
            return None;
        }
        let has_end = |last: &[[usize; LONGEST_FENCE + 1]; 2]| {
            last[usize::from(fence.mark == '~')][fence.len..].iter().any(|end| *end > at + line.len())
        };
        self.last_fences.as_ref().is_none_or(has_end).then_some(fence)
    }

    /// Reports whether a fence may have an info string. In kramdown without `GFM`, one is of `~`.
    fn can_open(&self, fence: Fence, info: &str) -> bool {
        let is_language =
            |word: &str| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '#' | '.' | '+' | '-'));
        let mut words = info.split_whitespace();
        match self.dialect {
            _ if !self.strict_fences => true,
            Dialect::Python if info.starts_with('{') => info.ends_with('}'),
            Dialect::Python => {
                words.next().is_none_or(|word| is_language(word) || word.contains('='))
                    && (info.contains('=') || words.next().is_none())
            }
            Dialect::Kramdown | Dialect::Jekyll => {
                words.nth(1).is_none() && (fence.mark == '~' || self.dialect == Dialect::Jekyll)
            }
            _ => true,
        }
    }

    /// Writes a line that starts with `<`; reports whether it did.
    fn html(&mut self, line: &str, trimmed: &str) -> bool {
        if trimmed.starts_with("<!--") {
            self.until = Some("-->").filter(|end| !trimmed.contains(end));
            self.text.push_str(line);
            return true;
        }
        let Some((name, _)) = tag(trimmed) else { return false };
        let is_raw = ["pre", "script", "style", "textarea"].iter().any(|raw| raw.eq_ignore_ascii_case(name));
        match self.dialect {
            Dialect::Mdx => {
                self.text.push('\\');
                self.text.push_str(line.trim_start());
                self.text.push_str(if trimmed.ends_with('>') { "\n" } else { "" });
            }
            Dialect::Pandoc if !is_raw && is_block(name) => {
                self.text.push_str(line);
                self.text.push('\n');
            }
            Dialect::Pandoc | Dialect::CommonMark | Dialect::Goldmark => return false,
            _ if !self.is_element(name) && trimmed.find('>') != Some(trimmed.len() - 1) => return false,
            _ if !self.is_element(name) => {
                // Its element ends with its tag, not with the next blank line.
                self.text.push('\\');
                self.text.push_str(line);
            }
            Dialect::Python | Dialect::Kramdown | Dialect::Jekyll => {
                self.count_tags(trimmed);
                // In kramdown, a heading needs a blank line after it, too.
                let is_end = self.is_kramdown() && self.elements.is_empty() && !is_void(name);
                self.text.push_str(if is_end { "x\n" } else { "\n" });
            }
        }
        true
    }

    /// In kramdown, each element is one of a block that it does not know as one of a text.
    fn is_element(&self, name: &str) -> bool {
        if self.is_kramdown() { !SPANS.iter().any(|span| span.eq_ignore_ascii_case(name)) } else { is_block(name) }
    }

    fn count_tags(&mut self, line: &str) {
        for (at, _) in line.match_indices('<') {
            let Some((name, attributes)) = tag(&line[at..]) else { continue };
            if !self.is_element(name) || is_void(name) {
                continue;
            }
            if line[at + 1..].starts_with('/') {
                // An element that is not closed in it ends with it.
                const MOST: usize = 64;
                let same = self.elements.iter().rev().take(MOST).position(|(open, _)| open.eq_ignore_ascii_case(name));
                self.elements.truncate(self.elements.len() - same.map_or(0, |same| same + 1));
            } else if !attributes.ends_with('/') {
                let values = ["\"1\"", "'1'", "\"block\"", "'block'"];
                let is_markdown = self.is_kramdown()
                    && attributes
                        .split_once("markdown=")
                        .is_some_and(|(_, value)| values.iter().any(|known| value.starts_with(known)));
                self.elements.push((name.to_owned(), is_markdown));
            }
        }
    }

    /// Keeps a line of attributes; reports whether it is one.
    fn attribute_line(&mut self, line: &str) -> bool {
        let Some(id) = attributes::of_line(line) else { return false };
        let (start, end, id) = (self.text.len(), self.text.len() + 1, id.map(str::to_owned));
        self.text.push('\n');
        match self.attributes.last_mut() {
            Some(last) if last.end == start => {
                last.end = end;
                last.id = id.or(last.id.take());
            }
            _ => self.attributes.push(Attributes { start, end, is_after: !self.after_blank, id }),
        }
        true
    }

    fn plain(&mut self, line: &str) {
        let trimmed = line.trim();
        if self.dialect == Dialect::Mdx {
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
            let is_deep = indent > 3 || line[..indent].contains('\t');
            self.until = Some("*/}").filter(|end| trimmed.starts_with("{/*") && !trimmed.contains(end));
            let line = if is_deep && !trimmed.is_empty() { line.trim_start() } else { line };
            self.text.push_str(if self.until.is_some() { "\n" } else { line });
            return;
        }
        if !trimmed.is_empty() && trimmed.len() == line.trim_end().len() && !self.after_blank {
            let is_underline = ['=', '-'].iter().any(|mark| trimmed.chars().all(|c| c == *mark));
            if is_underline && self.underline() {
                self.text.push_str(line);
                return;
            }
        }
        if self.dialect == Dialect::Pandoc && trimmed.starts_with(":::") {
            // Of a division: what is in it starts anew.
            self.text.push('\n');
            return;
        }
        let is_extension = ["{::comment", "{::nomarkdown"].iter().any(|start| trimmed.starts_with(start));
        if is_extension && self.is_kramdown() && !trimmed.ends_with("/}") && !trimmed.contains("{:/") {
            self.until = Some("{:/");
            self.text.push('\n');
            return;
        }
        let escaped = self.last_fences.is_some() && fence_of(line).is_some();
        // Python-Markdown takes the backslash with the line break.
        let is_open = self.dialect == Dialect::Python
            && line.trim_end_matches(['\n', '\r']).bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
        if (escaped || is_open) && trimmed.starts_with(['#', '`', '~']) {
            self.text.push('\\');
            self.text.push_str(line.trim_start());
            return;
        }
        let marks = line.bytes().take(6).take_while(|byte| *byte == b'#').count();
        let needs_space = matches!(self.dialect, Dialect::Python | Dialect::Kramdown);
        let is_heading = needs_space && marks > 0 && !line[marks..].trim_end().is_empty();
        let (before, after) = line.split_at(if is_heading { marks } else { 0 });
        self.text.push_str(before);
        self.text.extend((is_heading && !after.starts_with([' ', '\t'])).then_some(' '));
        self.text.push_str(after);
    }

    /// Puts what is before the underline of a heading whose text is the first line of a quote or an item; reports whether the
    /// underline is one in it.
    fn underline(&mut self) -> bool {
        let previous = &self.text[self.previous..];
        let indent = previous.len() - previous.trim_start_matches(' ').len();
        let rest = &previous[indent..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let marker = match rest.as_bytes().get(digits) {
            Some(b'>') if digits == 0 => 1,
            Some(b'-' | b'+' | b'*') if digits == 0 && rest[1..].starts_with(' ') => 1,
            Some(b'.' | b')') if (1..10).contains(&digits) && rest[digits + 1..].starts_with(' ') => digits + 1,
            _ => return false,
        };
        let is_text = self.dialect == Dialect::Python || (self.is_kramdown() && rest.as_bytes()[digits] == b')');
        if indent > 3 || rest[marker..].trim().is_empty() || (is_text && !self.previous_after_blank) {
            return false;
        }
        if is_text {
            self.text.insert(self.previous + indent + digits, '\\');
            return true;
        }
        let spaces = rest[marker..].len() - rest[marker..].trim_start_matches(' ').len();
        match rest.starts_with('>') {
            true => self.text.push_str("> "),
            false => self.text.extend(std::iter::repeat_n(' ', indent + marker + spaces.min(4))),
        }
        true
    }
}

/// Elements that start a block, in CommonMark and Python-Markdown.
const BLOCKS: [&str; 54] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "canvas",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "iframe",
    "legend",
    "li",
    "main",
    "math",
    "menu",
    "nav",
    "noscript",
    "ol",
    "output",
    "p",
    "pre",
    "script",
    "section",
    "style",
    "summary",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
    "video",
];

/// `HTML_SPAN_ELEMENTS` of kramdown.
const SPANS: [&str; 45] = [
    "a", "abbr", "acronym", "audio", "b", "big", "bdo", "br", "button", "cite", "code", "data", "del", "dfn", "em",
    "i", "img", "input", "ins", "kbd", "label", "mark", "meter", "option", "output", "progress", "q", "rb", "rbc",
    "rp", "rt", "rtc", "ruby", "s", "samp", "select", "small", "span", "strong", "sub", "sup", "time", "tt", "u",
    "var",
];

const VOID: [&str; 13] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

fn is_block(name: &str) -> bool {
    BLOCKS.iter().any(|block| block.eq_ignore_ascii_case(name))
}

fn is_void(name: &str) -> bool {
    VOID.iter().any(|void| void.eq_ignore_ascii_case(name))
}

/// Returns the name and the attributes of the tag that a text starts with. They end at the next tag at the latest, so that time is linear.
fn tag(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('<')?;
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let len = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(len);
    let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !rest.starts_with([':', '@', '.']);
    is_tag.then(|| (name, &rest[..rest.find(['<', '>']).unwrap_or(rest.len())]))
}

/// Reads the line of backticks or tildes that starts or ends a block of code.
fn fence_of(line: &str) -> Option<Fence> {
    let start = line.trim_start();
    let mark = start.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let len = start.chars().take_while(|c| *c == mark).count();
    (len >= 3).then_some(Fence { mark, len: len.min(LONGEST_FENCE), indent: line.len() - start.len() })
}

/// In Python-Markdown and kramdown, a fence without an end is text.
fn last_fences(page: &str, dialect: Dialect) -> Option<[[usize; LONGEST_FENCE + 1]; 2]> {
    if !matches!(dialect, Dialect::Python | Dialect::Kramdown | Dialect::Jekyll) {
        return None;
    }
    let mut last = [[0; LONGEST_FENCE + 1]; 2];
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        at += line.len();
        if let Some(fence) = fence_of(line).filter(|fence| line.trim().chars().all(|c| c == fence.mark)) {
            last[usize::from(fence.mark == '~')][fence.len] = at;
        }
    }
    Some(last)
}
