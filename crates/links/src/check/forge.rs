//! Forges, which show the files of a repository at several URIs.

/// The URIs at which a forge shows the files of a branch.
pub(super) struct Forge {
    /// Others than that of the root.
    pub(super) others: Vec<String>,
}

impl Forge {
    /// `root` is the URI of the root of the repository as GitHub has it, `https://github.com/OWNER/NAME/blob/BRANCH/`, or GitLab, with
    /// `/-/` before `blob`.
    pub(super) fn of(root: &str) -> Option<Self> {
        const VIEWS: [&str; 4] = ["/blob/", "/tree/", "/raw/", "/blame/"];
        let view = VIEWS.into_iter().find(|view| root.contains(view))?;
        let (repository, branch) = root.split_once(view)?;
        // The scheme, nothing, the host, the owner and the name.
        if repository.split('/').count() < 5 || branch.trim_end_matches('/').is_empty() {
            return None;
        }
        let others = VIEWS.into_iter().filter(|other| *other != view);
        Some(Forge { others: others.map(|other| [repository, other, branch].concat()).collect() })
    }

    /// Returns the part of a URI that follows one of the root's.
    pub(super) fn below<'u>(&self, uri: &'u str) -> Option<&'u str> {
        self.others.iter().find_map(|root| uri.strip_prefix(root.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forges_have_several_views_of_a_file() {
        for (root, uri, below) in [
            ("https://github.com/o/r/blob/main/", "https://github.com/o/r/tree/main/a/b", Some("a/b")),
            ("https://github.com/o/r/tree/main/", "https://github.com/o/r/blob/main/a.md", Some("a.md")),
            ("https://github.com/o/r/blob/main/", "https://github.com/o/r/tree/dev/a", None),
            ("https://github.com/o/r/blob/main/", "https://github.com/o/other/tree/main/a", None),
            ("https://gitlab.com/g/s/r/-/blob/main/", "https://gitlab.com/g/s/r/-/raw/main/a.png", Some("a.png")),
        ] {
            assert_eq!(Forge::of(root).and_then(|forge| forge.below(uri)), below, "{root} {uri}");
        }
        for root in ["https://example.com/blob/x/", "https://example.com/", "https://github.com/o/r/blob/"] {
            assert!(Forge::of(root).is_none(), "{root}");
        }
    }
}
