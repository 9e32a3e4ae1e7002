//! The captures of web archives, as the files of a copy that can be read where it is.

use std::fs::{self, File};
use std::io::{self, BufWriter, Cursor, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

use encoding_rs::Encoding;
use relref::whatwg;
use relref_links::archive::sniff::{is_svg, read_start};
use relref_links::archive::{Capture, ContentRead, ReadSeek, Records, UndamagedPart, each_archive};
use relref_links::files::HeldFolder;
use relref_links::html;
use relref_links::page::{PageBytes, PageKind, Store};
use relref_links::rewrite::{Content, Mapping, Mode, Rewriter};

use super::charset_mark::CharsetMark;
use super::site_names::{INDEX, Nameless, SiteNames};
use super::{Counts, Rewriting};
use crate::args::Rewrite;
use crate::base::new_base;
use crate::file_uri::folder_of;
use crate::file_uri::uri_path;
use crate::output::shown;
use crate::quoting::escaped_html;

/// The most bytes of the body of a capture without its codings: a short one may decode to much.
const MAX_DECODED: u64 = 1 << 30;

/// Reads the archives for the names of their captures.
pub fn site_names(args: &Rewrite, counts: &mut Counts) -> SiteNames {
    // A real capture takes more bytes, also compressed.
    let len: u64 = args.paths.iter().filter_map(|path| fs::metadata(path).ok()).map(|metadata| metadata.len()).sum();
    let room = 4096 + len / 64;
    let (mut names, mut index) = (SiteNames::new(args.windows_names || cfg!(windows), room), 0);
    for path in &args.paths {
        // The second reading reports problems.
        let _ = visit(path, |records| {
            if let Ok(records) = records {
                add_names(records, &mut names, &mut index, counts);
            }
            Ok(())
        });
    }
    names
}

type Archive<'a> = Records<Box<dyn ReadSeek + 'a>>;

/// Calls `each` with the archive, or each archive of a WACZ file, and with errors of reading. Ends at an error that `each` returns.
fn visit(path: &Path, mut each: impl FnMut(io::Result<Archive<'_>>) -> io::Result<()>) -> io::Result<()> {
    let mut read = || {
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file: an archive is read twice"));
        }
        each_archive(path, |_, records| each(records).map_or_else(ControlFlow::Break, ControlFlow::Continue))
    };
    match read() {
        Ok(ControlFlow::Continue(())) => Ok(()),
        Ok(ControlFlow::Break(error)) => Err(error),
        Err(error) => each(Err(error)),
    }
}

/// `next` is the index of the next capture.
fn add_names(mut records: Archive<'_>, names: &mut SiteNames, next: &mut u64, counts: &mut Counts) {
    while let Some(capture) = records.next_capture() {
        let index = *next;
        *next += 1;
        let Ok(mut capture) = capture else { continue };
        let uri = capture.record.target_uri.clone();
        match role(&capture) {
            Role::File => {
                // A record that cannot be read is reported later.
                let (kind, start, has_links) = opened(&mut capture).map_or_else(
                    |_| (PageKind::None, Vec::new(), false),
                    |(kind, start, rest)| {
                        let has_links = kind == PageKind::Css && has_links(&uri, Cursor::new(&start).chain(rest));
                        (kind, start, has_links)
                    },
                );
                let is_part = capture.status == Some(206);
                let ending = match kind {
                    PageKind::Html => ".html",
                    PageKind::Xml if !is_svg(&start) => ".xhtml",
                    PageKind::Css => ".css",
                    _ => "",
                };
                match names.add(index, &uri, ending, is_part) {
                    Ok(()) if has_links => names.add_links(index, &uri),
                    Ok(()) => {}
                    Err(Nameless::NoHost) => counts.nameless += 1,
                    Err(Nameless::NoRoom) => counts.without_room += 1,
                }
            }
            Role::Redirect(target) => {
                counts.redirects += 1;
                names.add_redirect(&uri, &target);
            }
            Role::Error => counts.errors += 1,
            Role::Other => {}
        }
    }
}

/// Reports whether a style sheet has links to hosts.
fn has_links(uri: &str, sheet: impl Read) -> bool {
    let Ok(base) = whatwg::Base::new(uri) else { return false };
    let mut rewriter = Rewriter::from(Mapping::new(Mode::Absolute));
    // A sheet that cannot be read has no links.
    let _ = rewriter.css_from(sheet.take(MAX_DECODED), None, &base, io::sink());
    rewriter.totals.rewritten + rewriter.totals.kept > 0
}

enum Role {
    File,
    /// To an absolute URI.
    Redirect(String),
    Error,
    /// Metadata, and visits that found the same as before.
    Other,
}

fn role<R>(capture: &Capture<'_, R>) -> Role {
    let uri = &capture.record.target_uri;
    match (&*capture.record.kind, capture.status) {
        ("metadata", _) => Role::Other,
        (_, Some(300..=399)) => {
            let location = capture.fields.get("location").map(String::from_utf8_lossy);
            let target = location.and_then(|location| whatwg::resolve(uri, location).ok());
            target.map_or(Role::Other, Role::Redirect)
        }
        (_, Some(..=199 | 400..)) => Role::Error,
        ("revisit", _) => {
            // Its body is there.
            let other = capture.record.field("WARC-Refers-To-Target-URI").map(|uri| uri.trim_matches(['<', '>']));
            other.filter(|other| other != uri).map_or(Role::Other, |other| Role::Redirect(other.to_owned()))
        }
        _ => Role::File,
    }
}

/// The body comes after its first bytes.
fn opened<'c>(
    capture: &'c mut Capture<'_, Box<dyn ReadSeek + '_>>,
) -> io::Result<(PageKind, Vec<u8>, UndamagedPart<'c>)> {
    let kind = PageKind::of_head(&capture.record.kind, &capture.media_type, &capture.record.target_uri);
    let uri = capture.record.target_uri.clone();
    let mut body = UndamagedPart::new(capture.body()?);
    let mut start = Vec::new();
    read_start(&mut body, &mut start)?;
    Ok((kind.of_start(&start, &uri), start, body))
}

