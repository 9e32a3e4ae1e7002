//! `Normalizer`, `surt` and `cdx_key`.

use std::borrow::Cow;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use relref::UriRef;
use relref::crawl::{self, Change};

use crate::error::of_engine;
use crate::text::{hash, mapped, names, names_or_none, written};
use crate::uri_text::UriText;

/// A normalizer of links, made once and used many times.
///
/// preset is "crawl" (the usual changes of a crawler), "safe" (only those after which a URI names the same resource) or "none".
/// with_ and without are names of changes to add and remove, tracking replaces the list of tracking parameters, keep_only names the
/// only parameters that stay, drop_param names more parameters to remove. A * in the names of tracking and drop_param is for any text:
/// "utm_*", "*id". strip removes the white space around a URI, tabs and line ends in it, and zeros at the start of its port, as browsers
/// do; by default only "crawl" does. Normalizers are immutable and picklable, and threads may share them.
///
/// The changes of "safe" are encoding, case, scheme-case, localhost, empty-port, default-port, dots, empty-path, gopher-type
/// and urn-components. "crawl" also has
/// idna, ip-address, empty-userinfo, final-dot, drop-fragment, drop-tracking, sort-query and drop-empty-query. No preset has iri (part
/// of encoding), empty-fragment, upgrade (http becomes https), drop-userinfo, drop-www, lower-path, drop-session, collapse-slashes,
/// drop-index, drop-trailing-slash and keep-only.
///
/// >>> normalizer = Normalizer(with_=["drop-www"])
/// >>> normalizer.normalize("HTTP://www.Example.com:80/a/../%7eb?utm_source=x&b=2&a=1#top")
/// 'http://example.com/~b?a=1&b=2'
/// >>> normalizer.surt("http://www.example.com/b")
/// 'com,example)/b'
/// >>> Normalizer("safe", drop_param=["*id", "ref"]).normalize("http://example.com/?SID=1&a&utm_source=x&ref=y")
/// 'http://example.com/?a&utm_source=x'
/// >>> Normalizer("none", drop_param=["utm_*"]).normalize("HTTP://Example.com/../?utm_source=x&B")
/// 'HTTP://Example.com/../?B'
#[pyclass(frozen, module = "relref")]
pub struct Normalizer {
    pub inner: crawl::Normalizer,
    settings: Settings,
}

#[derive(PartialEq, Hash)]
struct Settings {
    preset: String,
    with: Vec<String>,
    without: Vec<String>,
    tracking: Option<Vec<String>>,
    keep_only: Option<Vec<String>>,
    drop_param: Vec<String>,
    strip: bool,
}

impl Settings {
    fn normalizer(&self) -> PyResult<crawl::Normalizer> {
        let mut normalizer = preset(&self.preset)?;
        let change =
            |name: &String| name.parse::<Change>().map_err(|error| PyValueError::new_err(format!("{name:?}: {error}")));
        for name in &self.with {
            normalizer = normalizer.with(change(name)?);
        }
        for name in &self.without {
            normalizer = normalizer.without(change(name)?);
        }
        if let Some(names) = &self.tracking {
            normalizer = normalizer.tracking(names);
        }
        if let Some(names) = &self.keep_only {
            normalizer = normalizer.keep_only(names);
        }
        Ok(self.drop_param.iter().fold(normalizer, crawl::Normalizer::drop_param))
    }
}

/// Removes what browsers ignore in a URL (URL Standard §4.4): C0 controls and spaces around it, tabs and line ends in it, and zeros at
/// the start of its port.
pub fn stripped(uri: &str) -> Cow<'_, str> {
    let uri = uri.trim_matches(|c: char| c <= ' ');
    let uri = if uri.contains(['\t', '\n', '\r']) {
        Cow::Owned(uri.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(uri)
    };
    if !uri.contains(":0") {
        return uri;
    }
    let parts = UriRef::new(&*uri);
    let start = parts.scheme().map_or(0, |scheme| scheme.len() + 1) + "//".len();
    let authority = parts.authority().unwrap_or_default();
    let Some((host, port)) =
        authority.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
    else {
        return uri;
    };
    let zeros = port.len() - port.trim_start_matches('0').len();
    let (from, zeros) = (start + host.len() + 1, if zeros == port.len() { zeros.saturating_sub(1) } else { zeros });
    if zeros == 0 { uri } else { Cow::Owned([&uri[..from], &uri[from + zeros..]].concat()) }
}

