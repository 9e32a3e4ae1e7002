//! The headings of a page as a renderer finds them in the Markdown.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Parser, Tag, TagEnd};

use super::address::Addresses;
use super::attributes;
use super::dialect::{Attributes, prepare};
use super::render::OPTIONS;
use crate::renderer::{Dialect, OwnId, References, Rule};

/// A heading, before its id is made.
pub(super) struct Heading {
    pub(super) text: String,
    /// The id that the heading gives itself.
    pub(super) own_id: Option<String>,
    /// It has a text, of which the renderer may leave all out.
    pub(super) has_text: bool,
}

/// Returns the headings of a Markdown text without front matter.
pub(super) fn headings(text: &str, rule: &Rule) -> Vec<Heading> {
    let prepared = prepare(text, rule);
    let text = &*prepared.text;
    let mut finder = HeadingFinder {
        text,
        rule,
        attributes: &prepared.attributes,
        headings: Vec::new(),
        open: None,
        images: 0,
        inlines: 0,
        taken: None,
        labels: Vec::new(),
        in_address: false,
        line: (0, 0),
        items: Vec::new(),
        paragraph_end: usize::MAX,
    };
    for (event, range) in Parser::new_ext(text, OPTIONS | rule.options).into_offset_iter() {
        finder.event(event, range);
    }
    finder.headings
}

struct HeadingFinder<'t, 'r> {
    text: &'t str,
    rule: &'r Rule,
    /// The lines of attributes.
    attributes: &'r [Attributes],
    headings: Vec<Heading>,
    open: Option<Open>,
    /// The number of images around the current place.
    images: usize,
    /// The number of all inlines around the current place.
    inlines: usize,
    /// The end of the text of the outermost of them that counts, where only the first one does.
    taken: Option<usize>,
    /// The labels of the references around the current place, empty for other links.
    labels: Vec<String>,
    in_address: bool,
    /// The start of the line of a place, and this place.
    line: (usize, usize),
    /// The column at which the text of each item around the current place starts.
    items: Vec<usize>,
    /// The end of the last paragraph or item.
    paragraph_end: usize,
}

/// A heading whose end is not read yet.
struct Open {
    heading: Heading,
    /// Where its attributes start in the source, and the id among them, as long as they may be attributes.
    attributes: Option<(usize, Option<String>)>,
    /// The length of the text before them, and the end of what is read of them.
    cut: Option<(usize, usize)>,
    html: String,
}

