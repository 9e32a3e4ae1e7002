//! `Url`: parsing a text, resolving a reference against it, and relativizing.

use alloc::borrow::Cow;
use alloc::string::String;

use super::Url;
use crate::uri::{UriRef, UriText};
use crate::whatwg::error::Error;
use crate::whatwg::parse::{parse, resolve_prepared};
use crate::whatwg::prepared_base::BaseParts;
use crate::whatwg::relativize::relativize;

impl Url<String> {
    /// Parses a URL without a base. Spaces and controls around it are removed. Cost: linear time; a URL that is written as the
    /// Standard serializes it is only copied.
    ///
    /// # Errors
    /// The Standard's parser returns failure: there is no scheme, or an impossible host or port.
    ///
    /// ```
    /// use relref::whatwg::Url;
    ///
    /// assert_eq!(Url::parse("http://0x7f.1/a/../%7Eb")?, "http://127.0.0.1/%7Eb");
    /// assert_eq!(Url::parse("/a").unwrap_err().kind().name(), "missing-scheme-non-relative-URL");
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub fn parse(url: impl AsRef<str>) -> Result<Self, Error> {
        parse(url.as_ref()).map(|href| Url::of_serialized(UriRef::new(href)))
    }
}

impl<T: UriText> Url<T> {
    /// Resolves one reference against this URL. For several references, make a [`Base`](crate::whatwg::Base) once.
    ///
    /// # Errors
    /// The same as [`Base::resolve`](crate::whatwg::Base::resolve).
    #[doc(alias = "resolve")]
    pub fn join(&self, reference: impl AsRef<str>) -> Result<Url, Error> {
        let parts = BaseParts::of_serialized(self.as_uri_ref());
        let href = resolve_prepared(parts.with_text(self.as_ref()), reference.as_ref())?;
        Ok(Url::of_serialized(UriRef::new(href)))
    }

    /// Returns the shortest reference by which this URL, as a base, leads to `target`, as [`Base::relativize`](crate::whatwg::Base::relativize)
    /// does. A text that is no serialized URL stays.
    ///
    /// ```
    /// use relref::whatwg::Url;
    ///
    /// let (page, image) = (Url::parse("http://h/a/b")?, Url::parse("http://h/c.png")?);
    /// assert_eq!(page.relativize(&image), "/c.png");
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub fn relativize<'t>(&self, target: &'t (impl AsRef<str> + ?Sized)) -> Cow<'t, str> {
        relativize(BaseParts::of_serialized(self.as_uri_ref()).with_text(self.as_ref()), target.as_ref())
    }
}
