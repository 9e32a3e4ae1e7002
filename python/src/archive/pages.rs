//! The pages of an archive, each with its bytes in memory or in a temporary file, and the problems between them.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, Write};

use relref::archive::sniff::{self, holds_record};
use relref::archive::{Body, Capture, Content, Records};

use relref::feeds::{is_feed, is_robots};
use relref::html::is_link_field;

use super::Damage;

/// The most bytes of a page that stay in memory.
const IN_MEMORY: u64 = 8 << 20;

/// The limits of what is read.
#[derive(Clone, Copy)]
pub struct Limits {
    /// The most bytes of a page.
    pub max_page: u64,
    /// The most bytes of a URI.
    pub max_uri: usize,
}

/// A page, its codings removed.
pub struct StoredPage {
    pub offset: u64,
    pub uri: String,
    pub charset: Option<String>,
    /// The names and values of the HTTP fields that may have links.
    pub fields: Vec<(String, Vec<u8>)>,
    pub kind: Kind,
    pub bytes: Stored,
    pub len: u64,
    /// True if it is known to be cut, so that the end of a feed may be missing.
    pub is_truncated: bool,
}

/// The kind of the bytes of a capture.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Html,
    /// A sitemap, RSS or Atom.
    Feed,
    Robots,
    /// Their start must show it.
    Unknown,
    /// Nothing with links: only the fields have some.
    Nothing,
}

impl Kind {
    /// Tells the kind by the head of a capture.
    fn of<R: Read>(capture: &Capture<'_, R>) -> Self {
        let media_type = capture.media_type.as_str();
        match capture.is_html() {
            Some(true) => Kind::Html,
            None => Kind::Unknown,
            Some(false) if capture.record.kind == "revisit" => Kind::Nothing,
            Some(false) if media_type.ends_with("xml") || is_gzip(media_type) => Kind::Unknown,
            Some(false) if media_type == "text/plain" && is_robots(&capture.record.target_uri) => Kind::Robots,
            Some(false) => Kind::Nothing,
        }
    }

    /// Tells the kind by the first bytes.
    fn sniff(start: &[u8], uri: &str) -> Self {
        match () {
            // First, as a comment before the root looks like HTML.
            () if is_feed(start) => Kind::Feed,
            () if sniff::is_html(start) => Kind::Html,
            () if is_robots(uri) => Kind::Robots,
            () => Kind::Nothing,
        }
    }
}

fn is_gzip(media_type: &str) -> bool {
    matches!(media_type, "application/gzip" | "application/x-gzip")
}

/// The bytes of a page.
pub enum Stored {
    Memory(Vec<u8>),
    File(File),
}

/// The numbers of captures that are no pages.
#[derive(Default)]
pub struct Skipped {
    /// Those of other media types.
    pub other_types: u64,
    /// Those without a media type whose start is not HTML.
    pub not_pages: u64,
}

/// Reads the next page of an archive, and adds the problems found on the way; returns `None` at the end.
///
/// A page whose record turns out to be damaged is left out if the bytes may not be the page's.
pub fn next_page<R: Read>(
    records: &mut Records<R>,
    limits: Limits,
    problems: &mut Vec<Damage>,
    skipped: &mut Skipped,
) -> Option<StoredPage> {
    loop {
        let (raw, head_damage) = match records.next_capture()? {
            Ok(mut page) => {
                let kind = Kind::of(&page);
                if kind == Kind::Nothing {
                    skipped.other_types += 1;
                    if !page.fields.iter().any(|(name, _)| is_link_field(name)) {
                        continue;
                    }
                }
                (RawPage::read(&mut page, kind, limits), page.head_damage)
            }
            Err(damage) => {
                problems.push((Some(damage.offset), damage.reason.to_string()));
                continue;
            }
        };
        let end = records.finish();
        let raw = match end.as_ref().map_err(|damage| damage.content) {
            Ok(()) | Err(Content::Whole) => raw.map(Some),
            Err(Content::Partial) => Ok(raw.ok().and_then(RawPage::cut)),
            Err(Content::Wrong) => Ok(None),
        };
        let mut found = None;
        match raw {
            Err(problem) => problems.push(problem),
            Ok(Some(raw)) => {
                let offset = raw.offset;
                match raw.decode(limits, problems, skipped) {
                    Ok(page) => found = page,
                    Err(why) => problems.push((Some(offset), why)),
                }
                if let Some(why) = head_damage {
                    problems.push((Some(offset), why.to_owned()));
                }
            }
            Ok(None) => {}
        }
        if let Err(damage) = end {
            problems.push((Some(damage.offset), damage.reason.to_string()));
        }
        if found.is_some() {
            return found;
        }
    }
}

/// A page as it was sent.
struct RawPage {
    offset: u64,
    uri: String,
    charset: Option<String>,
    codings: Vec<String>,
    fields: Vec<(String, Vec<u8>)>,
    kind: Kind,
    is_truncated: bool,
    bytes: Stored,
}

