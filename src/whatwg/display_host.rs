//! Hosts as they are shown to people, where that cannot deceive them.

use alloc::borrow::Cow;
use alloc::string::String;

use idna::AsciiDenyList;
use idna::uts46::{Hyphens, Uts46};
use unicode_security::confusable_detection::skeleton;
use unicode_security::restriction_level::{RestrictionLevel, RestrictionLevelDetection};

use super::url::Url;
use crate::uri::Lend;

impl<'i, 'o, T: Lend<'i, 'o>> Url<T> {
    /// Returns the host to show to people: A-labels in Unicode, unless such a label could be taken for another one. Then it stays as in
    /// [`host`](Url::host), which is what programs compare. `None` without `//`.
    ///
    /// A label is shown in Unicode if it is at least *highly restrictive*: its characters are allowed in identifiers and of one script,
    /// or of the scripts of Chinese, Japanese or Korean with Latin; and if it does not look like US-ASCII throughout, as `аррӏе` in
    /// Cyrillic does.
    ///
    /// Source: UTS 46 §4 (ToUnicode), UTS 39 §4 and §5.2.
    ///
    /// ```
    /// use relref::whatwg::Url;
    ///
    /// let shown = |url: &str| Url::parse(url).unwrap().display_host().unwrap().into_owned();
    /// assert_eq!(shown("https://xn--bcher-kva.example/"), "bücher.example");
    /// assert_eq!(shown("https://pаypal.example/"), "xn--pypal-4ve.example"); // With a Cyrillic letter.
    /// assert_eq!(shown("http://127.1/"), "127.0.0.1");
    /// ```
    #[doc(alias("to_unicode", "domain_to_unicode"))]
    pub fn display_host(&'i self) -> Option<Cow<'o, str>> {
        let host = self.host()?;
        // A host without a special scheme is any text.
        if !self.is_special() || !host.contains("xn--") {
            return Some(Cow::Borrowed(host));
        }
        let is_shown = |label: &[char], _tld: &[char], _is_bidi: bool| is_safe(&label.iter().collect::<String>());
        let shown = Uts46::new().to_user_interface(host.as_bytes(), AsciiDenyList::URL, Hyphens::Allow, is_shown);
        Some(match shown {
            (shown, Ok(())) => shown,
            _ => Cow::Borrowed(host),
        })
    }
}

/// `label` has characters beyond US-ASCII.
fn is_safe(label: &str) -> bool {
    label.check_restriction_level(RestrictionLevel::HighlyRestrictive) && !skeleton(label).all(|c| c.is_ascii())
}
