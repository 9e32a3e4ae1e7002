//! Rule sets of either kind: those of documents and browsers' rules, by which one type of base resolves.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::error::{Error, ErrorKind};
use crate::names::ValueNames;
use crate::nested::split_nested;
use crate::reference_form::ReferenceForm;
use crate::resolve::{Base, Explanation};
use crate::rules::{self, Rules};
use crate::uri::Uri;
use crate::whatwg;

/// The rules by which references are resolved: those of a document, or browsers' rules, which are the default.
///
/// ```
/// use relref::{AnyBase, RuleSet, Rules};
///
/// let rules: RuleSet = "whatwg".parse()?;
/// assert_eq!(AnyBase::new("http://h/a/b", rules)?.resolve("c d\\e")?, "http://h/a/c%20d/e");
/// assert_eq!("rfc3986".parse(), Ok(RuleSet::Rules(Rules::RFC3986)));
/// assert_eq!("browsers".parse(), Ok(RuleSet::Whatwg));
/// assert_eq!(RuleSet::default(), RuleSet::Whatwg);
/// assert_eq!(RuleSet::ALL.last(), Some(&RuleSet::Whatwg));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// The rules of a document. By these, every reference has a URI.
    Rules(Rules),
    /// Browsers' rules: the URL Standard, as in [`whatwg`].
    #[default]
    Whatwg,
}

impl RuleSet {
    /// All rule sets: those of [`Rules::ALL`], the oldest first, and then browsers' rules.
    pub const ALL: &[RuleSet] = &{
        let mut all = [RuleSet::Whatwg; Rules::ALL.len() + 1];
        let mut index = 0;
        while index < Rules::ALL.len() {
            all[index] = RuleSet::Rules(Rules::ALL[index]);
            index += 1;
        }
        all
    };

    /// Returns the name, such as `rfc3986` or `whatwg`. [`Display`](fmt::Display) also writes `+lenient`, and `+changed` for a mix.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RuleSet::Rules(rules) => rules.name(),
            RuleSet::Whatwg => "whatwg",
        }
    }

    /// Returns the title and date of the document that has the rules.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            RuleSet::Rules(rules) => rules.document.title(),
            RuleSet::Whatwg => "URL Standard of the WHATWG, as in browsers, June 2026",
        }
    }
}

impl From<&RuleSet> for RuleSet {
    fn from(rules: &RuleSet) -> Self {
        *rules
    }
}

impl From<&Rules> for RuleSet {
    fn from(rules: &Rules) -> Self {
        RuleSet::Rules(*rules)
    }
}

impl From<Rules> for RuleSet {
    fn from(rules: Rules) -> Self {
        RuleSet::Rules(rules)
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleSet::Rules(rules) => rules.fmt(f),
            RuleSet::Whatwg => f.pad(self.name()),
        }
    }
}

/// Parses a name, that of a document with or without `+lenient`; browsers' rules are also `browsers` or `browser`. The error lists the names and suggests the nearest.
impl FromStr for RuleSet {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        // A suggestion costs much, so that of `Rules` is not computed for a name that is known.
        if matches!(text, "whatwg" | "browser" | "browsers") {
            return Ok(RuleSet::Whatwg);
        }
        match Rules::known(text) {
            Some(rules) => Ok(RuleSet::Rules(rules)),
            // An ending that browsers' rules do not have must not be suggested.
            None if text.starts_with(RuleSet::Whatwg.name()) => Err(Error::unknown_name(PLAIN_NAMES.unknown(text))),
            None => Err(Error::unknown_name(NAMES.unknown(text))),
        }
    }
}

const NAMES: &ValueNames = &ValueNames {
    all: &{
        let mut names = [""; RuleSet::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = RuleSet::ALL[index].name();
            index += 1;
        }
        names
    },
    ..*rules::NAMES
};

const PLAIN_NAMES: &ValueNames = &ValueNames { ending: None, ..*NAMES };

/// A base for the rules of a document or for browsers' rules. It can be [nested](AnyBase::nested): then references are resolved
/// against the innermost URI in it, so that no reference leaves what contains that URI.
///
/// It owns its text, so that a struct can keep it.
///
/// ```
/// use relref::{AnyBase, RuleSet, Rules};
///
/// let page = AnyBase::new("http://example.com/docs/", RuleSet::Whatwg)?;
/// assert_eq!(page.resolve("a b\\c")?, "http://example.com/docs/a%20b/c");
/// let page = AnyBase::new("http://example.com/docs/", Rules::RFC3986)?;
/// assert_eq!(page.resolve("a b\\c")?, "http://example.com/docs/a b\\c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AnyBase {
    uri: String,
    prefix_len: usize,
    inner: InnerBase,
}

/// The base against which references are resolved, by its kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InnerBase {
    /// A base by the rules of a document.
    Rules(Base),
    /// A base by browsers' rules.
    Whatwg(whatwg::Base),
}

