//! Renders a page, as far as it has links and texts, and keeps where its links stand.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::address::{Address, Addresses, Signs};
use super::destination::{after_text, decoded, decoded_address, of_definition};
use crate::html::{Delimiters, DestinationForm, SourceMap};

/// The extensions of GitHub that change where links are. The parser has none for bare addresses.
pub(super) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS);

/// The texts that the HTML has between links and raw HTML.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Texts {
    None,
    /// The texts of headings are wanted, also of raw ones; others may come, too.
    OfHeadings,
    All,
}

/// Appends the HTML of the Markdown that starts at `start` of a text to `html`.
pub(super) fn render(text: &str, start: usize, texts: Texts, html: &mut Vec<u8>, parts: &mut SourceMap) {
    let mut events = Parser::new_ext(&text[start..], OPTIONS).into_offset_iter();
    let is_label = |label: &str| label.chars().count() <= MAX_LABEL_LEN;
    let all = events.reference_definitions().iter().filter(|(label, _)| is_label(label)).map(|(_, found)| Definition {
        span: start + found.span.start..start + found.span.end,
        destination: (*found.dest).to_owned(),
        at: 0,
        has_image: false,
        has_link: false,
    });
    let mut definitions = all.collect::<Vec<_>>();
    definitions.sort_unstable_by_key(|definition| definition.span.start);
    let mut writer = HtmlWriter {
        text,
        texts,
        html,
        parts,
        open: Vec::new(),
        outer_image: None,
        in_code_block: false,
        in_heading: false,
        in_raw_heading: false,
        cell_end: None,
        run: start..start,
        block_end: text.len(),
        no_cdata_before: if memchr::memmem::find(text.as_bytes(), CDATA).is_some() { 0 } else { text.len() },
        address_end: 0,
        signs: Signs::default(),
        addresses: Addresses::default(),
        starts_line: true,
        footnotes: HashMap::new(),
        brackets: 0,
    };
    let mut next = 0;
    while let Some((event, range)) = events.next() {
        let range = start + range.start..start + range.end;
        while let Some(definition) = definitions.get_mut(next).filter(|next| next.span.start <= range.start) {
            writer.definition(definition);
            next += 1;
        }
        if let Event::Start(Tag::Link { link_type, id, .. } | Tag::Image { link_type, id, .. }) = &event {
            if matches!(link_type, LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut)
                && writer.outer_image.is_none()
            {
                let span = events.reference_definitions().get(id).map(|definition| start + definition.span.start);
                let used = span.and_then(|span| definitions.binary_search_by_key(&span, |known| known.span.start).ok());
                if let Some(used) = used {
                    let is_image = matches!(event, Event::Start(Tag::Image { .. }));
                    definitions[used].has_image |= is_image;
                    definitions[used].has_link |= !is_image;
                }
            }
        }
        writer.event(event, range);
    }
    writer.end_run();
    definitions[next..].iter_mut().for_each(|definition| writer.definition(definition));
    for Definition { at, .. } in definitions.iter().filter(|definition| definition.has_image && !definition.has_link) {
        writer.html[*at..*at + LINK.len()].copy_from_slice(IMAGE);
    }
}

/// The most characters of the label of a link (CommonMark §6.3).
const MAX_LABEL_LEN: usize = 999;

/// The start of a link, as long as that of an image: whether a definition is that of images alone shows only at the end.
const LINK: &[u8; 10] = b"<a  href=\"";
const IMAGE: &[u8; 10] = b"<img src=\"";

/// A definition: a link in its place, whether it is used or not.
struct Definition {
    span: Range<usize>,
    destination: String,
    /// The offset in the HTML.
    at: usize,
    has_image: bool,
    has_link: bool,
}

