//! Nested URIs: bases that contain another URI, such as that of an archived page.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;

use crate::error::Error;
use crate::resolve::Base;
use crate::rules::Rules;
use crate::uri::{Uri, UriRef, UriText, scheme_end};
use crate::whatwg;

/// Splits a URI before the innermost URI in it. Returns the text before that, and the innermost URI.
///
/// The innermost URI is the last `scheme:/` that follows a slash, the `=` of a query, or the colon of a scheme that is at the start
/// or itself follows one of these, as in `view-source:http://h/`. One that is percent-encoded or comes after `#` does not count, and
/// neither does a drive letter: one letter and one slash, `C:/`. A URI that contains no other is its own innermost one.
///
/// No document says where URIs are nested; this is a decision. Cost: one pass.
///
/// ```
/// use relref::split_nested;
///
/// let page = "https://web.archive.org/web/2020/http://example.com/a?b";
/// assert_eq!(split_nested(page), ("https://web.archive.org/web/2020/", "http://example.com/a?b"));
/// assert_eq!(split_nested("view-source:http://h/"), ("view-source:", "http://h/"));
/// assert_eq!(split_nested("http://proxy/get?url=http://h/a"), ("http://proxy/get?url=", "http://h/a"));
/// assert_eq!(split_nested("http://h/login?back=http%3A//h/a").0, "");
/// ```
pub fn split_nested(uri: &str) -> (&str, &str) {
    let bytes = &uri.as_bytes()[..UriRef::split(uri).query_end];
    // The byte after the last delimiter, if a URI may start there.
    let mut start = Some(0);
    let (mut is_in_query, mut innermost) = (false, 0);
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'/' => start = Some(at + 1),
            b'=' if is_in_query => start = Some(at + 1),
            b'?' => is_in_query = true,
            b':' => {
                let scheme = start.filter(|&start| start + scheme_end(&bytes[start..=at]) == at + 1);
                let is_drive_letter = |start| at - start == 1 && bytes.get(at + 2) != Some(&b'/');
                if let (Some(start), Some(b'/')) = (scheme.filter(|&start| !is_drive_letter(start)), bytes.get(at + 1))
                {
                    innermost = start;
                }
                start = scheme.map(|_| at + 1);
            }
            _ => {}
        }
    }
    uri.split_at(innermost)
}

/// A base whose references are resolved against the [innermost URI](split_nested) in it, so that no reference leaves what contains
/// that URI. Made by [`Base::nested`] and [`whatwg::Base::nested`].
///
/// The text before the innermost URI is put before each result, also where the reference is absolute.
///
/// ```
/// use relref::whatwg::Base;
///
/// let page = Base::nested("https://web.archive.org/web/2020/http://example.com/list/page")?;
/// assert_eq!(page.resolve("?page=2")?, "https://web.archive.org/web/2020/http://example.com/list/page?page=2");
/// assert_eq!(page.resolve("//cdn.example/x")?, "https://web.archive.org/web/2020/http://cdn.example/x");
/// assert_eq!(page.resolve("../../../../g")?, "https://web.archive.org/web/2020/http://example.com/g");
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Nested<B> {
    prefix: Box<str>,
    base: B,
}

impl<B> Nested<B> {
    /// Returns the text before the innermost URI; it is empty if the URI contains no other.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns the innermost URI as a base.
    pub fn base(&self) -> &B {
        &self.base
    }

    fn inner_target<'t>(&self, target: &'t str) -> Option<&'t str> {
        target.strip_prefix(&*self.prefix)
    }
}

impl<'u> Base<&'u str> {
    /// Prepares a URI as a base that keeps what is before its [innermost URI](split_nested).
    ///
    /// # Errors
    /// The same as [`Base::new`].
    ///
    /// ```
    /// use relref::{Base, Rules};
    ///
    /// let page = Base::nested("view-source:http://h/a/b", Rules::RFC3986)?;
    /// assert_eq!(page.resolve("/g"), "view-source:http://h/g");
    /// assert_eq!(page.relativize("view-source:http://h/g").as_deref(), Some("/g"));
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn nested(uri: &'u str, rules: Rules) -> Result<Nested<Self>, Error> {
        let (prefix, inner) = split_nested(uri);
        Ok(Nested { prefix: prefix.into(), base: Base::new(inner, rules)? })
    }
}

impl<T: UriText> Nested<Base<T>> {
    /// Resolves a reference against the innermost URI, by [`Base::resolve`], and returns the result after the prefix.
    pub fn resolve(&self, reference: &(impl AsRef<str> + ?Sized)) -> String {
        let mut out = String::new();
        self.resolve_into(reference, &mut out);
        out
    }

    /// Does what [`resolve`](Nested::resolve) does, and appends the text of the result to `out`.
    pub fn resolve_into(&self, reference: &(impl AsRef<str> + ?Sized), out: &mut String) {
        out.push_str(&self.prefix);
        self.base.resolve_into(reference, out);
    }

    /// Returns the shortest reference that resolves to `target`, by [`Base::relativize`]. `None` if there is none: the target does
    /// not start with the prefix, or no absolute URI follows it.
    pub fn relativize<'t>(&self, target: &'t str) -> Option<Cow<'t, str>> {
        let target = self.inner_target(target).filter(|target| Uri::parse(*target).is_ok())?;
        Some(self.base.relativize(target))
    }
}

impl<'u> whatwg::Base<'u> {
    /// Parses the [innermost URI](split_nested) in a URI as a base, and keeps what is before it as it is written.
    ///
    /// # Errors
    /// The same as [`whatwg::Base::new`], for the innermost URI.
    pub fn nested(uri: &'u str) -> Result<Nested<Self>, whatwg::Error> {
        let (prefix, inner) = split_nested(uri);
        Ok(Nested { prefix: prefix.into(), base: whatwg::Base::new(inner)? })
    }
}

impl Nested<whatwg::Base<'_>> {
    /// Resolves a reference against the innermost URI, by [`whatwg::Base::resolve`], and returns the result after the prefix.
    ///
    /// # Errors
    /// The reference is not a valid URL with this base.
    pub fn resolve(&self, reference: &str) -> Result<String, whatwg::Error> {
        let mut out = String::new();
        self.resolve_into(reference, &mut out)?;
        Ok(out)
    }

    /// Does what [`resolve`](Nested::resolve) does, and appends the result to `out`.
    ///
    /// # Errors
    /// The reference is not a valid URL with this base. Then `out` is unchanged.
    pub fn resolve_into(&self, reference: &str, out: &mut String) -> Result<(), whatwg::Error> {
        let start = out.len();
        out.push_str(&self.prefix);
        self.base.resolve_into(reference, out).inspect_err(|_| out.truncate(start))
    }

    /// Returns the shortest reference that resolves to `target`, by [`whatwg::Base::relativize`]. `None` if there is none: the
    /// target does not start with the prefix, or no serialized URL follows it.
    pub fn relativize<'t>(&self, target: &'t str) -> Option<Cow<'t, str>> {
        let target =
            self.inner_target(target).filter(|target| whatwg::parse(target).is_ok_and(|href| href == *target))?;
        Some(self.base.relativize(target))
    }
}
