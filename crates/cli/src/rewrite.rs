//! `relref rewrite`: puts other references into files.

mod archive;
mod charset_mark;
mod mirror;
mod site_names;

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use relref::{AnyBase, UriRef, whatwg};
use relref_links::archive::ReadSeek;
use relref_links::check::FolderRenderers;
use relref_links::files::{
    EntryKind, HeldFolder, Patterns, Unreadable, Walk, WalkEntry, is_new_file, remove_new_files,
};
use relref_links::html::Options;
use relref_links::rewrite::{ChangedSheets, Content, LeftReason, Mapping, Rewriter, Totals};

use self::mirror::{Mirror, mirrored_uri};
use self::site_names::SiteNames;
use crate::args::Rewrite;
use crate::base::new_base;
use crate::edits::{Preview, Sink};
use crate::file_uri::{folder_of, uri_path};
use crate::links::input::{SAVE_FIRST, path_below, uri_below, with_advice};
use crate::normalize::normalizer;
use crate::output::{Output, counted, shown};
use crate::quoting::file_name;
use crate::symlinks::{real_path, symlink_target};

/// The most bytes of standard input that are held in memory. Longer input is in a temporary file.
const IN_MEMORY: usize = 8 << 20;

pub fn run(args: &Rewrite, out: &mut Output) -> io::Result<()> {
    if let Some(Err(why)) = args.base.as_ref().map(|base| new_base(base, args.rules, false)) {
        out.problem(format_args!("--base {}", shown(args.base())), why);
        return Ok(());
    }
    if let Some(why) = args.output.as_deref().and_then(|output| unfit_output(args, output)) {
        out.problem(
            format_args!("--output {}", shown(&file_name(args.output.as_deref().unwrap_or(Path::new(""))))),
            why,
        );
        return Ok(());
    }
    if let Some(why) = wrong_hosts(args) {
        if args.hosts {
            out.problem("--hosts", why);
            return Ok(());
        }
        out.note(why);
    }
    let excluded = match Patterns::new(&args.exclude) {
        Ok(excluded) => excluded,
        Err(why) => {
            out.problem("--exclude", why);
            return Ok(());
        }
    };
    let mut counts = Counts::default();
    let names = args.reads_archives().then(|| Arc::new(archive::site_names(args, &mut counts)));
    let options = Options { lazy: args.lazy, ..Options::default() };
    let is_copy = args.mirror && names.is_none();
    let mirror = is_copy.then(|| Arc::new(Mirror::new(args.root(), args.base(), &args.index, args.hosts)));
    let mapping = || mapping(args, names.as_ref(), mirror.as_ref());
    let sheets = names.is_none().then(|| Arc::new(sheets(args, excluded.clone(), mirror.clone(), mapping())));
    let mapping = match (names.clone(), sheets.clone()) {
        (Some(names), _) => mapping().drop_integrity(move |uri| names.changes(uri)),
        (None, Some(sheets)) => mapping().drop_integrity(move |uri| sheets.changes(uri)),
        (None, None) => mapping(),
    };
    let mut rewriter = Rewriter::from(mapping).options(options);
    let preview = Preview::new(args.dry_run, args.diff);
    if let Some(preview) = &preview {
        rewriter = preview.watch(rewriter);
    }
    let (renderers, written) = (None, HashSet::new());
    let mut rewriting = Rewriting { args, excluded, rewriter, sheets, preview, counts, renderers, written, out };
    match names {
        Some(names) => archive::write_captures(&mut rewriting, &names)?,
        None => args.paths.iter().try_for_each(|path| rewriting.input(path))?,
    }
    rewriting.totals()
}

