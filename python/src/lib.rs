//! relref for Python: the extension module `relref._relref`.

mod archive;
mod arena;
mod base;
mod capsules;
mod check;
mod chunked_page;
mod column;
mod columns;
mod error;
mod file;
mod link;
mod link_attributes;
mod named_tuples;
mod normalizer;
mod options;
mod pages;
mod rewrite;
mod robots;
mod rule_set;
mod scope;
mod scrapy;
mod signals;
mod site;
mod sitemap;
mod split;
mod strings;
mod text;
mod uri_text;
mod url;
mod urljoin;

use pyo3::prelude::*;

/// The compiled part of the package `relref`. Pythons without a global lock do not switch it on for this module (`Py_mod_gil`).
#[pymodule(gil_used = false)]
mod _relref {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::archive::{ArchiveLinks, archive_links};
    #[pymodule_export]
    use super::base::{Base, compare, relativize, resolve, resolve_many};
    #[pymodule_export]
    use super::check::check_site;
    #[pymodule_export]
    use super::chunked_page::ChunkedPage;
    #[pymodule_export]
    use super::column::{_column, Column};
    #[pymodule_export]
    use super::columns::{normalize_column, resolve_column};
    #[pymodule_export]
    use super::error::Error;
    #[pymodule_export]
    use super::link::{_is_fetchable, _is_nofollow};
    #[pymodule_export]
    use super::normalizer::{Normalizer, cdx_key, surt};
    #[pymodule_export]
    use super::pages::{Pages, css_links, field_links, links, title};
    #[pymodule_export]
    use super::rewrite::{_FileRewriter, make_links_absolute, rewrite, rewrite_links};
    #[pymodule_export]
    use super::robots::RobotsTxt;
    #[pymodule_export]
    use super::scope::Scope;
    #[pymodule_export]
    use super::scrapy::{_LinkFinder, _canonical_shortcut};
    #[pymodule_export]
    use super::site::{registrable_domain, same_site};
    #[pymodule_export]
    use super::sitemap::sitemap_entries;
    #[pymodule_export]
    use super::split::{_host_and_port, split};
    #[pymodule_export]
    use super::url::{_display_host, _with_attribute, explain, validate};
    #[pymodule_export]
    use super::urljoin::{_urljoin_shortcut, urljoin};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::error::init(module.py())?;
        super::urljoin::init(module.py());
        let rules = relref::RuleSet::ALL.iter().map(ToString::to_string).collect::<Vec<_>>();
        module.add("RULES", pyo3::types::PyTuple::new(module.py(), rules)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
