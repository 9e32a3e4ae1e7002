//! Sitemaps and feeds with other references.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::mem;
use std::ops::Range;
use std::rc::Rc;

use encoding_rs::{Encoding, UTF_8};

use super::choose::Choose;
use super::rewriter::Rewriter;
use super::session::{EachEdit, NewTexts, Session};
use super::splicer::Splicer;
use super::totals::LeftReason;
use super::value::NewText;
use super::written::Target;
use crate::feeds::{FeedPart, FeedReader, Form, START_LEN};
use crate::html::{LinkReceiver, PageBase, PageFacts, Transcoder, page_offset, xml_charset};
use crate::utf8_reader::read_some;

/// The most bytes of UTF-8 that are kept. A text that is longer with its elements is not kept, and its references are left.
const MAX_KEPT: u64 = 2 << 20;
/// The number of bytes of UTF-8 that are written at once.
const WRITTEN_LEN: u64 = 1 << 16;
const CHUNK_LEN: usize = 16 << 10;
/// The most bytes of new texts that wait until they are written. Others are left.
const MAX_WAITING: usize = 4 << 20;

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
    /// Rewriter::from(Mapping::new(Mode::Absolute)).feed_from(feed.as_bytes(), None, &Base::new("http://h/x/")?, &mut new)?;
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
        let input = Input::new(feed, charset, out, self.each_edit.as_mut())?;
        let charset = input.charset;
        let input = Rc::new(RefCell::new(input));
        let mut reader = FeedReader::new(InputText(Rc::clone(&input)), Some(UTF_8))?;
        reader.keep_places();
        let remaining = self.pages.options.max_total;
        let session = Session::new(&mut self.choose, &mut self.totals, PartTexts::default(), remaining);
        let session = RefCell::new(session);
        let (mut edits, mut written, mut done) = (Edits::default(), 0, Ok(()));
        let find = |links: &mut LinkReceiver<'_>| {
            done = loop {
                let read = reader.read_event(&mut |part| {
                    session.borrow_mut().is_xml = part.is_xhtml();
                    let wants_more = part.add_to(links);
                    edits.add_part(&mut session.borrow_mut(), &part, charset);
                    wants_more
                });
                session.borrow_mut().needs_absolute = reader.is_absolute;
                let mut input = input.borrow_mut();
                if !matches!(read, Ok(true)) {
                    break input.failure.take().map_or(Ok(()), Err).and_then(|()| {
                        input.write_to(u64::MAX, &mut edits)?;
                        // After an error, it is not read to its end.
                        let Input { feed, kept, .. } = &mut *input;
                        io::copy(feed, &mut kept.out)?;
                        read.map(|_| ()).map_err(|error| io::Error::new(ErrorKind::InvalidData, error.to_string()))
                    });
                }
                let end = reader.read_len(MAX_KEPT);
                if end >= written + WRITTEN_LEN {
                    written = end;
                    if let Err(error) = input.write_to(end, &mut edits) {
                        break Err(error);
                    }
                }
            };
        };
        let facts = PageFacts { charset: Some(charset), ..PageFacts::default() };
        self.pages.find_links(facts, base, find, &mut &session)?;
        done
    }
}

/// The new texts of one part of a feed.
#[derive(Default)]
struct PartTexts {
    list: Vec<NewText<'static>>,
    len: usize,
}

impl NewTexts for PartTexts {
    fn add(&mut self, new: NewText<'_>, _: &'static Encoding) -> bool {
        self.len += size_of::<NewText<'_>>() + new.reference.len() + new.text().len();
        let has_room = self.len <= MAX_WAITING;
        if has_room {
            self.list.push(new.into_owned());
        }
        has_room
    }

    fn has_failed(&self) -> bool {
        false
    }
}

/// The texts that will replace parts of the feed, until it is written.
#[derive(Default)]
struct Edits {
    list: Vec<FeedEdit>,
    len: usize,
}

/// The text that replaces a part of the feed, whose offsets are in bytes of UTF-8.
struct FeedEdit {
    range: Range<u64>,
    text: String,
}