/// Writes the captures that count as files of a new folder.
pub fn write_captures(rewriting: &mut Rewriting<'_, '_>, names: &SiteNames) -> io::Result<()> {
    let args = rewriting.args;
    let folder = args.output.as_deref().unwrap_or(Path::new("."));
    let made = new_folder(folder).and_then(|held| Ok((PageList::new(&held)?, held)));
    let (list, held) = match made {
        Ok(made) => made,
        Err(error) => return rewriting.failed(folder, error),
    };
    let mut writing = Writing { rewriting, names, folder: held, list, path: Path::new(""), index: 0 };
    for path in &args.paths {
        writing.path = path;
        visit(path, |records| match records {
            Ok(records) => writing.records(records),
            Err(error) => writing.unread(error),
        })?;
    }
    let done = writing.list.finish();
    let left_out = writing.rewriting.counts.without_room;
    if left_out > 0 {
        let why = format!("{left_out} captures are left out: too many files and folders for an archive of its size");
        writing.rewriting.failed(folder, io::Error::other(why))?;
    }
    done.or_else(|error| writing.rewriting.failed(folder, error))
}

/// In what is there already, a symbolic link could lead out of the folder.
fn new_folder(folder: &Path) -> io::Result<HeldFolder> {
    fs::create_dir_all(folder)?;
    let folder = HeldFolder::open(folder)?;
    if folder.names()?.is_empty() {
        return Ok(folder);
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "the folder for the captures must be new or empty"))
}

struct Writing<'w, 'a, 'o> {
    rewriting: &'w mut Rewriting<'a, 'o>,
    names: &'w SiteNames,
    folder: HeldFolder,
    list: PageList,
    /// The archive.
    path: &'a Path,
    /// The index of the next capture.
    index: u64,
}