/// Takes a `Normalizer` or the name of a preset, and also returns whether URIs are stripped. `TypeError` for another object,
/// `ValueError` for another name.
pub fn given(argument: &Bound<'_, PyAny>) -> PyResult<(crawl::Normalizer, bool)> {
    if let Ok(normalizer) = argument.cast::<Normalizer>() {
        return Ok((normalizer.get().inner.clone(), normalizer.get().settings.strip));
    }
    let name = argument.cast::<PyString>().map_err(|_| {
        PyTypeError::new_err(
            "normalizer: expected a Normalizer or the name of a preset, \"crawl\", \"safe\" or \"none\"",
        )
    })?;
    Ok((preset(name.to_str()?)?, name.to_str()? == "crawl"))
}

/// Fails with `relref.Error`.
fn made_of<'py>(
    py: Python<'py>,
    uri: &str,
    make: impl FnOnce(&mut String) -> Result<(), relref::Error>,
) -> PyResult<Bound<'py, PyString>> {
    written(py, make).map_err(|error| of_engine(py, &error, uri))
}

fn preset(name: &str) -> PyResult<crawl::Normalizer> {
    match name {
        "none" => Ok(crawl::Normalizer::new()),
        "safe" => Ok(crawl::Normalizer::safe()),
        "crawl" => Ok(crawl::Normalizer::crawl()),
        _ => Err(PyValueError::new_err(format!("no preset has the name {name:?}: expected none, safe or crawl"))),
    }
}

#[pymethods]
impl Normalizer {
    #[new]
    #[pyo3(signature = (preset = "crawl", *, with_ = vec![], without = vec![], tracking = None, keep_only = None, drop_param = vec![], strip = None))]
    fn new(
        preset: &str,
        #[pyo3(from_py_with = names)] with_: Vec<String>,
        #[pyo3(from_py_with = names)] without: Vec<String>,
        #[pyo3(from_py_with = names_or_none)] tracking: Option<Vec<String>>,
        #[pyo3(from_py_with = names_or_none)] keep_only: Option<Vec<String>>,
        #[pyo3(from_py_with = names)] drop_param: Vec<String>,
        strip: Option<bool>,
    ) -> PyResult<Self> {
        let strip = strip.unwrap_or(preset == "crawl");
        let settings =
            Settings { preset: preset.to_owned(), with: with_, without, tracking, keep_only, drop_param, strip };
        Ok(Normalizer { inner: settings.normalizer()?, settings })
    }

    /// Return the normal form of a URI.
    ///
    /// It need not be a valid URL: a host or port that cannot exist stays as it is, and what has no scheme stays a reference. By "safe", raise
    /// Error for an escape such as %zz; the other presets keep it.
    ///
    /// >>> Normalizer("safe").normalize("HTTP://Example.com")
    /// 'http://example.com/'
    fn normalize<'py>(&self, py: Python<'py>, uri: UriText<'_>) -> PyResult<Bound<'py, PyString>> {
        let read = self.read(&uri);
        made_of(py, &read, |out| self.inner.normalize_into(&*read, out))
    }