impl FeedEdit {
    fn len(&self) -> usize {
        size_of::<Self>() + self.text.len()
    }
}

impl Edits {
    /// Takes the new texts of a part.
    fn add_part<C: Choose>(
        &mut self,
        session: &mut Session<'_, C, PartTexts>,
        part: &FeedPart<'_>,
        charset: &'static Encoding,
    ) {
        session.finish_value();
        for new in mem::take(&mut session.texts).list {
            let range = new.place.start as usize..new.place.end as usize;
            let place = part.place.as_ref().and_then(|place| place.range(range));
            let edit =
                place.and_then(|(range, form)| Some(FeedEdit { range, text: in_xml(new.text(), form, charset)? }));
            let why = match edit {
                Some(edit) if self.len + edit.len() <= MAX_WAITING => {
                    self.len += edit.len();
                    self.list.push(edit);
                    continue;
                }
                Some(_) => LeftReason::TooLong,
                None => LeftReason::Unwritable,
            };
            session.totals.rewritten -= 1;
            session.totals.add_left(why, 1);
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
struct Input<'i, 'e> {
    feed: &'i mut dyn Read,
    charset: &'static Encoding,
    kept: Splicer<'i, 'e, &'i mut dyn Write>,
    chunk: Vec<u8>,
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

impl<'i, 'e> Input<'i, 'e> {
    fn new(
        feed: &'i mut dyn Read,
        charset: Option<&'static Encoding>,
        out: &'i mut dyn Write,
        each_edit: Option<&'i mut EachEdit<'e>>,
    ) -> io::Result<Self> {
        let mut start = Vec::new();
        feed.take(START_LEN).read_to_end(&mut start)?;
        let (charset, bom_len) = xml_charset(&start, charset);
        let (mut transcoder, mut points) = (Transcoder::new(charset), [(0, bom_len as u64)].into());
        let mut text = Vec::new();
        transcoder.decode(&start[bom_len..], false, &mut text, Some(&mut points));
        let (kept, chunk) = (Splicer::new(Cow::Owned(start), out, each_edit), Vec::new());
        let (text_at, is_done, failure) = (0, false, None);
        Ok(Input { feed, charset, kept, chunk, transcoder, points, text, text_at, is_done, failure })
    }

    fn read_text(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.text_at == self.text.len() && !self.is_done {
            self.chunk.resize(CHUNK_LEN, 0);
            let len = read_some(&mut self.feed, &mut self.chunk)?;
            self.kept.push(&self.chunk[..len]);
            (self.text_at, self.is_done) = (0, len == 0);
            self.text.clear();
            self.transcoder.decode(&self.chunk[..len], self.is_done, &mut self.text, Some(&mut self.points));
        }
        let len = (&self.text[self.text_at..]).read(out)?;
        self.text_at += len;
        Ok(len)
    }

    /// Writes the feed up to the offset `end` in its text.
    fn write_to(&mut self, end: u64, edits: &mut Edits) -> io::Result<()> {
        // The text of an element comes after the attributes of those inside of it.
        edits.list.sort_by_key(|edit| edit.range.start);
        let count = edits.list.partition_point(|edit| edit.range.end <= end);
        let Input { charset, kept, points, .. } = self;
        for edit in edits.list.drain(..count) {
            edits.len -= edit.len();
            let range = page_offset(points, edit.range.start)..page_offset(points, edit.range.end);
            kept.replace(range, None, &edit.text, charset);
        }
        kept.write_to(if end == u64::MAX { end } else { page_offset(points, end) })?;
        let before = points.partition_point(|(known, _)| *known <= end);
        points.drain(..before.saturating_sub(1));
        Ok(())
    }
}

struct InputText<'i, 'e>(Rc<RefCell<Input<'i, 'e>>>);

impl Read for InputText<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut input = self.0.borrow_mut();
        input.read_text(out).map_err(|error| {
            let shown = io::Error::new(error.kind(), error.to_string());
            input.failure = Some(error);
            shown
        })
    }
}