impl RawPage {
    /// Reads the bytes of a page, its codings still on.
    fn read<R: Read>(page: &mut Capture<'_, R>, kind: Kind, limits: Limits) -> Result<Self, Damage> {
        // With codings, a page may be longer than without, but not by much.
        let max = limits.max_page;
        let most = if page.codings.is_empty() { max } else { max.saturating_mul(2).saturating_add(64 << 10) };
        let offset = page.record.offset;
        let fields = page.fields.iter().filter(|(name, _)| is_link_field(name));
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut codings = std::mem::take(&mut page.codings);
        let bytes = if kind == Kind::Nothing {
            codings.clear();
            Stored::Memory(Vec::new())
        } else {
            if is_gzip(&page.media_type) {
                // A file that is gzipped itself, as sitemaps may be.
                codings.insert(0, String::from("gzip"));
            }
            let stored = store(page.raw(), most).map_err(|error| (Some(offset), error.to_string()))?;
            stored.ok_or_else(|| (Some(offset), exceeded(max)))?.0
        };
        Ok(RawPage {
            offset,
            uri: std::mem::take(&mut page.record.target_uri),
            charset: page.charset.take(),
            codings,
            fields,
            kind,
            is_truncated: page.record.truncated,
            bytes,
        })
    }

    /// Returns the page of a record that is cut; `None` if the next record is in it, as then its length was wrong.
    fn cut(mut self) -> Option<Self> {
        let holds_record = match &mut self.bytes {
            Stored::Memory(bytes) => holds_record(&**bytes),
            Stored::File(file) => holds_record(&*file).and_then(|found| file.rewind().map(|()| found)),
        };
        self.is_truncated = true;
        if holds_record.unwrap_or(true) { None } else { Some(self) }
    }

    /// Removes the codings; returns `None` if it is no page after all. Adds the damage of a body that is read up to there.
    fn decode(
        self,
        limits: Limits,
        problems: &mut Vec<Damage>,
        skipped: &mut Skipped,
    ) -> Result<Option<StoredPage>, String> {
        let RawPage { offset, uri, charset, codings, fields, mut kind, mut is_truncated, bytes } = self;
        let (mut bytes, len) = if codings.is_empty() {
            let len = match &bytes {
                Stored::Memory(bytes) => bytes.len() as u64,
                Stored::File(file) => file.metadata().map_err(|error| error.to_string())?.len(),
            };
            (bytes, len)
        } else {
            let (coded, len): (Box<dyn Read>, u64) = match bytes {
                Stored::Memory(bytes) => {
                    let len = bytes.len() as u64;
                    (Box::new(Cursor::new(bytes)), len)
                }
                Stored::File(file) => {
                    let len = file.metadata().map_err(|error| error.to_string())?.len();
                    (Box::new(file), len)
                }
            };
            let body = Body::new(coded, len, &codings).map_err(|error| error.to_string())?;
            let mut body = UndamagedPart { body: body.truncated(is_truncated), is_started: false, damage: None };
            let stored = store(&mut body, limits.max_page).map_err(|error| error.to_string())?;
            if let Some(damage) = body.damage {
                is_truncated = true;
                problems.push((Some(offset), damage));
            }
            stored.ok_or_else(|| exceeded(limits.max_page))?
        };
        if kind == Kind::Unknown {
            kind = Kind::sniff(&bytes.start().map_err(|error| error.to_string())?, &uri);
            if kind == Kind::Nothing {
                skipped.not_pages += 1;
                if fields.is_empty() {
                    return Ok(None);
                }
            }
        }
        if uri.len() > limits.max_uri {
            return Err(format!("its URI has more than {} bytes (max_uri)", limits.max_uri));
        }
        Ok(Some(StoredPage { offset, uri, charset, fields, kind, bytes, len, is_truncated }))
    }
}

impl Stored {
    /// Returns the first bytes, enough to recognize a page.
    fn start(&mut self) -> io::Result<Vec<u8>> {
        match self {
            Stored::Memory(bytes) => Ok(bytes[..bytes.len().min(sniff::LEN)].to_vec()),
            Stored::File(file) => {
                let mut start = Vec::new();
                Read::by_ref(file).take(sniff::LEN as u64).read_to_end(&mut start)?;
                file.rewind()?;
                Ok(start)
            }
        }
    }
}

/// Reads all bytes, and counts them; returns `None` if there are more than `max`.
fn store(mut from: impl Read, max: u64) -> io::Result<Option<(Stored, u64)>> {
    let mut buffer = Vec::new();
    from.by_ref().take(IN_MEMORY.min(max) + 1).read_to_end(&mut buffer)?;
    let mut len = buffer.len() as u64;
    if len > max {
        return Ok(None);
    }
    if len <= IN_MEMORY {
        return Ok(Some((Stored::Memory(buffer), len)));
    }
    let mut file = tempfile::tempfile()?;
    file.write_all(&buffer)?;
    loop {
        buffer.clear();
        from.by_ref().take(1 << 16).read_to_end(&mut buffer)?;
        len += buffer.len() as u64;
        if len > max {
            return Ok(None);
        }
        if buffer.is_empty() {
            file.rewind()?;
            return Ok(Some((Stored::File(file), len)));
        }
        file.write_all(&buffer)?;
    }
}

fn exceeded(max: u64) -> String {
    format!("the page has more than {max} bytes (max_page)")
}

/// A body that ends before its damage, if some bytes are there.
struct UndamagedPart<'b> {
    body: Body<'b>,
    is_started: bool,
    /// The damage at the end.
    damage: Option<String>,
}

impl Read for UndamagedPart<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.damage.is_some() {
            return Ok(0);
        }
        match self.body.read(into) {
            Ok(read) => {
                self.is_started |= read > 0;
                Ok(read)
            }
            Err(error) if error.raw_os_error().is_some() => Err(error),
            Err(error) => {
                let damage = format!("its body is damaged: {error}");
                if !self.is_started {
                    return Err(io::Error::new(error.kind(), damage));
                }
                self.damage = Some(damage);
                Ok(0)
            }
        }
    }
}