    /// Return a list of the normal forms of many URIs, with the exceptions of normalize(). Other threads run meanwhile.
    ///
    /// >>> Normalizer().normalize_many(["http://example.com#a", "http://example.com?"])
    /// ['http://example.com/', 'http://example.com/']
    fn normalize_many<'py>(&self, py: Python<'py>, uris: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let write = |uri: &str, out: &mut String| self.inner.normalize_into(self.read(uri), out);
        mapped(uris, "uris", false, write, |error, uri| of_engine(py, error, uri))
    }

    /// Return the sort key of a URI's normal form: the host reversed, then path and query.
    ///
    /// >>> Normalizer(with_=["drop-www"]).surt("http://www.Example.com/a?utm_source=b")
    /// 'com,example)/a'
    fn surt<'py>(&self, py: Python<'py>, uri: UriText<'_>) -> PyResult<Bound<'py, PyString>> {
        let read = self.read(&uri);
        made_of(py, &read, |out| self.inner.surt_into(&*read, out))
    }

    /// Return the key of a URI: "surt"; "cdx", which the normalizer does not change; the "host" of its normal form as browsers write
    /// it; or the "domain" of that host by the list of public suffixes. Without a host, these two are empty.
    ///
    /// >>> Normalizer().key("http://Docs.Example.co.uk.:8080/a", "domain")
    /// 'example.co.uk'
    fn key<'py>(&self, py: Python<'py>, uri: UriText<'_>, key: &str) -> PyResult<Bound<'py, PyString>> {
        let kind = self::key(key)?;
        let read = self.read(&uri);
        made_of(py, &read, |out| kind.append(&self.inner, &*read, out))
    }

    fn __repr__(&self) -> String {
        let Settings { preset, with, without, tracking, keep_only, drop_param, strip } = &self.settings;
        let mut out = format!("Normalizer({preset:?}");
        for (name, names) in [
            ("with_", Some(with).filter(|names| !names.is_empty())),
            ("without", Some(without).filter(|names| !names.is_empty())),
            ("tracking", tracking.as_ref()),
            ("keep_only", keep_only.as_ref()),
            ("drop_param", Some(drop_param).filter(|names| !names.is_empty())),
        ] {
            if let Some(names) = names {
                out += &format!(", {name}={names:?}");
            }
        }
        if *strip != (preset == "crawl") {
            out += if *strip { ", strip=True" } else { ", strip=False" };
        }
        out + ")"
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.settings == other.settings
    }

    fn __hash__(&self) -> u64 {
        hash(&self.settings)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((&str,), Bound<'py, PyDict>)> {
        let Settings { preset, with, without, tracking, keep_only, drop_param, strip } = &self.settings;
        let named = PyDict::new(py);
        named.set_item("with_", with)?;
        named.set_item("without", without)?;
        named.set_item("tracking", tracking)?;
        named.set_item("keep_only", keep_only)?;
        named.set_item("drop_param", drop_param)?;
        named.set_item("strip", strip)?;
        Ok(((preset,), named))
    }
}

impl Normalizer {
    /// The URI that is normalized.
    fn read<'u>(&self, uri: &'u str) -> Cow<'u, str> {
        if self.settings.strip { stripped(uri) } else { Cow::Borrowed(uri) }
    }
}

/// Return the key by which pywb and the package surt index a page, to join links with CDX files.
///
/// >>> cdx_key("https://www2.Example.com/A/../B/?y&x=%2541#top")
/// 'com,example)/b?x=a&y'
#[pyfunction]
pub fn cdx_key<'py>(py: Python<'py>, uri: UriText<'_>) -> PyResult<Bound<'py, PyString>> {
    made_of(py, &uri, |out| crawl::cdx_key_into(&*uri, out))
}

/// Parses the name of a kind of key. Fails with `ValueError` if no kind has the name.
pub fn key(name: &str) -> PyResult<crawl::Key> {
    name.parse().map_err(|error: relref::Error| PyValueError::new_err(error.to_string()))
}

/// Return the sort key of a URI by the preset "safe": the host reversed, then path and query.
///
/// >>> surt("http://docs.Example.com:8080/a?b#c")
/// 'com,example,docs:8080)/a?b'
#[pyfunction]
pub fn surt<'py>(py: Python<'py>, uri: UriText<'_>) -> PyResult<Bound<'py, PyString>> {
    static SAFE: std::sync::LazyLock<crawl::Normalizer> = std::sync::LazyLock::new(crawl::Normalizer::safe);
    made_of(py, &uri, |out| SAFE.surt_into(&*uri, out))
}