impl AnyBase {
    /// Prepares a URI as a base.
    ///
    /// # Errors
    /// The URI has no scheme or, by browsers' rules, is not a valid URL.
    pub fn new(uri: impl AsRef<str>, rules: impl Into<RuleSet>) -> Result<Self, BaseError> {
        AnyBase::after_prefix(uri.as_ref(), 0, rules.into())
    }

    /// Does what [`new`](AnyBase::new) does.
    ///
    /// # Errors
    /// The same as [`new`](AnyBase::new).
    pub fn parse(uri: impl AsRef<str>, rules: impl Into<RuleSet>) -> Result<Self, BaseError> {
        AnyBase::new(uri, rules)
    }

    /// Prepares the [innermost URI](split_nested) in a URI as a base, and keeps the text before it: that is put before each result,
    /// also where the reference is absolute.
    ///
    /// # Errors
    /// The same as [`new`](AnyBase::new), about the innermost URI.
    ///
    /// ```
    /// use relref::{AnyBase, RuleSet};
    ///
    /// let page = AnyBase::nested("https://web.archive.org/web/2020/http://example.com/list/page", RuleSet::Whatwg)?;
    /// assert_eq!(page.resolve("?page=2")?, "https://web.archive.org/web/2020/http://example.com/list/page?page=2");
    /// assert_eq!(page.resolve("//cdn.example/x")?, "https://web.archive.org/web/2020/http://cdn.example/x");
    /// assert_eq!(page.resolve("../../../../g")?, "https://web.archive.org/web/2020/http://example.com/g");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nested(uri: impl AsRef<str>, rules: impl Into<RuleSet>) -> Result<Self, BaseError> {
        let uri = uri.as_ref();
        AnyBase::after_prefix(uri, split_nested(uri).0.len(), rules.into())
    }

    fn after_prefix(uri: &str, prefix_len: usize, rules: RuleSet) -> Result<Self, BaseError> {
        let innermost = &uri[prefix_len..];
        let inner = match rules {
            RuleSet::Rules(rules) => InnerBase::Rules(Base::new(innermost, rules).map_err(BaseError::Rules)?),
            RuleSet::Whatwg => InnerBase::Whatwg(whatwg::Base::new(innermost).map_err(BaseError::Whatwg)?),
        };
        Ok(AnyBase { uri: String::from(uri), prefix_len, inner })
    }

    /// Returns the URI of the base, as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.uri
    }

    /// Returns the text put before each result; empty unless the base is [nested](AnyBase::nested) and contains another URI.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.uri[..self.prefix_len]
    }

    /// Returns the URI after the prefix, against which references are resolved, as it was given.
    #[must_use]
    pub fn innermost(&self) -> &str {
        &self.uri[self.prefix_len..]
    }

    /// Returns the base against which references are resolved.
    #[must_use]
    pub fn inner(&self) -> &InnerBase {
        &self.inner
    }

    /// Returns the rule set.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        match &self.inner {
            InnerBase::Rules(base) => RuleSet::Rules(base.rules()),
            InnerBase::Whatwg(_) => RuleSet::Whatwg,
        }
    }

    /// Returns the absolute URI that a reference means.
    ///
    /// # Errors
    /// By browsers' rules, the reference is not a valid URL with this base. By the rules of a document, there are no errors.
    pub fn resolve(&self, reference: &(impl AsRef<str> + ?Sized)) -> Result<String, whatwg::Error> {
        let mut out = String::new();
        self.resolve_into(reference, &mut out)?;
        Ok(out)
    }

    /// Does what [`resolve`](AnyBase::resolve) does, and appends the result to `out`.
    ///
    /// # Errors
    /// The same as [`resolve`](AnyBase::resolve). Then `out` is unchanged.
    #[inline]
    pub fn resolve_into(&self, reference: &(impl AsRef<str> + ?Sized), out: &mut String) -> Result<(), whatwg::Error> {
        let start = out.len();
        out.push_str(self.prefix());
        match &self.inner {
            InnerBase::Rules(base) => {
                base.resolve_into(reference, out);
                Ok(())
            }
            InnerBase::Whatwg(base) => base.resolve_into(reference, out).inspect_err(|_| out.truncate(start)),
        }
    }

    /// Resolves a reference against the [innermost](AnyBase::innermost) URI, and returns the steps with the result, as
    /// [`Base::explain`] does. `None` by browsers' rules, which have no steps of a document.
    ///
    /// ```
    /// use relref::{AnyBase, Rules};
    ///
    /// let page = AnyBase::new("http://example.com/a/b", Rules::RFC3986)?;
    /// assert_eq!(page.explain("../c").unwrap().uri, "http://example.com/c");
    /// # Ok::<(), relref::BaseError>(())
    /// ```
    #[must_use]
    pub fn explain<'b>(&'b self, reference: &'b (impl AsRef<str> + ?Sized)) -> Option<Explanation<'b>> {
        match &self.inner {
            InnerBase::Rules(base) => Some(base.explain(reference)),
            InnerBase::Whatwg(_) => None,
        }
    }

    /// Returns the shortest reference that resolves to `target`; the target after the prefix if none is shorter, or if the rules change
    /// it, as those that remove its dots. `None` if it does not start with the [prefix](AnyBase::prefix), or no absolute URI follows
    /// that; by browsers' rules, no serialized URL.
    ///
    /// ```
    /// use relref::{AnyBase, Rules};
    ///
    /// let page = AnyBase::nested("view-source:http://h/a/b", Rules::RFC3986)?;
    /// assert_eq!(page.relativize("view-source:http://h/g").as_deref(), Some("/g"));
    /// assert_eq!(page.relativize("http://h/g"), None);
    /// # Ok::<(), relref::BaseError>(())
    /// ```
    #[must_use]
    pub fn relativize<'t>(&self, target: &'t (impl AsRef<str> + ?Sized)) -> Option<Cow<'t, str>> {
        self.relativize_as(target, ReferenceForm::Shortest)
    }

    /// Does what [`relativize`](AnyBase::relativize) does, for references of a form.
    #[must_use]
    pub fn relativize_as<'t>(
        &self,
        target: &'t (impl AsRef<str> + ?Sized),
        form: ReferenceForm,
    ) -> Option<Cow<'t, str>> {
        let target = target.as_ref().strip_prefix(self.prefix())?;
        match &self.inner {
            InnerBase::Rules(base) => Uri::new(target).is_ok().then(|| base.relativize_as(target, form)),
            InnerBase::Whatwg(base) => {
                whatwg::parse(target).is_ok_and(|href| href == target).then(|| base.relativize_as(target, form))
            }
        }
    }
}

