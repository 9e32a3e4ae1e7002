//! `check`: the links of a site that do not work.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use regex::Regex;
use relref_links::check::{self, Options, Site, each_archive_problem};
use relref_links::html::Place;
use relref_links::markdown::Renderer;
use relref_links::page::is_epub_file;

use crate::error::os_error;
use crate::named_tuples::LINK_PROBLEM;
use crate::signals::in_background;
use crate::text;
use crate::uri_text::UriText;

/// Return the links of a site that do not work, as a list of LinkProblem, in the order of its files.
///
/// folder is a copy of the site, or a repository: HTML, Markdown, style sheets, SVG images and feeds, in any character encoding. It may also
/// be a file: an EPUB, which is a site of the files in it, a web archive, or an MHTML file. base is the URI of the folder:
/// absolute links below it lead to files of the site, too; without it, a link of Markdown that starts with a slash may also lead to what is
/// in the repository around the folder. index is the name of the file that a folder is, or a list of names.
/// try_ext is an ending, such as "html", or a list of them, that the server tries for a link without one. fragments=False does not look
/// for the elements that fragments name. ids is the renderer by which the headings of Markdown have ids, such as "github" or "mdbook";
/// without it, the one that the nearest file above a page configures, else github. What git ignores is left out, unless
/// git_ignore=False. exclude is a pattern as in a .gitignore, or a list of them, of files whose links are not checked. ignore is a
/// regular expression as in Scope, or a list of them: a link has no problem, and is not fixed, if one matches anywhere in its URI, or in the
/// reference if it is not a valid URL. threads is the number of threads that read pages, 0 for one on each core; other threads of Python run
/// meanwhile. Nothing is fetched.
///
/// With fix, the references that are meant are written into the files of a folder first, where that is certain, and the problems that are
/// left are returned.
///
/// The problem "missing-slash" is a note: the link works. A file that cannot be read is the problem "unread". Raise OSError if the folder
/// cannot be read, or fix is asked for a file, and ValueError for a base that is no URI of a folder.
///
/// >>> import pathlib, tempfile
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> _ = (folder / "index.html").write_text("<p id=intro>\n<a href=about.html>about</a> <a href='#Intro'>intro</a>")
/// >>> [(p.problem, p.line, p.column, p.reference, p.suggestion) for p in check(folder)]
/// [('missing', 2, 9, 'about.html', None), ('missing-fragment', 2, 39, '#Intro', '#intro')]
/// >>> [p.reference for p in check(folder, ignore="about")]
/// ['#Intro']
/// >>> [p.reference for p in check(folder, fix=True)]
/// ['about.html']
#[expect(clippy::too_many_arguments, reason = "they have names")]
#[pyfunction(name = "check")]
#[pyo3(signature = (folder, base=None, *, index=None, try_ext=None, fragments=true, ids=None, exclude=None, ignore=None, git_ignore=true, fix=false, threads=0))]
pub fn check_site<'py>(
    py: Python<'py>,
    folder: PathBuf,
    base: Option<UriText<'_>>,
    #[pyo3(from_py_with = names)] index: Option<Vec<String>>,
    #[pyo3(from_py_with = names)] try_ext: Option<Vec<String>>,
    fragments: bool,
    ids: Option<&str>,
    #[pyo3(from_py_with = names)] exclude: Option<Vec<String>>,
    #[pyo3(from_py_with = names)] ignore: Option<Vec<String>>,
    git_ignore: bool,
    fix: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyList>> {
    let ids = ids.map(str::parse::<Renderer>).transpose();
    let ids = ids.map_err(|why| PyValueError::new_err(why.to_string()))?;
    let base = base.map(|base| base.to_string());
    let ignored = Ignored::new(&ignore.unwrap_or_default())?;
    let mut options = Options { base, fragments, ids, git_ignore, threads, ..Options::default() };
    if let Some(patterns) = exclude {
        options.exclude = patterns;
    }
    if let Some(names) = index {
        options.index = names;
    }
    if let Some(endings) = try_ext {
        options.try_ext = endings.iter().map(|ending| ending.trim_start_matches('.').to_owned()).collect();
    }
    let root = folder.clone();
    let found = in_background(py, move |is_over| {
        let mut found = Vec::new();
        let mut keep = |problem: Result<check::Problem, check::Unread>| {
            if !problem.as_ref().is_ok_and(|problem| ignored.has(problem)) {
                found.push(problem);
            }
            if is_over.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let is_file = root.is_file();
        if is_file && fix {
            let why = "fix: only the files of a folder are changed, not those in an archive or an EPUB";
            return Err(std::io::Error::new(std::io::ErrorKind::Unsupported, why));
        }
        if is_file && !is_epub_file(&root)? {
            each_archive_problem(&root, keep)?;
            return Ok(found);
        }
        let site = Site::open(&root, options)?;
        if fix {
            let _lock = site.lock()?;
            let wants = |problem: &check::Problem| !is_over.load(Ordering::Relaxed) && !ignored.has(problem);
            site.each_fix(wants, |page| page.apply().map(|_| ()))?;
        }
        site.each_problem(&mut keep)?;
        Ok(found)
    })?;
    let found = found.map_err(|error: std::io::Error| match error.kind() {
        std::io::ErrorKind::InvalidInput => PyValueError::new_err(error.to_string()),
        _ => os_error(py, &folder, error),
    })?;
    let list = PyList::empty(py);
    for problem in found {
        list.append(tuple(py, problem)?)?;
    }
    Ok(list)
}

/// The links whose problems are left out.
struct Ignored(Vec<Regex>);

impl Ignored {
    fn new(patterns: &[String]) -> PyResult<Self> {
        let regexes: Result<_, _> = patterns.iter().map(|pattern| Regex::new(pattern)).collect();
        regexes.map(Ignored).map_err(|why| PyValueError::new_err(format!("ignore: {why}")))
    }

    fn has(&self, problem: &check::Problem) -> bool {
        let text = problem.uri.as_ref().unwrap_or(&problem.reference);
        self.0.iter().any(|regex| regex.is_match(text))
    }
}

/// Takes one name, or a list of names.
fn names(argument: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    match argument.extract() {
        Ok(name) => Ok(Some(vec![name])),
        Err(_) => text::names_or_none(argument),
    }
}

fn tuple(py: Python<'_>, problem: Result<check::Problem, check::Unread>) -> PyResult<Bound<'_, PyAny>> {
    // As `os.fsdecode` does it.
    let path = PathBuf::into_os_string;
    match problem {
        Ok(problem) => {
            let check::Problem {
                page,
                place,
                error_place,
                element,
                attribute,
                reference,
                uri,
                kind,
                target,
                suggestion,
                suggested_file,
                note,
                is_certain,
                ..
            } = problem;
            let numbers = |place: Option<Place>| place.map_or((None, None), |at| (Some(at.line), Some(at.column)));
            let (line, column) = numbers(place);
            let (error_line, error_column) = numbers(error_place);
            let fields = (
                path(page),
                line,
                column,
                element,
                attribute,
                reference,
                uri,
                kind.name(),
                target.map(path),
                suggestion,
                note,
                is_certain,
            );
            // A tuple of Rust has at most 12 fields here.
            let more = (suggested_file.map(path), error_line, error_column).into_pyobject(py)?;
            let fields = fields.into_pyobject(py)?.as_sequence().concat(more.as_sequence())?;
            LINK_PROBLEM.make(py, fields.to_tuple()?)
        }
        Err(unread) => {
            let none = None::<String>;
            let fields = (
                path(unread.path),
                none.clone(),
                none.clone(),
                "",
                "",
                "",
                none.clone(),
                "unread",
                none.clone(),
                none,
                unread.why,
                false,
            );
            LINK_PROBLEM.make(py, fields)
        }
    }
}
