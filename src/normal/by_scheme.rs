//! Changes that the document of one scheme permits: of `mailto`, `urn` and `file`.

use memchr::{memchr, memrchr};

use super::authority::lower_case;
use super::change::{Change, ChangeSet};
use super::uri_writer::UriWriter;
use crate::scheme::namespace_len;

const CHANGES_OF_NAMES: ChangeSet = ChangeSet::EMPTY.with(Change::SchemeCase).with(Change::UrnComponents);

impl UriWriter<'_> {
    /// Reports whether the URI is a name without an authority that its scheme may change.
    pub(super) fn is_changed_by_scheme(&self) -> bool {
        self.has_any(CHANGES_OF_NAMES) && (self.is_name_of("mailto") || self.is_name_of("urn"))
    }

    fn is_name_of(&self, scheme: &str) -> bool {
        !self.has_authority() && self.scheme.eq_ignore_ascii_case(scheme)
    }

    /// Puts in lower case what has no case in the path that `out` ends with: the domains of `mailto`, the namespace of `urn`.
    pub(super) fn change_case_by_scheme(&self, start: usize, out: &mut str) {
        if !self.has(Change::SchemeCase) {
            return;
        }
        if self.is_name_of("mailto") {
            // A comma inside an address is an escape (RFC 6068 §2).
            let mut from = start;
            while from < out.len() {
                let end = memchr(b',', &out.as_bytes()[from..]).map_or(out.len(), |len| from + len);
                if let Some(at) = memrchr(b'@', &out.as_bytes()[from..end]) {
                    lower_case(&mut out[from + at..end]);
                }
                from = end + 1;
            }
        } else if self.is_name_of("urn") {
            let len = namespace_len(&out[start..]);
            out[start..start + len].make_ascii_lowercase();
        }
    }

    /// Reports whether the query and the fragment after a path, which is as it is written, are components of a URN that do not
    /// belong to its name.
    pub(super) fn drops_urn_components(&self, path: &str, query: &str) -> bool {
        self.has(Change::UrnComponents)
            && self.is_name_of("urn")
            && namespace_len(path) > 0
            && (query.is_empty() || query.starts_with("?+") || query.starts_with("?="))
    }

    pub(super) fn writes_authority(&self) -> bool {
        self.has_authority() || self.adds_empty_host()
    }

    /// Reports whether an empty authority is added. A path stays as it is if browsers find a host in it.
    pub(super) fn adds_empty_host(&self) -> bool {
        self.has(Change::Localhost)
            && self.is_name_of("file")
            && self.path.starts_with('/')
            && !self.is_path_host_for_browsers()
    }
}
