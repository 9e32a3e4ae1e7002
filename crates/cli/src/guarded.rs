//! Style sheets whose bytes are others than those that an `integrity` was made of, after a repair or a move.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use relref::whatwg::Base;
use relref_links::check::Site;
use relref_links::page::FileKind;
use relref_links::rewrite::{Content, LeftReason, Mapping, Mode, Rewriter};

use crate::output::{Output, counted, shown};
use crate::quoting::path_name;

/// Tells which page has an `integrity` of a style sheet that changed. `rewrite` leaves it out; here, it stays for the author, who can make it
/// again. The paths are those of `site`.
pub fn note(site: &Site, changed: impl IntoIterator<Item = PathBuf>, out: &mut Output) {
    // Of two names of a file, one may start with `./`.
    let plain = |path: PathBuf| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
    let sheets = changed.into_iter().filter(|path| FileKind::of(path) == FileKind::Css).map(plain);
    let sheets: HashSet<PathBuf> = sheets.collect();
    if sheets.is_empty() {
        return;
    }
    let Ok(pages) = site.page_files() else { return };
    let (sheet_pages, pages): (Vec<_>, Vec<_>) = pages.partition(|(path, _)| sheets.contains(&plain(path.clone())));
    let uris: HashSet<String> = sheet_pages.into_iter().map(|(_, uri)| uri).collect();
    let mapping = Mapping::new(Mode::Absolute).leave(|_| Some(LeftReason::Ignored));
    let without_query = |uri: &str| uri.split(['?', '#']).next().unwrap_or_default().to_owned();
    let mut rewriter = Rewriter::from(mapping.drop_integrity(move |uri| uris.contains(&without_query(uri))));
    for (path, uri) in pages {
        // A page that cannot be read was told before.
        let _ = read(&mut rewriter, &path, &uri);
        if rewriter.totals.integrity > 0 {
            let sheets = counted(sheets.len() as u64, "changed style sheet");
            let page = shown(&path_name(&path));
            return out.note(format_args!("{sheets}: renew the integrity attributes of links to them, as in {page}"));
        }
    }
}

fn read(rewriter: &mut Rewriter<'static, Mapping>, path: &Path, uri: &str) -> io::Result<()> {
    if FileKind::of(path) == FileKind::Css {
        return Ok(());
    }
    let mut file = File::open(path)?;
    let content = Content::of_file(&mut file, path, uri, false)?;
    if !matches!(content, Content::Html | Content::Xml) {
        return Ok(());
    }
    rewriter.file(content, file, None, &Base::new(uri).map_err(io::Error::other)?, io::sink())
}
