//! The links of a site that do not work (feature `check`).
//!
//! Those of a web archive are found by [`each_archive_problem`].
//!
//! A [`Site`] is a folder that is a copy of a site. Its pages are read once, for their links and for what others may link to. A page
//! is read once more if it links to a fragment that is missing, or has very many problems. Nothing is fetched. This is how `relref check` works.
//!
//! ```
//! use relref_links::check::{Options, ProblemKind, Site};
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("index.html"), "<h1 id=top>Hi</h1>\n<a href=about.html>about</a> <a href='#tip'>tip</a>")?;
//! let site = Site::open(folder.path(), Options::default())?;
//! let problems: Vec<_> = site.problems().collect::<Result<_, _>>()?;
//! assert_eq!((problems[0].kind, &*problems[0].reference), (ProblemKind::Missing, "about.html"));
//! let place = problems[1].place.unwrap();
//! assert_eq!((problems[1].kind, place.line, place.column), (ProblemKind::MissingFragment, 2, 39));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alike;
mod archive;
mod contents;
mod error_places;
mod files;
mod first_pass;
mod fix;
mod forge;
mod found_problem;
mod fragment_key;
mod fragments;
mod judge;
mod key_tables;
mod known_ids;
mod mhtml;
mod options;
mod page_reader;
mod paths;
mod problem;
mod recent;
mod redirects;
mod renamed;
mod renderers;
mod repair;
mod run;
mod second_pass;
mod similar;
mod site;
mod structure;

pub use self::archive::each_archive_problem;
pub use self::fix::{Fix, PageFix};
pub use self::options::Options;
pub use self::problem::{Problem, ProblemKind, Totals, Unread};
pub use self::redirects::Redirects;
pub use self::renamed::RenamedPage;
pub use self::renderers::FolderRenderers;
pub use self::run::Problems;
pub use self::site::Site;
pub use self::structure::{Section, Structure};
