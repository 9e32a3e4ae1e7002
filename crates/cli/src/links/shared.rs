//! The values that all stages of a run share: the arguments, and those that follow from them.

use indicatif::ProgressBar;
use relref::crawl::{Normalizer, Scope};
use relref_links::html::{Options, Pages};
use relref_links::page::{LinkReader, Store, UriForms};

use super::dedup::FingerprintSecrets;
use super::job::PAGE_IN_MEMORY;
use super::progress::Progress;
use super::replaced_files::ReplacedFiles;
use super::robots::Robots;
use crate::args::{Column, Key, Links, NormalForm};

pub struct Shared {
    pub args: Links,
    pub columns: Vec<Column>,
    /// `None` without `--follow` and without an option that limits the scope.
    pub scope: Option<Scope>,
    /// `None` without `--robots`.
    pub robots: Option<Robots>,
    pub progress: Progress,
    pub secrets: FingerprintSecrets,
    /// Measures the time of the run, even if it is not shown.
    pub bar: ProgressBar,
    pub replaced: ReplacedFiles,
}

impl Links {
    /// The most bytes of the text of a link, for `--text`.
    const MAX_LINK_TEXT_LEN: usize = 1 << 10;

    pub fn link_reader(&self) -> LinkReader {
        let columns = self.line_columns();
        let pages = Pages::with(Options {
            lazy: self.lazy,
            items: self.items,
            robots: self.no_nofollow,
            title: columns.contains(&Column::Title),
            legacy_queries: self.normalize != NormalForm::None,
            kinds: self.kinds.clone(),
            fetchable: self.only_fetchable(),
            max_uri: usize::try_from(self.max_uri.0).unwrap_or(usize::MAX),
            max_text: if columns.contains(&Column::Text) { Self::MAX_LINK_TEXT_LEN } else { 0 },
            ..Options::default()
        });
        LinkReader { pages, rules: self.rules, charset: self.charset }
    }

    pub fn uri_forms(&self) -> UriForms {
        let key = self.key.map(Key::kind);
        let changed = |preset| self.changes.apply(preset);
        match self.normalize {
            NormalForm::None if self.changes.is_empty() => UriForms::new(None, key),
            NormalForm::None => {
                UriForms::new(Some(changed(Normalizer::new())), key).with_keys_by(changed(Normalizer::safe()))
            }
            NormalForm::Safe => UriForms::new(Some(changed(Normalizer::safe())), key),
            NormalForm::Crawl => UriForms::new(Some(changed(Normalizer::crawl())), key),
        }
    }

    pub fn store(&self) -> Store<'_> {
        let (max_page, limit_name) = (self.max_page.0, "--max-page");
        Store { max_page, limit_name, in_memory: PAGE_IN_MEMORY, ..Store::default() }
    }
}
