//! What is odd in a view: its warnings, scheme by scheme.

use alloc::vec::Vec;

use super::parts::{range, rest};
use super::view::View;
use super::warning::{Warning, WarningKind, octets};
use super::{GopherSearch, NewsTarget};

impl<'a> View<'a> {
    /// What a reader of the URI should know before using it: first what its scheme makes odd, then, from the left to the
    /// right, illegal escapes and control octets.
    ///
    /// Cost: one pass over the text, as the warnings are taken.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> + use<'a> {
        let mut warnings = Vec::new();
        if let Some(authority) = self.authority() {
            authority.warn(self.uri().as_str(), &mut warnings);
        }
        self.warn(&mut warnings);
        let separators = self.separators();
        let not_separator = move |warning: &Warning| !separators.contains(&Some(warning.range.start));
        warnings.into_iter().chain(octets(self.uri()).filter(not_separator))
    }

    /// Where the escaped controls stand that separate the parts of a gopher command, and the version of prospero.
    fn separators(&self) -> [Option<usize>; 2] {
        let before = |part: Option<&str>| range(self.uri().as_str(), part?).start.checked_sub(3);
        match self {
            View::Gopher(gopher) if gopher.form == Some(GopherSearch::Tab) => {
                [before(gopher.search), before(gopher.plus)]
            }
            View::Prospero(prospero) => [before(prospero.version), None],
            _ => [None; 2],
        }
    }

    /// What the scheme makes odd.
    fn warn(&self, warnings: &mut Vec<Warning>) {
        let uri = self.uri();
        let text = uri.as_str();
        let path = uri.path_start..uri.path_start;
        let mut warn = |kind, range| warnings.push(Warning { kind, range });
        let hostless = self.authority().is_none_or(|authority| authority.host.is_empty());
        match self {
            View::Mailto(_) | View::Mid(_) | View::Cid(_) | View::News(_) | View::Urn(_) | View::Generic(_) => {}
            View::File(file) if file.host.is_some() => {}
            _ if hostless => warn(WarningKind::Missing, path.clone()),
            _ => {}
        }
        match self {
            View::Gopher(gopher) => {
                if let Some(at) = gopher.selector.find('/') {
                    warn(WarningKind::GopherSlash, range(text, &gopher.selector[at..at + 1]));
                }
            }
            View::Ftp(ftp) => {
                if let (Some(code), None) = (ftp.type_code, ftp.data_type()) {
                    warn(WarningKind::UnknownType, range(text, code));
                }
            }
            View::Mailto(address) | View::Mid(address) | View::Cid(address) => {
                let whole = range(text, address.address);
                if is_bracketed(address.address) {
                    warn(WarningKind::AngleBrackets, whole.clone());
                }
                match self {
                    View::Cid(_) => warn(WarningKind::LocalOnly, whole),
                    _ if address.domain().is_none() => warn(WarningKind::Missing, whole.end..whole.end),
                    _ => {}
                }
            }
            View::News(news) => {
                if let Some(host) = uri.authority() {
                    warn(WarningKind::NoPlace, range(text, host));
                }
                match news.target {
                    None => warn(WarningKind::Missing, uri.query_end..uri.query_end),
                    Some(NewsTarget::Article(id)) if is_bracketed(id) => {
                        warn(WarningKind::AngleBrackets, range(text, id))
                    }
                    Some(_) => {}
                }
            }
            View::Nntp(nntp) => {
                warn(WarningKind::LocalOnly, 0..uri.query_end);
                match nntp.article {
                    _ if nntp.group.is_none() => warn(WarningKind::Missing, path),
                    Some(article) if nntp.article_number().is_none() => {
                        warn(WarningKind::UnreadableNumber, range(text, article));
                    }
                    _ => {}
                }
            }
            View::Telnet(_) | View::Rlogin(_) | View::Tn3270(_) => {
                if !matches!(rest(&uri), "" | "/") {
                    warn(WarningKind::NoPlace, uri.path_start..uri.query_end);
                }
            }
            View::Wais(wais) => {
                if wais.database.is_none() {
                    warn(WarningKind::Missing, path);
                }
            }
            View::File(file) => match file.host {
                Some(host) if !file.is_local() => warn(WarningKind::ForeignHost, range(text, host)),
                _ => warn(WarningKind::LocalOnly, 0..uri.query_end),
            },
            View::Prospero(prospero) => {
                if let Some(version @ "") = prospero.version {
                    warn(WarningKind::UnreadableNumber, range(text, version));
                }
            }
            View::Http(_) | View::Afs(_) | View::Urn(_) | View::Generic(_) => {}
        }
        match (self, self.authority()) {
            (View::Ftp(_) | View::Telnet(_) | View::Rlogin(_) | View::Tn3270(_) | View::Generic(_), _) | (_, None) => {}
            (_, Some(authority)) => {
                if let Some(userinfo) = authority.userinfo {
                    warnings.push(Warning { kind: WarningKind::NoPlace, range: range(text, userinfo) });
                }
            }
        }
    }
}

/// Whether an identifier is in angle brackets, as they are or as escapes.
fn is_bracketed(id: &str) -> bool {
    id.starts_with('<') || id.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("%3C"))
}
