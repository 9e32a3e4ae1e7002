//! The headings of a page as a renderer finds them in the Markdown.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, LinkType, Parser, Tag, TagEnd};

use super::address::Addresses;
use super::render::OPTIONS;
use crate::renderer::{OwnId, References, Rule};

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
    let text = &*if rule.needs_no_space { Cow::Owned(with_spaces(text)) } else { Cow::Borrowed(text) };
    let mut finder = HeadingFinder {
        text,
        rule,
        headings: Vec::new(),
        open: None,
        images: 0,
        in_address: false,
        html_depth: 0,
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
    headings: Vec<Heading>,
    open: Option<Heading>,
    /// The number of images around the current place.
    images: usize,
    in_address: bool,
    /// The number of raw elements that are open.
    html_depth: usize,
    /// The end of the last paragraph.
    paragraph_end: usize,
}

impl<'t> HeadingFinder<'t, '_> {
    fn event(&mut self, event: Event<'t>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Heading { level, id, .. }) if self.is_heading(level, &range) => {
                self.open = Some(Heading { text: String::new(), own_id: id.map(|id| id.to_string()), has_text: false });
            }
            Event::End(TagEnd::Heading(_)) => self.end(range),
            Event::End(TagEnd::Paragraph) => self.paragraph_end = range.end,
            Event::Html(html) if self.rule.skips_html => self.count_html(&html),
            Event::Start(Tag::Image { .. }) => self.images += 1,
            Event::End(TagEnd::Image) => self.images = self.images.saturating_sub(1),
            Event::Start(Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. }) => self.in_address = true,
            Event::End(TagEnd::Link) => self.in_address = false,
            Event::Text(text) => self.add(&text, &range, true),
            Event::Code(code) => self.add(&code, &range, false),
            Event::InlineHtml(html) if self.rule.text.words && html.starts_with("<br") => self.add(" ", &range, false),
            Event::SoftBreak | Event::HardBreak => self.add("\n", &range, false),
            _ => {}
        }
    }

    fn is_heading(&self, _level: HeadingLevel, range: &Range<usize>) -> bool {
        if self.html_depth > 0 {
            return false;
        }
        if !self.rule.is_strict || !self.text[range.start..].starts_with('#') {
            return true;
        }
        let line = self.text[..range.start].rfind('\n').map_or(0, |end| end + 1);
        let before = &self.text[line..range.start];
        let is_indented = !before.is_empty() && before.bytes().all(|byte| byte == b' ');
        let is_text = is_indented || (self.rule.needs_blank_line && self.paragraph_end == line);
        !is_text
    }

    fn add(&mut self, text: &str, range: &Range<usize>, is_plain: bool) {
        let Some(heading) = &mut self.open else { return };
        let written = &self.text[range.clone()];
        let kind = self.rule.text;
        if kind.is_source || (self.images > 0 && !kind.descriptions) || (self.in_address && !kind.addresses) {
            return;
        }
        heading.has_text = true;
        let is_reference = is_plain && written.starts_with('&') && written.len() > 1;
        let is_number = written.starts_with("&#");
        match kind.references {
            References::Source if is_reference => heading.text.push_str(written),
            References::SourceOfNumbers if is_reference && is_number => heading.text.push_str(written),
            _ if kind.words => push_words(&mut heading.text, text),
            _ => heading.text.push_str(text),
        }
    }

    fn end(&mut self, range: Range<usize>) {
        let Some(mut heading) = self.open.take() else { return };
        if self.rule.text.is_source {
            heading.text = source_of(&self.text[range.clone()]).to_owned();
            heading.has_text = !heading.text.is_empty();
        } else if !self.rule.text.addresses {
            remove_addresses(&mut heading);
        }
        heading.text.truncate(heading.text.trim_end_matches('\t').len());
        if let Some((len, id)) = own_id(&heading.text, self.rule.own_id) {
            heading.own_id = id.map(str::to_owned);
            heading.text.truncate(len);
        }
        if !self.rule.needs_text || !source_of(&self.text[range]).is_empty() {
            self.headings.push(heading);
        }
    }

    /// Counts the tags of raw HTML that are open, as far as blocks are concerned.
    fn count_html(&mut self, html: &str) {
        for (at, _) in html.match_indices('<') {
            let rest = &html[at + 1..];
            let (is_end, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
            let name_len = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            if !BLOCKS.iter().any(|block| block.eq_ignore_ascii_case(&rest[..name_len])) {
                continue;
            }
            self.html_depth = if is_end { self.html_depth.saturating_sub(1) } else { self.html_depth + 1 };
        }
    }
}

/// Elements between whose tags kramdown and Python-Markdown read no Markdown.
const BLOCKS: [&str; 9] = ["div", "details", "table", "section", "article", "center", "blockquote", "ul", "ol"];

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

/// Returns a page in which a space follows the marks of headings, as the parser needs it.
fn with_spaces(page: &str) -> String {
    let (mut spaced, mut fence) = (String::with_capacity(page.len() + 64), None);
    for line in page.split_inclusive('\n') {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        if mark.is_some() && (fence.is_none() || fence == mark) {
            fence = if fence.is_some() { None } else { mark };
        }
        let marks = line.bytes().take(6).take_while(|byte| *byte == b'#').count();
        let is_heading = marks > 0 && fence.is_none() && !line[marks..].trim_end().is_empty();
        spaced.push_str(&line[..if is_heading { marks } else { 0 }]);
        if is_heading && !line[marks..].starts_with([' ', '\t']) {
            spaced.push(' ');
        }
        spaced.push_str(&line[if is_heading { marks } else { 0 }..]);
    }
    spaced
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

/// Returns the length of the text before the attributes that a heading gives itself, and the id among them.
fn own_id(text: &str, kind: OwnId) -> Option<(usize, Option<&str>)> {
    let inner = text.trim_end().strip_suffix('}')?;
    let open = inner.rfind('{')?;
    let (before, inner) = (&inner[..open], &inner[open + 1..]);
    if inner.contains('}') || before.ends_with('{') {
        return None;
    }
    let has_space = before.ends_with([' ', '\t']);
    let id = match kind {
        OwnId::None | OwnId::Parsed => None,
        OwnId::Letter => inner.strip_prefix('#').filter(|id| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '-');
            has_space && id.starts_with(|c: char| c.is_ascii_alphabetic()) && id.chars().all(is_part)
        }),
        OwnId::Any => inner.strip_prefix('#').filter(|_| !before.is_empty()),
        OwnId::SpacedAttributes if !has_space => None,
        OwnId::Attributes | OwnId::SpacedAttributes => {
            let mut attributes = inner.trim_start_matches(':').split_ascii_whitespace();
            return Some((before.trim_end().len(), attributes.find_map(|attribute| attribute.strip_prefix('#'))));
        }
    };
    id.filter(|id| !id.is_empty()).map(|id| (before.trim_end().len(), Some(id)))
}