impl<'t> HeadingFinder<'t, '_> {
    fn event(&mut self, event: Event<'t>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Heading { id, .. }) if self.is_heading(&range) => {
                let heading = Heading { text: String::new(), own_id: id.map(|id| id.to_string()), has_text: false };
                let attributes = self.attributes_of(&range);
                self.open = Some(Open { heading, attributes, cut: None, html: String::new() });
            }
            Event::End(TagEnd::Heading(_)) => self.end(range),
            Event::End(TagEnd::Paragraph) => self.paragraph_end = range.end,
            Event::Start(Tag::Item) => {
                let column = self.content_column(range.start);
                self.items.push(column);
            }
            Event::End(TagEnd::Item) => {
                self.paragraph_end = range.end;
                self.items.pop();
            }
            Event::Start(tag) => self.start_inline(tag),
            Event::End(end) => self.end_inline(end, &range),
            Event::Text(text) => self.add(&text, &range, true),
            Event::Code(code) => self.add(&code, &range, false),
            Event::InlineHtml(html) => {
                let is_text = self.rule.text.html_alone && !html.starts_with("<!");
                if let Some(open) = self.open.as_mut().filter(|_| is_text) {
                    open.html.push_str(&html);
                }
                if self.rule.text.words && html.starts_with("<br") {
                    self.add(" ", &range, false);
                }
            }
            Event::FootnoteReference(_) if self.rule.text.footnotes => {
                let text = self.text;
                self.add(&text[range.clone()], &range, false);
            }
            Event::SoftBreak | Event::HardBreak => self.add("\n", &range, false),
            _ => {}
        }
    }

    fn start_inline(&mut self, tag: Tag<'t>) {
        self.images += usize::from(matches!(tag, Tag::Image { .. }));
        self.in_address |= matches!(tag, Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. });
        match tag {
            Tag::Image { link_type, id, .. } | Tag::Link { link_type, id, .. } if link_type == LinkType::Reference => {
                self.labels.push(if self.open.is_some() { id.to_string() } else { String::new() });
            }
            Tag::Image { .. } | Tag::Link { .. } => self.labels.push(String::new()),
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => {}
            _ => return,
        }
        if self.inlines == 0 {
            self.taken = None;
        }
        self.inlines += 1;
    }

    fn end_inline(&mut self, end: TagEnd, range: &Range<usize>) {
        match end {
            TagEnd::Image | TagEnd::Link => {
                self.in_address = false;
                let label = self.labels.pop().filter(|label| self.rule.text.labels && !label.is_empty());
                if let Some(label) = label {
                    self.add(&label, range, false);
                }
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {}
            _ => return,
        }
        self.images = self.images.saturating_sub(usize::from(end == TagEnd::Image));
        self.inlines = self.inlines.saturating_sub(1);
    }

    /// Returns the column at which the text of an item starts.
    fn content_column(&mut self, start: usize) -> usize {
        let item = &self.text[start..];
        let digits = item.bytes().take_while(u8::is_ascii_digit).count();
        let spaces = item[(digits + 1).min(item.len())..].bytes().take(5).take_while(|byte| *byte == b' ').count();
        let column = start - self.line_start(start);
        column + digits + 1 + if spaces > 4 { 1 } else { spaces.max(1) }
    }

    /// Returns the start of the line of a place. The one that was asked for last is known: a line may start many items.
    fn line_start(&mut self, at: usize) -> usize {
        let (start, known) = self.line;
        let from = if known <= at { known } else { 0 };
        let found = self.text[from..at].rfind('\n').map(|end| from + end + 1);
        self.line = (found.unwrap_or(if from > 0 { start } else { 0 }), at);
        self.line.0
    }

    fn is_heading(&mut self, range: &Range<usize>) -> bool {
        use Dialect::{CommonMark, Goldmark, Jekyll, Kramdown, Mdx, Pandoc, Python};
        let dialect = self.rule.dialect;
        if matches!(dialect, CommonMark | Goldmark | Mdx) {
            return true;
        }
        let line = self.line_start(range.start);
        let before = &self.text[line..range.start];
        let in_quote = before.contains('>');
        let after_blank = self.is_after_blank(line, before);
        let is_boundary = match dialect {
            Pandoc => after_blank || self.paragraph_end != line,
            Kramdown => {
                let lines = self.attributes.partition_point(|of| of.end < line);
                after_blank && !self.attributes.get(lines).is_some_and(|of| of.is_after && of.end == line)
            }
            _ => true,
        };
        let is_indented = !before.is_empty() && before.bytes().all(|byte| byte == b' ');
        let column = match (self.items.last(), dialect) {
            (None, _) => 0,
            (Some(_), Python) => before.len().min(4 * self.items.len()) / 4 * 4,
            (Some(column), _) => *column,
        };
        if self.text[range.start..].starts_with('#') {
            let in_item = before.len() == column && (dialect == Jekyll || after_blank);
            return is_boundary && (!is_indented || in_item);
        }
        // One line, and an underline at the start of the next.
        let mut lines = self.text[range.clone()].trim_end().split('\n');
        let (Some(_), Some(underline), None) = (lines.next(), lines.next(), lines.next()) else { return false };
        let indent = underline.bytes().take_while(|byte| *byte == b' ').count();
        let is_marked = !is_indented && !before.is_empty();
        let is_underline = indent == 0 || (indent == column && (dialect != Python || is_indented));
        is_underline
            && !(is_marked && !in_quote && dialect == Python)
            && is_boundary
            && (dialect != Jekyll || after_blank)
    }

    /// Reports whether a heading at the start of a line, or with `before` in it, is the first of its block.
    fn is_after_blank(&self, line: usize, before: &str) -> bool {
        let text = &self.text[..line];
        let is_first = line == 0 || before.contains(['-', '+', '*', '.', ')']);
        if is_first || text.ends_with("\n\n") || text.ends_with("\n\r\n") {
            return true;
        }
        let previous = text.trim_end_matches(['\n', '\r']);
        let previous = &previous[previous.rfind('\n').map_or(0, |end| end + 1)..];
        previous.trim_matches(|c: char| c.is_whitespace() || c == '>').is_empty()
            || (previous.trim() == "^" && self.rule.dialect != Dialect::Pandoc)
            || (before.contains('>') && !previous.trim_start().starts_with('>'))
    }

    /// Returns where the attributes of a heading start, and the id among them.
    fn attributes_of(&self, range: &Range<usize>) -> Option<(usize, Option<String>)> {
        let heading = self.text[range.clone()].trim_end();
        let is_atx = heading.starts_with('#');
        let heading = if is_atx { heading } else { heading.rsplit_once('\n').map_or(heading, |(text, _)| text) };
        let len = match self.rule.own_id {
            OwnId::MarkdownIt => heading.rfind(source_of(heading)).map_or(0, |at| at + source_of(heading).len()),
            // A space after the closing marks makes them text.
            OwnId::AttrList
                if is_atx && heading.ends_with('#') && self.text[range.start + heading.len()..].starts_with(' ') =>
            {
                return None;
            }
            OwnId::AttrList if is_atx => heading.trim_end_matches('#').trim_end().len(),
            _ => heading.len(),
        };
        let source = &heading[..len];
        let marks = source.len() - source.trim_start_matches('#').len();
        let space = source[marks..].len() - source[marks..].trim_start().len();
        let text = if self.rule.own_id == OwnId::AttrList { marks + space } else { marks };
        let (at, mut id) = attributes::at_end(&source[text..], self.rule.own_id)?;
        let at = range.start + text + at;
        if self.rule.own_id == OwnId::XmlName && text + space + range.start == at && space > 0 {
            return None;
        }
        // They are those of the code before them, or of the item.
        let is_other = match self.rule.own_id {
            OwnId::MarkdownIt => self.text[..at].ends_with('`') || !self.items.is_empty(),
            OwnId::Pandoc | OwnId::AttrList => self.text[..at].ends_with('`'),
            _ => false,
        };
        id = id.filter(|_| !is_other);
        Some((at, id))
    }

    fn add(&mut self, text: &str, range: &Range<usize>, is_plain: bool) {
        let Some(open) = &mut self.open else { return };
        let written = &self.text[range.clone()];
        let kind = self.rule.text;
        if kind.is_source || (self.images > 0 && !kind.descriptions) || (self.in_address && !kind.addresses) {
            return;
        }
        let heading = &mut open.heading;
        heading.has_text = true;
        let mut text = text;
        if self.rule.dialect == Dialect::Goldmark && self.inlines > 0 {
            // Of each inline, hugo takes the first text in it, as goldmark has it: up to a smart mark, a delimiter or another inline.
            let goes_on = self.taken.is_none_or(|end| {
                is_plain && self.text.get(end..range.start).is_some_and(|gap| matches!(gap, "" | "\\"))
            });
            let is_smart = is_plain && written != text && !written.starts_with('&');
            if !goes_on || (is_smart && self.taken.is_some()) {
                self.taken = Some(usize::MAX);
                return;
            }
            let end = text.find('_').filter(|_| is_plain);
            text = &text[..end.map_or(text.len(), |end| end + 1)];
            self.taken = Some(if end.is_none() && is_plain && !is_smart { range.end } else { usize::MAX });
        }
        if let Some((start, _)) = open.attributes {
            let is_read = match open.cut {
                Some((_, end)) => is_plain && range.start == end,
                None if range.end <= start => true,
                None => {
                    let is_escaped = range.start == start && self.text[..start].ends_with('\\');
                    is_plain && self.inlines == 0 && written == text && range.start <= start && !is_escaped
                }
            };
            if !is_read {
                (open.attributes, open.cut) = (None, None);
            } else if range.end > start {
                let len = open.cut.map_or_else(|| heading.text.len() + start - range.start, |(len, _)| len);
                open.cut = Some((len, range.end));
            }
        }
        let is_reference = is_plain && written.starts_with('&') && written.len() > 1;
        let is_number = written.starts_with("&#");
        match kind.references {
            References::Source if is_reference => heading.text.push_str(written),
            References::SourceOfNumbers if is_reference && is_number => heading.text.push_str(written),
            References::NoSpaces if is_reference && text != " " && text.trim().is_empty() => {}
            _ if kind.directives && is_plain => {
                let is_escaped = self.text[..range.start].ends_with('\\');
                push_without_directives(&mut heading.text, text, is_escaped, &self.text[range.end..]);
            }
            _ if kind.words && is_plain && open.cut.is_none() => push_words(&mut heading.text, text),
            _ => heading.text.push_str(text),
        }
    }

    fn end(&mut self, range: Range<usize>) {
        let Some(Open { mut heading, attributes, cut, html }) = self.open.take() else { return };
        let source = &self.text[range.clone()];
        if let (Some((_, id)), Some((len, _))) = (&attributes, cut) {
            heading.own_id.clone_from(id);
            let before = heading.text[..len].trim_end();
            let closed = before.trim_end_matches('#');
            let len = if closed.ends_with([' ', '\t']) || closed.is_empty() { closed.trim_end() } else { before }.len();
            heading.text.truncate(len);
            heading.has_text = len > 0;
        }
        if self.rule.text.is_source {
            heading.text = source_of(source).to_owned();
            heading.has_text = !heading.text.is_empty();
        } else if !self.rule.text.addresses {
            remove_addresses(&mut heading);
        }
        if self.rule.dialect == Dialect::Goldmark && !source.starts_with('#') {
            heading.text.drain(..heading.text.rfind('\n').map_or(0, |end| end + 1));
        }
        if self.rule.text.html_alone && !heading.has_text {
            heading.text = html;
        }
        heading.text.truncate(heading.text.trim_end_matches('\t').len());
        match self.rule.own_id {
            OwnId::Docusaurus => {
                let has_comments = self.rule.dialect == Dialect::Mdx;
                let found = attributes::docusaurus(&heading.text, source_of(source), has_comments);
                if let Some((len, id)) = found.map(|(len, id)| (len, id.to_owned())) {
                    heading.own_id = Some(id);
                    heading.text.truncate(len);
                }
            }
            // The id in it is no text, wherever the inlines end.
            OwnId::XmlName => heading.own_id = self.id_of_line(&range).or(attributes.and_then(|(_, id)| id)),
            _ => {}
        }
        if !self.rule.needs_text || !source_of(source).is_empty() {
            self.headings.push(heading);
        }
    }

    /// Returns the id in the lines of attributes before or after a heading.
    fn id_of_line(&mut self, range: &Range<usize>) -> Option<String> {
        let line = self.line_start(range.start);
        let after = self.attributes.partition_point(|of| of.start < range.end);
        let before = self.attributes.partition_point(|of| of.end < line);
        let of = |index: usize| self.attributes.get(index);
        let after = of(after).filter(|of| of.is_after && of.start == range.end).and_then(|of| of.id.clone());
        after.or_else(|| of(before).filter(|of| !of.is_after && of.end == line)?.id.clone())
    }
}

