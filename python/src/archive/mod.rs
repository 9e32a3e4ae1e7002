//! `archive_links`: the links of a web archive as lazy Arrow batches.

mod input;
mod iterate;
mod problems;
mod reader;
mod rows;

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, RecordBatchReader, StructArray};
use arrow_schema::{DataType, Field, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyCapsule, PyDict, PyList, PyString};
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};
use relref_links::html::{Options, Pages};
use relref_links::page::{LinkReader, StatusesError, UriForms};

use self::iterate::Rows;
use self::problems::Damage;
use self::reader::Counts;
use self::rows::{Columns, Optional};
use crate::capsules::{check_schema, without_panic};
use crate::named_tuples::DAMAGE;
use crate::normalizer;
use crate::options;
use crate::rule_set::rule_set;
use crate::scope::Scope;
use crate::signals::Interrupt;
use crate::text::names_or_none;

/// The links of an archive, or of all archives in a WACZ file, as Arrow record batches that are made when they are read.
///
/// It has Arrow's PyCapsule interface: pyarrow.RecordBatchReader.from_stream(links), polars.DataFrame(links), and DuckDB's `FROM
/// links` read it; a loop over it gives each row as an ArchiveLink. It can be read once. While it is read, problems and counts grow.
///
/// >>> import io
/// >>> links = archive_links(io.BytesIO(b"no archive"))
/// >>> links.to_pyarrow().read_all().num_rows, links.pages
/// (0, 0)
/// >>> links.problems
/// [Damage(offset=0, message='no record starts here', archive=None)]
/// >>> [link.uri for link in archive_links(io.BytesIO())]
/// []
#[pyclass(frozen, module = "relref")]
pub struct ArchiveLinks {
    batches: Mutex<Option<Box<dyn RecordBatchReader + Send>>>,
    schema: SchemaRef,
    counts: Arc<Counts>,
    interrupt: Arc<Interrupt>,
}

#[pymethods]
impl ArchiveLinks {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let of_rows = DataType::Struct(self.schema.fields().clone());
        check_schema(py, requested_schema.as_ref(), &of_rows)?;
        let batches = self.batches()?;
        let interrupt = self.interrupt.clone();
        let field = Field::new_struct("", self.schema.fields().clone(), false);
        let batches = batches.map(move |batch| {
            if batch.is_err() && interrupt.is_signal() {
                // Consumers make an exception of their own of the error, so the signal comes again after it.
                let _ = Python::attach(|py| py.import("_thread")?.call_method0("interrupt_main").map(drop));
            }
            Ok(Arc::new(StructArray::from(batch?)) as ArrayRef)
        });
        let batches = Box::new(ArrayIterator::new(batches, Arc::new(field)));
        without_panic(py, "requested_schema", || Ok(to_stream_pycapsule(py, batches, requested_schema)?))
    }

    fn __iter__(&self) -> PyResult<Rows> {
        Ok(Rows::new(self.batches()?, self.interrupt.clone()))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, &*self.schema)?)
    }

    /// Return a pyarrow.RecordBatchReader. Needs pyarrow.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let class = slf.py().import("pyarrow")?.getattr("RecordBatchReader")?;
        class.call_method1("from_stream", (slf,))
    }

    /// The problems found so far, as a list of Damage. With problems="rows" they are rows, and this is empty.
    ///
    /// It has at most 100 problems of an archive, and about 1 MiB of messages. The last one then says how many more there are.
    #[getter]
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let problems = self.counts.problems.lock().unwrap_or_else(PoisonError::into_inner);
        // Many may name one archive.
        let mut last: Option<(&str, Bound<'py, PyString>)> = None;
        let fields = problems.list().iter().map(|Damage { archive, offset, reason }| {
            let name = archive.as_deref().map(|name| match &last {
                Some((known, text)) if *known == name => text.clone(),
                _ => last.insert((name, PyString::new(py, name))).1.clone(),
            });
            (*offset, reason, name)
        });
        DAMAGE.list(py, fields)
    }

    /// The number of pages read so far: HTML, feeds, sitemaps, files robots.txt, and pages that a WAT file describes. The totals of
    /// the command have the same number.
    #[getter]
    fn pages(&self) -> u64 {
        Counts::get(&self.counts.pages)
    }

    /// The numbers of records skipped so far, by reason.
    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.counts.skipped.lock().unwrap_or_else(PoisonError::into_inner).clone().into_iter().into_py_dict(py)
    }

    /// The number of links found so far.
    #[getter]
    fn links(&self) -> u64 {
        Counts::get(&self.counts.links)
    }

    /// The number of links left out so far because their URI is longer than max_uri.
    #[getter]
    fn too_long(&self) -> u64 {
        Counts::get(&self.counts.too_long)
    }

    /// The number of links so far that are no valid URL by "whatwg". They are left out without report_invalid.
    #[getter]
    fn invalid(&self) -> u64 {
        Counts::get(&self.counts.invalid)
    }

    /// The number of URIs that could not be normalized so far, and stayed as they were.
    #[getter]
    fn not_normalized(&self) -> u64 {
        Counts::get(&self.counts.not_normalized)
    }

    /// The number of links left out so far because they are out of scope.
    #[getter]
    fn out_of_scope(&self) -> u64 {
        Counts::get(&self.counts.out_of_scope)
    }
}

impl ArchiveLinks {
    /// `ValueError` if they were read before.
    fn batches(&self) -> PyResult<Box<dyn RecordBatchReader + Send>> {
        let batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner).take();
        batches.ok_or_else(|| PyValueError::new_err("the links of the archive were read before"))
    }
}