impl AsRef<str> for AnyBase {
    fn as_ref(&self) -> &str {
        &self.uri
    }
}

/// Writes the URI, as it was given.
impl fmt::Display for AnyBase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.uri)
    }
}

/// A base by any rules: [`Base`], [`whatwg::Base`] or [`AnyBase`]. Sealed.
pub trait Resolves: sealed::Resolves {}

impl<B: sealed::Resolves> Resolves for B {}

mod sealed {
    use super::{AnyBase, Base, Error, String, whatwg};

    /// No other crate can name this trait, so none can implement [`Resolves`](super::Resolves).
    pub trait Resolves {
        /// Fails if the reference is not a valid URL by browsers' rules. Then `out` is unchanged.
        fn append_resolved(&self, reference: &str, out: &mut String) -> Result<(), Error>;
    }

    impl Resolves for Base {
        fn append_resolved(&self, reference: &str, out: &mut String) -> Result<(), Error> {
            self.resolve_into(reference, out);
            Ok(())
        }
    }

    impl Resolves for whatwg::Base {
        fn append_resolved(&self, reference: &str, out: &mut String) -> Result<(), Error> {
            Ok(self.resolve_into(reference, out)?)
        }
    }

    impl Resolves for AnyBase {
        fn append_resolved(&self, reference: &str, out: &mut String) -> Result<(), Error> {
            Ok(self.resolve_into(reference, out)?)
        }
    }
}

/// The reason why a text is no base by a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BaseError {
    /// The rules are those of a document, and the text has no scheme.
    Rules(Error),
    /// The rules are those of browsers, and the text is not a valid URL.
    Whatwg(whatwg::Error),
}

impl BaseError {
    /// Returns the kind of the error: [`NoScheme`](ErrorKind::NoScheme), or [`NotUrl`](ErrorKind::NotUrl) by browsers' rules.
    ///
    /// ```
    /// use relref::{AnyBase, ErrorKind, RuleSet, Rules};
    ///
    /// let error = AnyBase::new("http://h:99999/", RuleSet::Whatwg).unwrap_err();
    /// assert_eq!((error.kind(), error.position()), (ErrorKind::NotUrl, 9));
    /// assert_eq!(AnyBase::new("/a", Rules::RFC3986).unwrap_err().kind(), ErrorKind::NoScheme);
    /// ```
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        Error::from(*self).kind()
    }

    /// Returns the index of the byte where the text does not fit, in the [innermost](AnyBase::innermost) URI.
    #[must_use]
    pub fn position(&self) -> usize {
        match self {
            BaseError::Rules(error) => error.position(),
            BaseError::Whatwg(error) => error.position(),
        }
    }
}

impl fmt::Display for BaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BaseError::Rules(error) => error.fmt(f),
            BaseError::Whatwg(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for BaseError {}

/// The kind of a browsers' error becomes [`NotUrl`](crate::ErrorKind::NotUrl).
impl From<BaseError> for Error {
    fn from(error: BaseError) -> Error {
        match error {
            BaseError::Rules(error) => error,
            BaseError::Whatwg(error) => error.into(),
        }
    }
}