struct HtmlWriter<'t, 'r> {
    text: &'t str,
    texts: Texts,
    html: &'r mut Vec<u8>,
    parts: &'r mut SourceMap,
    /// The links and images around the current place, the innermost last.
    open: Vec<Open<'t>>,
    /// The number of the outermost image in `open`: in its description, all is text.
    outer_image: Option<usize>,
    in_code_block: bool,
    in_heading: bool,
    /// A heading of raw HTML is open: it ends at the next heading of Markdown at the latest.
    in_raw_heading: bool,
    /// The end of the cell of a table that is open.
    cell_end: Option<usize>,
    /// A part of the text that no markup interrupts, and that is not rendered yet.
    run: Range<usize>,
    /// The end of the innermost block that started last.
    block_end: usize,
    /// No CDATA section starts before it, unless it was found.
    no_cdata_before: usize,
    /// The end of the last bare address or CDATA section: no link starts before it.
    address_end: usize,
    signs: Signs,
    addresses: Addresses,
    /// No text of the line was read yet.
    starts_line: bool,
    /// The numbers of the footnotes that were referred to.
    footnotes: HashMap<CowStr<'t>, usize>,
    /// The number of open brackets in the current block that belong to no link: bare addresses after them are none.
    brackets: usize,
}

const CDATA: &[u8] = b"<![CDATA[";

/// Reports whether GitHub shows a tag as text (GFM §6.11).
fn is_filtered(tag: &str) -> bool {
    const NAMES: [&str; 9] =
        ["title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext"];
    let name = tag.trim_start_matches(['<', '/']);
    let len = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    NAMES.iter().any(|filtered| filtered.eq_ignore_ascii_case(&name[..len]))
}

/// A link or an image that is open.
struct Open<'t> {
    link_type: LinkType,
    destination: CowStr<'t>,
    is_image: bool,
    /// No other image is around it.
    is_outer_image: bool,
    is_rendered: bool,
    /// The HTML of its text or description.
    inner: Vec<u8>,
    /// The end of that in the page.
    inner_end: usize,
}