impl Writing<'_, '_, '_> {
    fn records(&mut self, mut records: Archive<'_>) -> io::Result<()> {
        while let Some(capture) = records.next_capture() {
            let index = self.index;
            self.index += 1;
            let mut capture = match capture {
                Ok(capture) => capture,
                Err(damage) => {
                    self.unread(io::Error::other(damage))?;
                    continue;
                }
            };
            if !matches!(role(&capture), Role::File) {
                continue;
            }
            let uri = capture.record.target_uri.clone();
            let Some(name) = self.names.name_of(index, &uri) else { continue };
            let done = self.write(&mut capture, &name);
            let end = records.finish();
            if end.as_ref().is_err_and(|damage| damage.content == ContentRead::Wrong) {
                // It is another's.
                let _ = self.folder.around(Path::new(&name)).and_then(|(folder, name)| folder.remove_file(name));
            }
            for error in [done.err(), end.err().map(io::Error::other)].into_iter().flatten() {
                let error = io::Error::new(error.kind(), format!("{}: {error}", shown(&uri)));
                self.unread(error)?;
            }
        }
        Ok(())
    }

    fn unread(&mut self, error: io::Error) -> io::Result<()> {
        self.rewriting.failed(self.path, error)
    }

    fn write(&mut self, capture: &mut Capture<'_, Box<dyn ReadSeek + '_>>, name: &str) -> io::Result<()> {
        let (Rewriting { args, rewriter, counts, .. }, folder) = (&mut *self.rewriting, &self.folder);
        let uri = capture.record.target_uri.clone();
        let charset = capture.charset.as_deref().and_then(|label| Encoding::for_label(label.as_bytes()));
        let is_coded = !capture.codings.is_empty();
        let (kind, start, mut rest) = opened(capture)?;
        let is_svg = is_svg(&start);
        let mut body = Cursor::new(start).chain(&mut rest);
        let create = || {
            let file = Path::new(name);
            let folder = folder.make_below(folder_of(file))?;
            // Not one that has this name already where case makes no difference.
            let file = folder.create_new(file.file_name().unwrap_or_default())?;
            Ok::<_, io::Error>(BufWriter::with_capacity(1 << 16, file))
        };
        let content = match kind {
            PageKind::Html => Some(Content::Html),
            PageKind::Xml => Some(Content::Xml),
            PageKind::Css => Some(Content::Css),
            PageKind::Feed => Some(Content::Feed),
            _ => None,
        };
        let mut done = Ok(());
        if let Some(content) = content {
            let mut store = Store { max_page: MAX_DECODED, limit_name: "the limit", ..Store::default() };
            let mut page = store.store(body)?;
            let base = new_base(&uri, args.rules, false).map_err(io::Error::other)?;
            let before = rewriter.totals.edits();
            rewriter.choose.set_page(&uri_path(Path::new(name)));
            // Most encodings read US-ASCII alike. HTML is marked nevertheless: its encoding is also that of what its scripts load.
            let is_ascii = matches!(&page, PageBytes::Memory(page) if kind != PageKind::Html && page.is_ascii());
            let start = page.start()?;
            let declared = html::declared_charset(&start).filter(|_| kind == PageKind::Html);
            // Before a byte order mark, which counts more than HTTP, nothing may stand.
            let has_mark = Encoding::for_bom(&start).is_some();
            let is_lost = |charset: &&'static Encoding| {
                !has_mark && declared != Some(*charset) && !(is_ascii && charset.is_ascii_compatible())
            };
            let lost_charset = charset.filter(is_lost);
            drop(start);
            let mut out = CharsetMark::new(create()?, lost_charset, kind);
            done = match page {
                PageBytes::Memory(page) => rewriter.file(content, Cursor::new(page), charset, &base, &mut out),
                PageBytes::File(page) => rewriter.file(content, page, charset, &base, &mut out),
            };
            counts.charsets += u64::from(out.finish()?);
            counts.pages += 1;
            counts.changed += u64::from(rewriter.totals.edits() > before);
            if kind == PageKind::Html || kind == PageKind::Xml && !is_svg {
                self.list.add(name, &uri)?;
            }
        } else {
            let mut out = create()?;
            let most = if is_coded { MAX_DECODED } else { u64::MAX };
            if io::copy(&mut body.by_ref().take(most), &mut out)? == most && body.read(&mut [0])? > 0 {
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes")));
            }
            out.flush()?;
            counts.copied += 1;
        }
        done?;
        rest.into_damage().map_or(Ok(()), |damage| Err(io::Error::new(io::ErrorKind::InvalidData, damage)))
    }
}

/// The page that lists the pages of a copy, and needs nothing else. Written while they are.
struct PageList(BufWriter<File>);

const LIST_START: &str = "<!DOCTYPE html>
<meta charset=utf-8>
<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">
<meta name=viewport content=\"width=device-width\">
<title>Pages</title>
<style>body{font:1em/1.5 sans-serif;margin:2em auto;max-width:60em;padding:0 1em}li{overflow-wrap:anywhere}</style>
<h1>Pages</h1>
<ul>
";

impl PageList {
    fn new(folder: &HeldFolder) -> io::Result<Self> {
        let mut out = BufWriter::new(folder.create_new(INDEX.as_ref())?);
        out.write_all(LIST_START.as_bytes())?;
        Ok(PageList(out))
    }

    /// `name` is the path from the folder.
    fn add(&mut self, name: &str, uri: &str) -> io::Result<()> {
        // Without `./`, the name of a host with a port would start with a scheme.
        writeln!(
            self.0,
            "<li><a href=\"./{}\">{}</a>",
            escaped_html(&uri_path(Path::new(name))),
            escaped_html(&shown(uri))
        )
    }

    fn finish(mut self) -> io::Result<()> {
        self.0.write_all(b"</ul>\n")?;
        self.0.flush()
    }
}
