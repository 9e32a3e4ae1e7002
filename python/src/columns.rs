//! `resolve_column` and `normalize_column`.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use relref::{AnyBase, RuleSet, crawl};

use crate::base::{Base, given};
use crate::column::{Builder, Column};
use crate::normalizer;
use crate::rule_set::rule_set;
use crate::strings::Strings;
use crate::uri_text::UriText;

enum Bases<'b> {
    One(&'b AnyBase),
    Column(Strings),
}

/// Return the column of the absolute URIs of a column of references.
///
/// base is a URI, a Base, or a column with as many rows. Columns are Arrow data of any library with the PyCapsule interface:
/// arrays, chunked arrays and series of strings, and tables of one column. A null gives a null. A row whose reference or base is
/// refused is null, too, and has a Problem in column.problems. Other threads run meanwhile.
///
/// >>> import pyarrow
/// >>> column = resolve_column("http://example.com/a/", pyarrow.array(["b", None, "http://x:y/"]))
/// >>> column.to_pylist()
/// ['http://example.com/a/b', None, None]
/// >>> column.problems[0].row
/// 2
/// >>> pyarrow.chunked_array(column).null_count
/// 2
#[pyfunction]
#[pyo3(signature = (base, references, rules = None))]
pub fn resolve_column(
    py: Python<'_>,
    base: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
    rules: Option<&str>,
) -> PyResult<Column> {
    let rules_of_texts = rule_set(rules.unwrap_or("whatwg"))?;
    let own;
    let bases = if let Ok(base) = base.cast::<Base>() {
        if rules.is_some() {
            return Err(PyTypeError::new_err("rules: a Base has rules of its own"));
        }
        Bases::One(&base.get().prepared)
    } else if UriText::is_one(base)? {
        own = given(py, &base.extract::<UriText>()?, rules_of_texts)?;
        Bases::One(&own)
    } else {
        Bases::Column(Strings::new(base, "base")?)
    };
    let (given_references, references) = (references, Strings::new(references, "references")?);
    let column = match bases {
        Bases::Column(bases) if bases.len() != references.len() => {
            let (left, right) = (bases.len(), references.len());
            Err(PyValueError::new_err(format!("base has {left} rows, but references has {right}")))
        }
        Bases::Column(bases) => py.detach(|| resolve_pairs(&bases, &references, rules_of_texts)),
        Bases::One(base) => py.detach(|| {
            let mut builder = Builder::new(references.len())?;
            for reference in references.iter() {
                builder.look_for_signals()?;
                builder.add("reference", reference, |reference, out| base.resolve_into(reference, out));
            }
            Ok(builder.finish())
        }),
    }?;
    column.with_rows_of(given_references)
}

/// Prepares equal bases in consecutive rows once.
fn resolve_pairs(bases: &Strings, references: &Strings, rules: RuleSet) -> PyResult<Column> {
    let mut builder = Builder::new(references.len())?;
    let mut last: Option<(&[u8], Result<AnyBase, String>)> = None;
    for (base, reference) in bases.iter().zip(references.iter()) {
        builder.look_for_signals()?;
        let (Some(base), Some(_)) = (base, reference) else {
            builder.add_null();
            continue;
        };
        let prepare = || match std::str::from_utf8(base) {
            Ok(base) => AnyBase::new(base, rules).map_err(|refused| format!("base: {refused}")),
            Err(error) => Err(format!("base: {error}")),
        };
        let (_, prepared) = match last.take() {
            Some(known) if known.0 == base => last.insert(known),
            _ => last.insert((base, prepare())),
        };
        match prepared {
            Ok(base) => builder.add("reference", reference, |reference, out| base.resolve_into(reference, out)),
            Err(why) => builder.add_problem(why.clone()),
        }
    }
    Ok(builder.finish())
}

/// Return the column of the normal forms of a column of URIs, or of their keys with key="surt", "cdx", "host" or "domain".
///
/// normalizer is a Normalizer, or the name of a preset. Nulls and problems are as in resolve_column.
///
/// >>> import pyarrow
/// >>> normalize_column(pyarrow.array(["http://Example.com#top", None])).to_pylist()
/// ['http://example.com/', None]
/// >>> normalize_column(pyarrow.array(["http://Example.com/a"]), key="surt").to_pylist()
/// ['com,example)/a']
/// >>> normalize_column(pyarrow.array(["http://a.Example.com:80/", "mailto:a@b"]), key="domain").to_pylist()
/// ['example.com', '']
#[pyfunction]
#[pyo3(signature = (uris, normalizer = None, *, key = None))]
pub fn normalize_column(
    py: Python<'_>,
    uris: &Bound<'_, PyAny>,
    normalizer: Option<&Bound<'_, PyAny>>,
    key: Option<&str>,
) -> PyResult<Column> {
    let (normalizer, strips) = normalizer.map_or_else(|| Ok((crawl::Normalizer::crawl(), true)), normalizer::given)?;
    let key = key.map(normalizer::key).transpose()?;
    let (given_uris, uris) = (uris, Strings::new(uris, "uris")?);
    let column = py.detach(|| {
        let mut builder = Builder::new(uris.len())?;
        for uri in uris.iter() {
            builder.look_for_signals()?;
            builder.add("uri", uri, |uri, out| {
                let uri = if strips { normalizer::stripped(uri) } else { uri.into() };
                match key {
                    Some(key) => key.append(&normalizer, &*uri, out),
                    None => normalizer.normalize_into(&*uri, out),
                }
            });
        }
        Ok::<_, PyErr>(builder.finish())
    })?;
    column.with_rows_of(given_uris)
}