impl<'t> HtmlWriter<'t, '_> {
    fn event(&mut self, event: Event<'t>, range: Range<usize>) {
        if let Event::Text(text) = &event {
            if self.is_in_source(text, &range)
                && self.outer_image.is_none()
                && self.open.is_empty()
                && !self.in_code_block
            {
                // An escape belongs to the text: an address may have one.
                let after_escape = self.text[self.run.end..].starts_with('\\') && self.run.end + 1 == range.start;
                let goes_on = self.run.end == range.start || (after_escape && !self.run.is_empty());
                if !goes_on {
                    let starts_line = self.run.is_empty() && self.starts_line;
                    self.end_run();
                    self.run.start = range.start;
                    if starts_line {
                        self.addresses.line_start = range.start;
                    }
                }
                self.run.end = range.end;
                return;
            }
        }
        self.end_run();
        self.starts_line = matches!(event, Event::SoftBreak | Event::HardBreak);
        if let (Some(open), false) = (self.open.last_mut(), matches!(event, Event::End(TagEnd::Link | TagEnd::Image))) {
            open.inner_end = open.inner_end.max(range.end);
        }
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(TagEnd::Link | TagEnd::Image) => self.end_link(range.end),
            Event::End(TagEnd::Heading(level)) => {
                self.push(&[b'<', b'/', b'h', b'0' + level as u8, b'>']);
                self.in_heading = false;
            }
            Event::End(TagEnd::CodeBlock) => self.in_code_block = false,
            Event::End(TagEnd::TableCell) => self.cell_end = None,
            Event::Text(text) | Event::Code(text) => self.escaped(&text),
            Event::InlineHtml(html) if self.in_heading && self.texts != Texts::None && is_filtered(&html) => {
                self.escaped(&html)
            }
            Event::Html(html) | Event::InlineHtml(html)
                if self.outer_image.is_none() && range.start >= self.address_end =>
            {
                self.raw(&html, range);
            }
            Event::SoftBreak => self.escaped("\n"),
            Event::HardBreak => self.push(b"<br>"),
            Event::Rule => self.push(b"<hr>"),
            Event::FootnoteReference(label) if self.texts != Texts::None => {
                let next = self.footnotes.len() + 1;
                let number = *self.footnotes.entry(label).or_insert(next);
                self.push(number.to_string().as_bytes());
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'t>, range: Range<usize>) {
        if !matches!(tag, Tag::Link { .. } | Tag::Image { .. } | Tag::Emphasis | Tag::Strong | Tag::Strikethrough) {
            self.block_end = range.end;
        }
        match tag {
            Tag::Link { link_type, dest_url, .. } => self.start_link(link_type, dest_url, range, false),
            Tag::Image { link_type, dest_url, .. } => self.start_link(link_type, dest_url, range, true),
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => {}
            Tag::Heading { level, .. } => {
                (self.in_heading, self.in_raw_heading) = (true, false);
                self.block(&[b'<', b'h', b'0' + level as u8, b'>']);
            }
            Tag::CodeBlock(_) => {
                self.in_code_block = true;
                self.block(b"<p>");
            }
            Tag::TableCell => {
                self.cell_end = Some(range.end);
                self.block(b"<td>");
            }
            // A browser would see other things in it than in a paragraph.
            Tag::HtmlBlock => self.brackets = 0,
            _ => self.block(b"<p>"),
        }
    }

    /// Starts a block. Its tag also ends a tag that raw HTML before it has left open, as that of the rendered page does.
    fn block(&mut self, tag: &[u8]) {
        self.html.extend_from_slice(tag);
        (self.addresses, self.brackets, self.starts_line) = (Addresses::default(), 0, true);
    }

    /// The HTML of texts at the current place.
    fn texts(&mut self) -> &mut Vec<u8> {
        let innermost = self.outer_image.or(self.open.len().checked_sub(1));
        match innermost.and_then(|innermost| self.open.get_mut(innermost)) {
            Some(open) => &mut open.inner,
            None => self.html,
        }
    }

    fn push(&mut self, html: &[u8]) {
        if self.outer_image.is_none() && self.has_texts() {
            self.texts().extend_from_slice(html);
        }
    }

    fn escaped(&mut self, text: &str) {
        if self.has_texts() {
            escape_into(self.texts(), text);
        }
    }

    /// Does what [`escaped`](Self::escaped) does for a part of the source.
    fn source(&mut self, range: Range<usize>) {
        if self.has_texts() && !range.is_empty() {
            let text = self.text;
            escape_into(self.texts(), &decoded(&text[range]));
        }
    }

    /// Reports whether the texts at the current place are written.
    fn has_texts(&self) -> bool {
        match self.texts {
            Texts::None => false,
            Texts::OfHeadings => self.in_heading || self.in_raw_heading,
            Texts::All => true,
        }
    }

    fn is_in_source(&self, text: &str, range: &Range<usize>) -> bool {
        self.offset(text) == Some(range.start) && text.len() == range.len()
    }

    /// The offset in the source of a part that is borrowed from it.
    fn offset(&self, part: &str) -> Option<usize> {
        let offset = (part.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        (offset + part.len() <= self.text.len() && !part.is_empty()).then_some(offset)
    }

    /// Appends a value of an attribute with its quote.
    fn value(&mut self, prefix: &str, destination: &str, source: Option<Range<usize>>, delimiters: Delimiters) {
        let start = self.html.len();
        escape_into(self.html, prefix);
        escape_into(self.html, destination);
        let form = DestinationForm { delimiters, in_table: self.cell_end.is_some() };
        self.parts.push(start..self.html.len(), source, form);
        self.html.push(b'"');
    }

    /// Returns the place and the form of a destination that is borrowed from the source, as it has no escapes.
    fn borrowed(&self, destination: &str, delimiters: Delimiters) -> Option<(Range<usize>, Delimiters)> {
        let start = self.offset(destination)?;
        let is_in_angles = start > 0 && self.text.as_bytes()[start - 1] == b'<' && delimiters != Delimiters::Autolink;
        Some((start..start + destination.len(), if is_in_angles { Delimiters::Angle } else { delimiters }))
    }

    fn definition(&mut self, definition: &mut Definition) {
        self.end_run();
        let Definition { span, destination, .. } = &*definition;
        // It stands between blocks, never in a cell.
        let (source, delimiters) = match of_definition(self.text, span.clone(), destination) {
            Some((source, delimiters)) => (Some(source), delimiters),
            None => (None, Delimiters::Definition),
        };
        definition.at = self.html.len();
        self.html.extend_from_slice(LINK);
        self.value("", &definition.destination, source, delimiters);
        self.html.extend_from_slice(b"></a>");
    }

    fn start_link(&mut self, link_type: LinkType, destination: CowStr<'t>, range: Range<usize>, is_image: bool) {
        let is_reference = matches!(link_type, LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut);
        let is_rendered = self.outer_image.is_none() && !is_reference && range.start >= self.address_end;
        let is_outer_image = is_image && self.outer_image.is_none();
        if is_outer_image {
            self.outer_image = Some(self.open.len());
        }
        let (inner, inner_end) = (Vec::new(), range.start);
        self.open.push(Open { link_type, destination, is_image, is_outer_image, is_rendered, inner, inner_end });
    }

    /// Renders a link or an image after what is in it, whose destinations stand before its own: so the HTML has the order of the page.
    fn end_link(&mut self, end: usize) {
        let Some(open) = self.open.pop() else { return };
        if open.is_outer_image {
            self.outer_image = None;
        }
        if let Some(around) = self.open.last_mut() {
            around.inner_end = around.inner_end.max(end);
        }
        let Open { link_type, destination, is_image, is_outer_image, is_rendered, inner, inner_end } = open;
        // In a link, the description of an image is the text of that link, and stands with it.
        let has_own_text = is_rendered && self.open.is_empty() && self.has_texts();
        if is_rendered {
            let (prefix, delimiters) = match link_type {
                LinkType::Autolink => ("", Delimiters::Autolink),
                LinkType::Email => ("mailto:", Delimiters::Autolink),
                _ => ("", Delimiters::Inline),
            };
            let found = self.borrowed(&destination, delimiters);
            let found = found.or_else(|| after_text(self.text, inner_end, end, &destination));
            let (source, delimiters) =
                found.map_or((None, delimiters), |(source, delimiters)| (Some(source), delimiters));
            self.html.extend_from_slice(if is_image { b"<img src=\"" } else { b"<a href=\"" });
            let is_address = delimiters == Delimiters::Autolink;
            let address = if is_address { self.in_cell(&destination) } else { Cow::Borrowed(&*destination) };
            let address = if is_address { Cow::Owned(decoded_address(&address)) } else { address };
            self.value(prefix, &address, source, delimiters);
            if is_outer_image && has_own_text {
                self.html.extend_from_slice(&[b" alt=\"", &*inner, b"\""].concat());
            }
            self.html.push(b'>');
        }
        if is_outer_image && !has_own_text && self.has_texts() {
            let description = [b"<img alt=\"", &*inner, b"\">"].concat();
            self.push(&description);
        } else if !is_image {
            self.push(&inner);
        }
        if is_rendered && !is_image {
            self.html.extend_from_slice(b"</a>");
        }
    }

    /// Renders the run of text before other markup.
    fn end_run(&mut self) {
        if self.run.is_empty() {
            return;
        }
        let mut run = self.run.clone();
        self.run.start = run.end;
        while let Some(cdata) = self.cdata(run.clone()) {
            self.render_run(run.start..cdata.start);
            self.address_end = cdata.end;
            run.start = cdata.end.min(run.end);
        }
        self.render_run(run);
    }

    /// Returns the first CDATA section that starts in a run: raw HTML (CommonMark §6.6), whose brackets the parser takes for those of links.
    fn cdata(&mut self, run: Range<usize>) -> Option<Range<usize>> {
        let from = run.start.max(self.no_cdata_before);
        let bytes = self.text.as_bytes();
        let mut starts = memchr::memchr_iter(b'<', bytes.get(from..run.end)?).map(|at| from + at);
        let start = starts.find(|start| bytes[*start..].starts_with(CDATA))?;
        if start > 0 && bytes[start - 1] == b'\\' {
            self.no_cdata_before = start + 1;
            return None;
        }
        let Some(len) = memchr::memmem::find(bytes.get(start..self.block_end)?, b"]]>") else {
            self.no_cdata_before = self.block_end;
            return None;
        };
        self.no_cdata_before = start + len;
        Some(start..start + len + "]]>".len())
    }

    /// Renders a run of text and the bare addresses in it.
    fn render_run(&mut self, run: Range<usize>) {
        let text = self.text;
        let mut at = run.start.max(self.address_end);
        let sign = self.signs.next(text, at);
        if sign >= run.end {
            // Brackets count for the addresses after them. The end of a block around others is not known.
            if sign < self.block_end || self.block_end <= at {
                memchr::memchr2_iter(b'[', b']', &text.as_bytes()[at.min(run.end)..run.end])
                    .for_each(|bracket| self.count_bracket(at + bracket));
            }
            return self.source(at.min(run.end)..run.end);
        }
        let end = self.cell_end.unwrap_or(text.len());
        let next_bracket =
            |from: usize| memchr::memchr2(b'[', b']', &text.as_bytes()[from..run.end]).map(|len| from + len);
        let mut bracket = next_bracket(at);
        while at < run.end {
            // Sought once, however many addresses are before it.
            if bracket.is_some_and(|bracket| bracket < at) {
                bracket = next_bracket(at);
            }
            let until = bracket.unwrap_or(run.end);
            match self.addresses.next(text, at..until, end, self.brackets > 0) {
                Some(address) => {
                    self.source(at..address.range.start);
                    at = address.range.end;
                    self.address_end = at;
                    self.address(address);
                }
                None => {
                    let after = (until + 1).min(run.end);
                    self.source(at..after);
                    bracket.into_iter().for_each(|bracket| self.count_bracket(bracket));
                    at = after;
                }
            }
        }
    }

    /// Counts the bracket at `at`, unless it is escaped.
    fn count_bracket(&mut self, at: usize) {
        match self.text.as_bytes()[at] {
            _ if at > 0 && self.text.as_bytes()[at - 1] == b'\\' => {}
            b'[' => self.brackets += 1,
            _ => self.brackets = self.brackets.saturating_sub(1),
        }
    }

    fn address(&mut self, Address { range, prefix, is_mail }: Address) {
        let written = &self.text[range.clone()];
        let address = if is_mail { decoded(written) } else { self.in_cell(written) };
        self.html.extend_from_slice(b"<a href=\"");
        self.value(prefix, &address, Some(range), Delimiters::Bare);
        self.html.push(b'>');
        self.escaped(&address);
        self.html.extend_from_slice(b"</a>");
    }

    /// Returns a text of a cell as inlines are read from it: a `|` needs a `\` before it there (GFM §4.10).
    fn in_cell<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.cell_end.is_some() && text.contains('|') {
            true => Cow::Owned(text.replace("\\|", "|")),
            false => Cow::Borrowed(text),
        }
    }

    /// Copies raw HTML of a cell without the escapes of `|`.
    fn raw_in_cell(&mut self, html: &str, mut source: usize) {
        let mut rest = html;
        loop {
            let len = rest.find("\\|").unwrap_or(rest.len());
            let at = self.html.len();
            self.html.extend_from_slice(&rest.as_bytes()[..len]);
            self.parts.push_copy(at..self.html.len(), source, true);
            let Some(after) = rest.get(len + 1..) else { return };
            (rest, source) = (after, source + len + 1);
        }
    }

    /// Copies raw HTML. In quotes and lists, what starts its lines is left out: each line is a part.
    fn raw(&mut self, html: &str, range: Range<usize>) {
        self.in_raw_heading |= self.texts == Texts::OfHeadings && has_heading(html);
        let mut from = range.start;
        let is_source = self.is_in_source(html, &range);
        if is_source && self.cell_end.is_some() {
            return self.raw_in_cell(html, from);
        }
        let lines = if is_source { html.len() } else { 0 };
        let (whole, rest) = html.split_at(lines);
        for line in std::iter::once(whole).chain(rest.split_inclusive('\n')).filter(|line| !line.is_empty()) {
            let at = self.html.len();
            self.html.extend_from_slice(line.as_bytes());
            let rest = self.text.get(from..range.end.max(from));
            let source = rest.and_then(|text| if text.starts_with(line) { Some(0) } else { text.find(line) });
            let Some(offset) = source else {
                // Nothing after it is sought, so that time is linear.
                from = range.end;
                continue;
            };
            from += offset + line.len();
            self.parts.push_copy(at..self.html.len(), from - line.len(), false);
        }
    }
}

/// Reports whether a part of raw HTML may have the start tag of a heading.
fn has_heading(html: &str) -> bool {
    let is_heading = |at: usize| matches!(html.as_bytes()[at + 1..], [b'h' | b'H', b'1'..=b'6', ..]);
    memchr::memchr_iter(b'<', html.as_bytes()).any(is_heading)
}

/// Appends a text as the value of an attribute in double quotes has it.
fn escape_into(html: &mut Vec<u8>, text: &str) {
    let (bytes, mut from) = (text.as_bytes(), 0);
    for at in memchr::memchr3_iter(b'&', b'<', b'"', bytes) {
        html.extend_from_slice(&bytes[from..at]);
        html.extend_from_slice(match bytes[at] {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            _ => b"&quot;",
        });
        from = at + 1;
    }
    html.extend_from_slice(&bytes[from..]);
}