/// Returns the source of the text of a heading, without the marks of the heading.
fn source_of(heading: &str) -> &str {
    let heading = heading.trim();
    if heading.starts_with('#') {
        let text = heading.trim_start_matches('#').trim();
        let without = text.trim_end_matches('#');
        return if without.ends_with([' ', '\t']) || without.is_empty() { without.trim_end() } else { text };
    }
    heading.rsplit_once('\n').map_or(heading, |(text, _)| text.trim())
}

/// Appends a text with the first character of each of its white space.
fn push_words(words: &mut String, text: &str) {
    let mut after_space = false;
    for c in text.chars() {
        let is_space = matches!(c, ' ' | '\t' | '\n');
        if !is_space || !after_space {
            words.push(c);
        }
        after_space = is_space;
    }
}

/// Appends a text without the directives of remark in it: `:name`. `next` is what stands after it in the source.
fn push_without_directives(kept: &mut String, text: &str, is_escaped: bool, next: &str) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut rest = text;
    while let Some(at) = rest.find(':') {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        kept.push_str(before);
        let len = after.find(|c: char| !is_part(c)).unwrap_or(after.len());
        let (name, after_name) = after.split_at(len);
        let goes_on = if after_name.is_empty() { next } else { after_name }.starts_with(|c| c == ':' || is_part(c));
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.ends_with(['-', '_']) && !goes_on;
        if is_name && !kept.ends_with(':') && !(is_escaped && rest.len() == text.len() && at == 0) {
            rest = after_name;
        } else {
            kept.push(':');
            rest = after;
        }
    }
    kept.push_str(rest);
}

fn remove_addresses(heading: &mut Heading) {
    let mut finder = Addresses::default();
    let mut start = 0;
    let mut kept = String::new();
    while let Some(address) = finder.next(&heading.text, start..heading.text.len(), heading.text.len(), false) {
        kept.push_str(&heading.text[start..address.range.start]);
        start = address.range.end;
    }
    kept.push_str(&heading.text[start..]);
    heading.has_text &= !kept.is_empty();
    heading.text = kept;
}