/// The arguments were checked.
fn mapping(args: &Rewrite, names: Option<&Arc<SiteNames>>, mirror: Option<&Arc<Mirror>>) -> Mapping {
    let mapping =
        Mapping::new(args.mode()).keep_fragments(args.keep_fragments).normalize(args.normalize.map(normalizer));
    let mapping = args.mapped(mapping).expect("the pairs were checked");
    let (ignore, template) = (args.ignore.clone(), args.template.clone());
    let mapping = mapping.leave(move |link| match () {
        () if template.iter().any(|regex| regex.is_match(link.reference)) => Some(LeftReason::Template),
        () if ignore.iter().any(|regex| regex.is_match(link.uri)) => Some(LeftReason::Ignored),
        () => None,
    });
    if let Some(names) = names.cloned() {
        return mapping.mirror(move |uri| {
            let (name, fragment) = names.find(uri)?;
            let hash = if fragment.is_some() { "#" } else { "" };
            Some([&uri_path(Path::new(&name)), hash, fragment.unwrap_or_default()].concat())
        });
    }
    let Some(mirror) = mirror.cloned() else { return mapping };
    let names = Arc::clone(&mirror);
    let mapping = mapping.mirror(move |uri| mirror.find(uri));
    if args.hosts { mapping.mirrored_hosts(move |path| names.has(path)) } else { mapping }
}

/// Finds the style sheets that change, by the mapping that pages have.
fn sheets(args: &Rewrite, excluded: Patterns, mirror: Option<Arc<Mirror>>, mapping: Mapping) -> ChangedSheets {
    // Where several folders have one URI, it is not known which file is meant.
    let is_clear = args.root_folder.is_some() || args.paths.len() == 1;
    let sheets = ChangedSheets::new(args.root(), args.base(), args.rules, mapping).excluded(excluded);
    let sheets = sheets.only(if is_clear { args.paths.clone() } else { Vec::new() });
    let has_all = args.no_ignore || args.output.is_some();
    let sheets = if has_all { sheets } else { sheets.without_ignored() };
    match mirror {
        Some(mirror) => sheets.find(move |uri| mirror.find(uri)),
        None => sheets,
    }
}

/// A copy must not be made in what it is a copy of.
fn unfit_output(args: &Rewrite, output: &Path) -> Option<&'static str> {
    let Some(output) = real_path(output) else { return Some("its path cannot be followed") };
    args.paths.iter().find_map(|path| {
        let is_folder = path.is_dir();
        let folder = if is_folder { path } else { folder_of(path) }.canonicalize().ok()?;
        if output == folder || (is_folder && output.starts_with(&folder)) {
            return Some("it is in the folder that is read, or that folder itself");
        }
        (is_folder && folder.starts_with(&output)).then_some("the folder that is read is in it")
    })
}

/// Says what is wrong with a folder on another level: with `--hosts`, each name in it would be a host; without, links to other hosts lead out.
fn wrong_hosts(args: &Rewrite) -> Option<String> {
    let base = UriRef::new(args.base());
    let host = base.host().filter(|host| args.mirror && !args.reads_archives() && !host.is_empty())?;
    let url = whatwg::Url::parse(args.base()).ok();
    let hosts = [Some(host), url.as_ref().and_then(|url| url.host())].into_iter().flatten();
    let names = hosts.flat_map(|host| {
        let with_port = |between: &str| Some(format!("{host}{between}{}", base.port()?));
        let without_dot = host.strip_suffix('.').map(str::to_owned);
        [Some(host.to_owned()), without_dot, with_port(":"), with_port("+")]
    });
    let has_host = names.flatten().any(|name| args.root().join(name).is_dir());
    let root = file_name(args.root());
    let why = match args.hosts {
        true => format!("{root} has no folder {host}: give the folder above it, or leave out --hosts"),
        false => format!("{root} has a folder {host}: if it has one for each host, add --hosts"),
    };
    (has_host != args.hosts).then_some(why)
}

/// The numbers of files and of captures, for the message at the end.
#[derive(Default)]
struct Counts {
    pages: u64,
    changed: u64,
    copied: u64,
    excluded: u64,
    compressed: u64,
    special: u64,
    leftovers: u64,
    failed: u64,
    /// Character encodings of HTTP heads that are written into pages.
    charsets: u64,
    /// Captures that are redirects. They become no files, as those of `errors` and `nameless`.
    redirects: u64,
    errors: u64,
    nameless: u64,
    /// Captures that are left out because there are too many.
    without_room: u64,
}

