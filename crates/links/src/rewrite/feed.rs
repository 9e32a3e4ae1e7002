//! Sitemaps and feeds with other references.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::mem;
use std::ops::Range;
use std::rc::Rc;

use encoding_rs::{Encoding, UTF_8};

use super::choose::Choose;
use super::rewriter::Rewriter;
use super::session::{EachEdit, Edit, Session};
use super::splicer::{Kept, Splices};
use super::totals::LeftReason;
use super::written::Target;
use crate::feeds::{FeedPart, FeedReader, Form, START_LEN};
use crate::html::{LinkReceiver, PageBase, PageFacts, Transcoder, page_offset, xml_charset};
use crate::utf8_reader::read_some;

/// The most bytes of UTF-8 that are kept. A text that is longer with its elements is not kept, and its references are left.
const MAX_KEPT: u64 = 2 << 20;
/// The number of bytes of UTF-8 that are written at once.
const WRITTEN_LEN: u64 = 1 << 16;
const CHUNK_LEN: usize = 16 << 10;

impl<C: Choose> Rewriter<'_, C> {
    /// Writes a sitemap or feed that is read to its end, with other references, to `out`: RSS, Atom, and the HTML in them. Memory
    /// does not grow with it. `charset` is as [`each_feed_link`](crate::feeds::each_feed_link) takes it, and `base` is the feed's own
    /// URI. An `xml:base` is like a `base` element; a `guid` that is no permanent link stays.
    ///
    /// # Errors
    /// Those of `feed` and `out`. [`InvalidData`](io::ErrorKind::InvalidData), after all is written, where
    /// [`each_feed_link`](crate::feeds::each_feed_link) has an error about the XML: the references there are as before.
    ///
    /// ```
    /// use relref::whatwg::Base;
    /// use relref_links::rewrite::{Mapping, Mode, Rewriter};
    ///
    /// let feed = "<rss><channel><link>/a?b&amp;c</link><description>&lt;img src=d.png&gt;</description></channel></rss>";
    /// let mut new = Vec::new();
    /// Rewriter::new(Mapping::new(Mode::Absolute)).feed_from(feed.as_bytes(), None, &Base::new("http://h/x/")?, &mut new)?;
    /// let expected = "<rss><channel><link>http://h/a?b&amp;c</link>\
    ///     <description>&lt;img src=http://h/x/d.png&gt;</description></channel></rss>";
    /// assert_eq!(String::from_utf8(new)?, expected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn feed_from<'b>(
        &mut self,
        mut feed: impl Read,
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
        mut out: impl Write,
    ) -> io::Result<()> {
        self.dyn_feed(&mut feed, charset, base.into(), &mut out)
    }

    /// Compiled once for all inputs.
    fn dyn_feed(
        &mut self,
        feed: &mut dyn Read,
        charset: Option<&'static Encoding>,
        base: PageBase<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let input = Input::new(feed, charset)?;
        let charset = input.charset;
        let input = Rc::new(RefCell::new(input));
        let mut reader = FeedReader::new(InputText(Rc::clone(&input)), Some(UTF_8))?;
        reader.keep_places();
        let (pages, mut session) = self.session();
        let mut each_edit = session.each_edit.take();
        session.part = Some(Vec::new());
        let session = RefCell::new(session);
        let (mut edits, mut written, mut done) = (Vec::new(), 0, Ok(()));
        let find = |links: &mut LinkReceiver<'_>| {
            done = loop {
                let read = reader.read_event(&mut |part| {
                    session.borrow_mut().is_xml = part.is_xhtml();
                    let wants_more = part.add_to(links);
                    take_edits(&mut session.borrow_mut(), &part, charset, &mut edits);
                    wants_more
                });
                let mut input = input.borrow_mut();
                if !matches!(read, Ok(true)) {
                    break input.failure.take().map_or(Ok(()), Err).and_then(|()| {
                        input.write_to(u64::MAX, &mut edits, each_edit.as_deref_mut(), out)?;
                        // After an error, it is not read to its end.
                        io::copy(&mut input.feed, out)?;
                        read.map(|_| ()).map_err(|error| io::Error::new(ErrorKind::InvalidData, error.to_string()))
                    });
                }
                let end = reader.read_len(MAX_KEPT);
                if end >= written + WRITTEN_LEN {
                    written = end;
                    if let Err(error) = input.write_to(end, &mut edits, each_edit.as_deref_mut(), out) {
                        break Err(error);
                    }
                }
            };
        };
        let facts = PageFacts { charset: Some(charset), ..PageFacts::default() };
        pages.find_links(facts, base, find, &mut &session)?;
        done
    }
}

/// The text that replaces a part of the feed, whose offsets are in bytes of UTF-8.
struct FeedEdit {
    range: Range<u64>,
    text: String,
}

/// Takes the new texts of a part.
fn take_edits<C: Choose>(
    session: &mut Session<'_, '_, C>,
    part: &FeedPart<'_>,
    charset: &'static Encoding,
    edits: &mut Vec<FeedEdit>,
) {
    session.finish_value();
    for new in session.part.as_mut().map(mem::take).unwrap_or_default() {
        let range = new.range.start as usize..new.range.end as usize;
        let place = part.place.as_ref().and_then(|place| place.range(range));
        match place.and_then(|(range, form)| Some(FeedEdit { range, text: in_xml(new.text(), form, charset)? })) {
            Some(edit) => edits.push(edit),
            None => {
                session.totals.rewritten -= 1;
                session.totals.add_left(LeftReason::Unwritable, 1);
            }
        }
    }
}