/// Return the links of the pages of a web archive, as lazy Arrow batches: WARC, ARC or WAT, also gzipped or of Zstandard frames, or
/// all archives in a WACZ file. HTTP fields, sitemaps, feeds and robots.txt have links, too. The parts of an MHTML file or a mail are
/// pages, and so are those of an EPUB, whose URIs start with epub:// and the percent-encoded absolute path. A file that is
/// recognized as another kind (HAR, JSON Feed, OPML, CDX, CDXJ, PDF) is not read: OSError says what it is.
///
/// archive is a path or a binary file object. In a file that can seek, more records are found after damage; a WACZ or EPUB
/// file must be able to seek. charset, rules, kinds, fetchable, lazy, items and report_invalid are as in Pages. normalize is a Normalizer or
/// the name of a preset: then `uri` is the normal form. scope is a Scope: links out of it are left out, and counted. With canonical,
/// the canonical link of a page, if it has one, is its URI in the column page and for the scope; links are resolved as without. key="surt",
/// "cdx", "host" or "domain" adds a column of keys, max_text a column of the texts of the links, up to so many bytes each, and robots=True the column
/// `nofollow` (bool). status selects captures by their status codes, such as "200,3xx": others are counted in skipped, and what has no
/// status code is read.
///
/// columns names the columns to make, by default all of the first two lines, with facts=True all:
///
/// - page, archive (its name in a WACZ file, otherwise null), offset (of the record in the archive, in bytes), element, attribute, kind,
///   rel, reference, uri,
/// - text, nofollow, key, problem: with max_text, robots, key and problems="rows",
/// - status (int), date (WARC-Date), media_type, charset (by which the page is read), title (of the page), hreflang and media (of the link):
///   null if it is not given.
///
/// Problems never end the reading. With problems="list" they are in `problems`; with problems="rows" each is a row of its own with
/// archive, offset and problem, and nulls.
///
/// max_page is the most bytes of a page, max_uri the most bytes of a URI. A larger page is a problem, a link with a longer URI is
/// counted. The rows of a page have at most 1 MiB and 256 times its length, together at most 1 GiB, and so have its URIs before
/// they are normalized; the other links are left out. A batch has about batch_rows rows; all rows of a page are in one batch.
///
/// >>> archive = (b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/x\r\nContent-Length: 59\r\n\r\n"
/// ...     b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=to>go\r\n\r\n\r\n")
/// >>> import io
/// >>> links = archive_links(io.BytesIO(archive), columns=["page", "uri"])
/// >>> links.to_pyarrow().read_all().to_pylist()
/// [{'page': 'http://h/x', 'uri': 'http://h/to'}]
/// >>> links.problems
/// []
#[pyfunction]
#[pyo3(signature = (
    archive, *, rules = "whatwg", kinds = None, fetchable = false, lazy = false, items = false, robots = false,
    charset = None, report_invalid = false, normalize = None, scope = None, canonical = false, key = None, columns = None, problems = "list",
    max_page = 1_073_741_824, max_uri = 65536, max_text = 0, batch_rows = 16384, facts = false, status = None
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python call")]
pub fn archive_links(
    archive: &Bound<'_, PyAny>,
    rules: &str,
    #[pyo3(from_py_with = names_or_none)] kinds: Option<Vec<String>>,
    fetchable: bool,
    lazy: bool,
    items: bool,
    robots: bool,
    charset: Option<String>,
    report_invalid: bool,
    normalize: Option<&Bound<'_, PyAny>>,
    scope: Option<&Bound<'_, Scope>>,
    canonical: bool,
    key: Option<&str>,
    #[pyo3(from_py_with = names_or_none)] columns: Option<Vec<String>>,
    problems: &str,
    max_page: u64,
    max_uri: usize,
    max_text: usize,
    batch_rows: usize,
    facts: bool,
    status: Option<&str>,
) -> PyResult<ArchiveLinks> {
    let mut options = Options {
        kinds: options::kinds(kinds)?,
        fetchable,
        lazy,
        items,
        robots,
        legacy_queries: normalize.is_some(),
        max_uri,
        max_total: reader::MAX_ROWS_LEN,
        max_text,
        rejected: true,
        ..Options::default()
    };
    let in_rows = match problems {
        "list" => false,
        "rows" => true,
        _ => return Err(PyValueError::new_err("problems: expected \"list\" or \"rows\"")),
    };
    let key = key.map(normalizer::key).transpose()?;
    let normalizer = normalize.map(normalizer::given).transpose()?.map(|(normalizer, _)| normalizer);
    let optional = Optional { text: max_text > 0, nofollow: robots, key: key.is_some(), problem: in_rows, facts };
    let columns = Columns::new(columns, &optional)?;
    options.title = columns.has_title();
    let statuses = status.map(str::parse).transpose();
    let statuses = statuses.map_err(|error: StatusesError| PyValueError::new_err(format!("status: {error}")))?;
    let schema = columns.schema();
    let counts = Arc::new(Counts::default());
    let settings = reader::ReaderSettings {
        reader: LinkReader {
            pages: Pages::with(options),
            rules: rule_set(rules)?,
            charset: options::charset(charset.as_deref())?,
        },
        max_page,
        statuses,
        columns,
        forms: UriForms::new(normalizer, key),
        scope: scope.map(|scope| scope.get().inner.clone()),
        canonical,
        in_rows,
        report_invalid,
        batch_rows,
        counts: counts.clone(),
        interrupt: Arc::default(),
    };
    let interrupt = settings.interrupt.clone();
    let batches = input::open(archive, settings)?;
    Ok(ArchiveLinks { batches: Mutex::new(Some(batches)), schema, counts, interrupt })
}