struct Rewriting<'a, 'o> {
    args: &'a Rewrite,
    /// The files of folders that are not rewritten.
    excluded: Patterns,
    rewriter: Rewriter<'static, Mapping>,
    /// `None` for archives.
    sheets: Option<Arc<ChangedSheets>>,
    /// `None` unless edits are only shown.
    preview: Option<Preview>,
    counts: Counts,
    /// The last folder, with the renderers of Markdown in it; `None` after standard input.
    renderers: Option<(PathBuf, FolderRenderers)>,
    /// The copies, if several paths are copied: two of these could have a file of one name.
    written: HashSet<PathBuf>,
    out: &'o mut Output,
}

impl Rewriting<'_, '_> {
    /// Fails only if the output fails.
    fn input(&mut self, path: &Path) -> io::Result<()> {
        if path.as_os_str() == "-" {
            self.renderers = None;
            let spooled = || {
                let mut spooled = tempfile::spooled_tempfile(IN_MEMORY);
                io::copy(&mut io::stdin(), &mut spooled)?;
                Ok(spooled)
            };
            return match spooled() {
                Ok(spooled) => self.one(path, self.args.base().to_owned(), Box::new(spooled), None),
                Err(error) => self.failed(path, error),
            };
        }
        let metadata = fs::metadata(path);
        let is_folder = metadata.as_ref().is_ok_and(|metadata| metadata.is_dir());
        let folder = if is_folder { path } else { folder_of(path) };
        // It knows what it has read of the disk, and a shell gives all files of a folder after each other.
        if self.renderers.as_ref().is_none_or(|(last, _)| last != folder) {
            self.renderers = Some((folder.to_owned(), FolderRenderers::new(folder)));
        }
        match metadata {
            Ok(_) if is_folder => self.folder(path),
            Ok(_) => {
                let uri = match &self.args.root_folder {
                    Some(root) => path_below(root, path).map(|path| uri_of(self.args, &path)),
                    None => Ok(self.args.base().to_owned()),
                };
                let opened = uri.and_then(|uri| {
                    let from = if self.args.in_place { Some(Place::of_file(path)?) } else { None };
                    let name = path.file_name().unwrap_or_default();
                    let output = self.args.output.as_deref();
                    let to = output.map(|to| Ok::<_, io::Error>(Place::new(made(to)?, name))).transpose()?;
                    let place = from.or(to);
                    let lock = place.as_ref().map(|place| place.folder.lock_with_others()).transpose()?;
                    Ok((uri, File::open(path)?, place, lock))
                });
                match opened {
                    Ok((uri, file, place, _lock)) => self.one(path, uri, Box::new(file), place),
                    Err(error) => self.failed(path, error),
                }
            }
            Err(error) => self.failed(path, with_advice(path, error, SAVE_FIRST)),
        }
    }

    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        let args = self.args;
        let place = match args.root_folder.as_deref().map(|root| path_below(root, folder)) {
            Some(Err(error)) => return self.failed(folder, error),
            place => place.and_then(Result::ok).unwrap_or_default(),
        };
        let folders =
            HeldFolder::open(folder).and_then(|root| Ok((root, args.output.as_deref().map(made).transpose()?)));
        let (root, out) = match folders {
            Ok(folders) => folders,
            Err(error) => return self.failed(args.output.as_deref().unwrap_or(folder), error),
        };
        let writable = out.as_ref().or(args.in_place.then_some(&root));
        let lock = match writable.map(HeldFolder::lock).transpose() {
            Ok(lock) => lock,
            Err(error) => return self.failed(folder, error),
        };
        if let Some(writable) = writable {
            if let Err(error) = self.remove_new_files(writable) {
                self.failed(folder, error)?;
            }
        }
        let walk = Walk::new(folder).without_following();
        // A copy has all files.
        let has_all = args.no_ignore || args.output.is_some();
        for found in if has_all { walk } else { walk.without_ignored() } {
            let (from, kind) = match found {
                Ok(WalkEntry { path, kind, .. }) => (path, kind),
                Err(Unreadable { path, error, .. }) => {
                    self.failed(&path, error)?;
                    continue;
                }
            };
            if is_new_file(from.file_name().unwrap_or_default()) {
                continue;
            }
            let path = from.strip_prefix(folder).unwrap_or(&from);
            if kind == EntryKind::File && !self.excluded.has(path) {
                let uri = uri_of(args, &place.join(path));
                match opened(&root, path, out.as_ref()) {
                    Ok((file, [from_place, to])) => {
                        self.one(&from, uri, Box::new(file), to.or(from_place.filter(|_| args.in_place)))?
                    }
                    Err(error) => self.failed(&from, error)?,
                }
            } else if let Err(error) = self.copy_as_it_is(kind, &root, path, out.as_ref()) {
                self.failed(&from, error)?;
            }
        }
        drop(lock);
        Ok(())
    }

    /// Copies what is not rewritten: a file that is excluded, or what is none. `path` is below `root`, and its copy below `out`.
    fn copy_as_it_is(
        &mut self,
        kind: EntryKind,
        root: &HeldFolder,
        path: &Path,
        out: Option<&HeldFolder>,
    ) -> io::Result<()> {
        match (kind, out) {
            (EntryKind::File, out) => {
                self.counts.excluded += 1;
                let Some(out) = out else { return Ok(()) };
                let (mut file, [_, to]) = opened(root, path, Some(out))?;
                to.map_or(Ok(()), |to| to.copy(&mut file))
            }
            (EntryKind::Folder, Some(out)) => make_folder(out, path).and_then(|folder| self.remove_new_files(&folder)),
            (EntryKind::Folder, None) if self.args.in_place => {
                root.below(path).and_then(|folder| self.remove_new_files(&folder))
            }
            (EntryKind::Symlink, Some(out)) => copy_symlink(root, path, out),
            (EntryKind::Special, _) => {
                self.counts.special += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Removes what killed runs have left where this one writes.
    fn remove_new_files(&mut self, folder: &HeldFolder) -> io::Result<()> {
        self.counts.leftovers += remove_new_files(folder)?;
        Ok(())
    }

    fn failed(&mut self, path: &Path, error: io::Error) -> io::Result<()> {
        self.counts.failed += 1;
        self.out.problem(file_name(path), error);
        Ok(())
    }

    /// Rewrites a file, or copies it. `place` is that of the file, if it is replaced, or of its copy; `None` to print it.
    fn one(&mut self, path: &Path, uri: String, mut file: Box<dyn ReadSeek>, place: Option<Place>) -> io::Result<()> {
        let content = match self.content(path, &uri, &mut *file) {
            Ok(content) => content,
            Err(error) => return self.failed(path, error),
        };
        let done = match place {
            Some(place) if self.args.in_place => {
                drop(file);
                self.replace(content, path, &uri, &place)
            }
            Some(to) => self.write_copy(content, path, &uri, &mut *file, &to),
            None => self.print(content, path, &uri, &mut *file)?,
        };
        done.or_else(|error| self.failed(path, error))
    }

    /// The error is one of the output; that of the page is the result.
    fn print(
        &mut self,
        content: Content,
        path: &Path,
        uri: &str,
        file: &mut dyn ReadSeek,
    ) -> io::Result<io::Result<()>> {
        let Some(preview) = self.preview.take() else {
            let mut sink = Sink::new();
            let done = self.rewrite(content, path, uri, file, &mut sink);
            return sink.finish().map(|()| done);
        };
        if !content.is_rewritten() {
            self.preview = Some(preview);
            return Ok(Ok(()));
        }
        // Messages have lines of their own.
        self.out.flush()?;
        let done = preview.show([path, path], file, |file, new| self.rewrite(content, path, uri, file, new));
        self.preview = Some(preview);
        done
    }

    fn replace(&mut self, content: Content, path: &Path, uri: &str, place: &Place) -> io::Result<()> {
        if !content.is_rewritten() {
            return Ok(());
        }
        let base = self.start_page(path, uri)?;
        let before = self.rewriter.totals.edits();
        let done = self.rewriter.replace_in(&place.folder, &place.name, content, None, &base);
        // A file of which a part could not be read is replaced, too.
        let is_replaced = done.as_ref().map_or_else(|error| error.kind() == io::ErrorKind::InvalidData, |done| *done);
        let is_changed = is_replaced && self.rewriter.totals.edits() > before;
        self.counts.changed += u64::from(is_changed);
        if let Some(sheets) = self.sheets.as_ref().filter(|_| is_changed && content == Content::Css) {
            sheets.add_changed(&place.path());
        }
        done.map(|_| ())
    }

    fn write_copy(
        &mut self,
        content: Content,
        path: &Path,
        uri: &str,
        file: &mut dyn ReadSeek,
        to: &Place,
    ) -> io::Result<()> {
        let to_path = to.path();
        if self.args.paths.len() > 1 && !self.written.insert(to_path.clone()) {
            return Err(io::Error::other(format!("another file was written to {}", file_name(&to_path))));
        }
        if !content.is_rewritten() {
            return to.copy(file);
        }
        // A copy has the permissions of any new file: it has another owner, and must not run as this one.
        let new = to.folder.new_file(&to.name, None)?;
        let mut out = BufWriter::with_capacity(1 << 16, new.as_file());
        let done = self.rewrite(content, path, uri, file, &mut out);
        out.flush()?;
        drop(out);
        // A file that could not be found is as before.
        if done.as_ref().map_or_else(|error| error.kind() == io::ErrorKind::InvalidData, |()| true) {
            new.finish_without_sync()?;
        }
        done
    }

    fn content(&mut self, path: &Path, uri: &str, file: &mut dyn ReadSeek) -> io::Result<Content> {
        let is_page = self.args.paths.iter().any(|given| given == path);
        let content = match &mut self.renderers {
            Some((_, renderers)) => renderers.content(file, path, uri, is_page)?,
            None => Content::of_file(file, path, uri, is_page)?,
        };
        let counts = &mut self.counts;
        match content {
            Content::Compressed => counts.compressed += 1,
            Content::Other => counts.copied += 1,
            _ => counts.pages += 1,
        }
        Ok(content)
    }

    fn rewrite(
        &mut self,
        content: Content,
        path: &Path,
        uri: &str,
        file: &mut dyn ReadSeek,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let before = self.rewriter.totals.edits();
        let base = self.start_page(path, uri)?;
        let done = self.rewriter.file(content, file, None, &base, out);
        self.counts.changed += u64::from(self.rewriter.totals.edits() > before);
        done
    }

    /// Returns the base of a page that is rewritten next.
    fn start_page(&mut self, path: &Path, uri: &str) -> io::Result<AnyBase> {
        let args = self.args;
        if args.mirror {
            self.rewriter.choose.set_page(&uri_path(&path_below(args.root(), path)?));
        }
        new_base(uri, args.rules, false).map_err(io::Error::other)
    }

    fn totals(&mut self) -> io::Result<()> {
        for (old, new) in self.rewriter.choose.unused() {
            self.out.note(format_args!("--map {old}={new}: no URI matched"));
        }
        if self.args.quiet {
            return Ok(());
        }
        // In a terminal, the totals come last.
        self.out.flush()?;
        let Totals { rewritten, kept, integrity, .. } = self.rewriter.totals;
        let counts = &self.counts;
        let (pages, changed, rewritten) =
            (counted(counts.pages, "page"), counts.changed, counted(rewritten, "reference"));
        let kept = if kept == 1 { "1 right as it is".into() } else { format!("{kept} right as they are") };
        let mut text = match self.preview {
            Some(_) => format!("{pages}, {changed} would change: {rewritten} to rewrite, {kept}"),
            None => format!("{pages}, {changed} changed: {rewritten} rewritten, {kept}"),
        };
        let mut add = |count: u64, what: String| {
            if count > 0 {
                text.push_str(&format!(", {what}"));
            }
        };
        for &why in LeftReason::ALL {
            let left = self.rewriter.totals.left(why);
            add(left, format!("{left} left ({why})"));
        }
        for (count, one, what) in [
            (integrity, "integrity attribute", " of changed style sheets left out"),
            (counts.copied, "other file", ""),
            (counts.excluded, "file", " excluded"),
            (counts.compressed, "compressed file", " not rewritten"),
            (counts.special, "special file", " skipped (named pipe, socket or device)"),
            (counts.leftovers, "file", " of a killed run removed"),
            (counts.charsets, "character encoding", " of HTTP heads written into pages"),
            (counts.redirects, "redirect", " followed"),
            (counts.errors, "error response", " left out"),
            (counts.nameless, "capture", " without a host left out"),
        ] {
            add(count, counted(count, one) + what);
        }
        add(counts.failed, format!("{} failed", counts.failed));
        self.out.note(text);
        Ok(())
    }
}

/// The URI of a file, by its path from the root of the copy.
fn uri_of(args: &Rewrite, path: &Path) -> String {
    match args.mirror {
        true => mirrored_uri(args.base(), path, &args.index, args.hosts),
        false => uri_below(args.base(), path, None::<&[&str]>),
    }
}

/// Where a file is, or will be: its folder, which is held, and its name.
struct Place {
    folder: HeldFolder,
    name: OsString,
}

impl Place {
    fn new(folder: HeldFolder, name: &OsStr) -> Self {
        Place { folder, name: name.to_owned() }
    }

    /// Follows the symbolic links of a path that was given.
    fn of_file(path: &Path) -> io::Result<Self> {
        let file = symlink_target(path)?.unwrap_or_else(|| path.to_owned());
        Ok(Place::new(HeldFolder::open(folder_of(&file))?, file.file_name().unwrap_or_default()))
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    fn copy(&self, from: &mut dyn ReadSeek) -> io::Result<()> {
        let new = self.folder.new_file(&self.name, None)?;
        io::copy(from, &mut new.as_file())?;
        Ok(new.finish_without_sync()?)
    }
}

/// Makes the folder of copies, which was given.
fn made(folder: &Path) -> io::Result<HeldFolder> {
    fs::create_dir_all(folder).and_then(|()| HeldFolder::open(folder))
}

/// Opens the file at a path from `root`, and returns its place and that of its copy, whose folder is made.
fn opened(root: &HeldFolder, path: &Path, out: Option<&HeldFolder>) -> io::Result<(File, [Option<Place>; 2])> {
    let (folder, name) = root.around(path)?;
    let file = folder.open_file(name)?;
    let copy = |out: &HeldFolder| Ok::<_, io::Error>(Place::new(out.make_below(folder_of(path))?, name));
    let to = out.map(copy).transpose()?;
    Ok((file, [Some(Place::new(folder, name)), to]))
}

/// Makes a folder in the copy. A symbolic link of an earlier copy, which could lead out of it, is replaced.
fn make_folder(out: &HeldFolder, path: &Path) -> io::Result<HeldFolder> {
    let (folder, name) = out.around(path)?;
    if folder.read_link(name).is_ok() {
        folder.remove_file(name)?;
    }
    folder.make_below(Path::new(name))
}

/// Makes the same symbolic link.
fn copy_symlink(root: &HeldFolder, path: &Path, out: &HeldFolder) -> io::Result<()> {
    let (from, name) = root.around(path)?;
    let (target, to) = (from.read_link(name)?, out.make_below(folder_of(path))?);
    if to.is_folder(name) == Some(false) {
        to.remove_file(name)?;
    }
    to.symlink(&target, name, from.path().join(name).is_dir())
}