/// `None` for what cannot be written there.
fn in_xml(text: &str, form: Form, charset: &'static Encoding) -> Option<String> {
    let target = Target { charset, is_xml: true };
    // Together with what is around it, a bracket could end the section.
    let ends_section = || text.contains("]]>") || text.starts_with(['>', ']']) || text.ends_with(']');
    let quote = match form {
        // Quotes around a value that had none. In a malformed tag, they would end another value.
        Form::Markup if text.starts_with(['"', '\'']) => return None,
        Form::Markup => return Some(text.replace('"', "&quot;").replace('\'', "&#39;").replace('>', "&gt;")),
        Form::Cdata => {
            let is_written = |c: char| target.has(c) && (!c.is_control() || matches!(c, '\t' | '\n'));
            return (text.chars().all(is_written) && !ends_section()).then(|| text.into());
        }
        Form::Text => None,
        Form::Attribute(None) => {
            let is_free = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$()*+,;%".contains(&byte);
            return (!text.is_empty() && text.bytes().all(is_free) && !text.ends_with('/')).then(|| text.into());
        }
        Form::Attribute(quote) => quote.map(char::from),
    };
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // In a malformed tag, the other quote could be open, too.
            '"' if quote.is_some() => out.push_str("&quot;"),
            '\t' | '\n' if quote.is_none() => out.push(c),
            '\'' if quote.is_some() => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", u32::from(c))),
            // No character of XML.
            '\0'..='\x1F' | '\u{FFFE}' | '\u{FFFF}' => return None,
            c if target.has(c) => out.push(c),
            c => out.push_str(&format!("&#{};", u32::from(c))),
        }
    }
    Some(out)
}

/// The feed while it is read.
struct Input<R> {
    feed: R,
    charset: &'static Encoding,
    kept: Kept,
    transcoder: Transcoder,
    /// Offsets in the text, and those of the same places in the feed.
    points: VecDeque<(u64, u64)>,
    /// The part of the text that is not read yet.
    text: Vec<u8>,
    text_at: usize,
    is_done: bool,
    /// The reader of XML returns another error.
    failure: Option<io::Error>,
}

impl<R: Read> Input<R> {
    fn new(mut feed: R, charset: Option<&'static Encoding>) -> io::Result<Self> {
        let mut kept = Kept::default();
        feed.by_ref().take(START_LEN).read_to_end(&mut kept.bytes)?;
        let (charset, bom_len) = xml_charset(&kept.bytes, charset);
        let (mut transcoder, mut points) = (Transcoder::new(charset), [(0, bom_len as u64)].into());
        let mut text = Vec::new();
        transcoder.decode(&kept.bytes[bom_len..], false, &mut text, Some(&mut points));
        let (text_at, is_done, failure) = (0, false, None);
        Ok(Input { feed, charset, kept, transcoder, points, text, text_at, is_done, failure })
    }

    fn read_text(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.text_at == self.text.len() && !self.is_done {
            let start = self.kept.bytes.len();
            self.kept.bytes.resize(start + CHUNK_LEN, 0);
            let read = read_some(&mut self.feed, &mut self.kept.bytes[start..]);
            self.kept.bytes.truncate(start + *read.as_ref().unwrap_or(&0));
            self.is_done = read? == 0;
            (self.text_at, self.text) = (0, mem::take(&mut self.text));
            self.text.clear();
            self.transcoder.decode(&self.kept.bytes[start..], self.is_done, &mut self.text, Some(&mut self.points));
        }
        let len = (&self.text[self.text_at..]).read(out)?;
        self.text_at += len;
        Ok(len)
    }

    /// Writes the feed up to the offset `end` in its text.
    fn write_to(
        &mut self,
        end: u64,
        edits: &mut Vec<FeedEdit>,
        mut each_edit: Option<&mut EachEdit<'_>>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        // The text of an element comes after the attributes of those inside of it.
        edits.sort_by_key(|edit| edit.range.start);
        let count = edits.partition_point(|edit| edit.range.end <= end);
        let Input { charset, kept, points, .. } = self;
        let mut splices = Splices::default();
        for FeedEdit { range, text } in edits.drain(..count) {
            let range = page_offset(points, range.start)..page_offset(points, range.end);
            if let Some(each) = &mut each_edit {
                let old = &kept.bytes[(range.start - kept.at) as usize..(range.end - kept.at) as usize];
                let old = charset.decode_without_bom_handling(old).0;
                each(Edit { start: range.start, end: range.end, old: &old, new: &text });
            }
            splices.push(range, &text, charset);
        }
        let page_end = if end == u64::MAX { end } else { page_offset(points, end) };
        kept.write_to(page_end, splices, out)?;
        let before = points.partition_point(|(known, _)| *known <= end);
        points.drain(..before.saturating_sub(1));
        Ok(())
    }
}

struct InputText<R>(Rc<RefCell<Input<R>>>);

impl<R: Read> Read for InputText<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut input = self.0.borrow_mut();
        input.read_text(out).map_err(|error| {
            let shown = io::Error::new(error.kind(), error.to_string());
            input.failure = Some(error);
            shown
        })
    }
}
