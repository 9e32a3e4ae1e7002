//! The rule sets that `--rules` takes: the rules of documents, and browsers' rules.

use std::borrow::Cow;
use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

use relref::crawl::public_suffix;
use relref::scheme::Authority;
use relref::{Base, Error, Rules, UriRef, split_nested, whatwg};
use relref_links::html::PageBase;

use crate::output::shown;

/// A rule set by which references are resolved.
#[derive(Clone, Copy, PartialEq)]
pub enum RuleSet {
    /// The rules of a document. By these, every reference has a URI.
    Rules(Rules),
    /// Browsers' rules: the URL Standard.
    Whatwg,
}

impl RuleSet {
    pub const RFC3986: RuleSet = RuleSet::Rules(Rules::RFC3986);

    /// Returns all rule sets that `--rules` takes: the rules of documents, the oldest first, and then browsers' rules.
    pub fn all() -> impl Iterator<Item = RuleSet> {
        Rules::ALL.into_iter().map(RuleSet::Rules).chain([RuleSet::Whatwg])
    }

    /// Returns the name that `--rules` takes, such as `rfc3986`.
    pub fn name(self) -> &'static str {
        match self {
            RuleSet::Rules(rules) => rules.document.name(),
            RuleSet::Whatwg => "whatwg",
        }
    }

    /// Returns the title of the document that has the rules.
    pub fn title(self) -> &'static str {
        match self {
            RuleSet::Rules(rules) => rules.document.title(),
            RuleSet::Whatwg => "URL Standard of the WHATWG, as in browsers, June 2026",
        }
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

impl FromStr for RuleSet {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == RuleSet::Whatwg.name() {
            return Ok(RuleSet::Whatwg);
        }
        let known = |error: Error| error.to_string().replacen("expected ", "expected whatwg, ", 1);
        name.parse().map(RuleSet::Rules).map_err(known)
    }
}

/// A base, prepared for the rule set by which references are resolved against it.
pub struct RulesBase<'u> {
    /// The URI of the base, as it was given.
    pub uri: &'u str,
    /// The start of `uri` that is put before each result: the text before its innermost URI with `--nested`, otherwise nothing.
    pub prefix: &'u str,
    pub by: ByRules<'u>,
}

/// A base that is prepared for the rules of a document, or for browsers' rules.
pub enum ByRules<'u> {
    Rules(Base<&'u str>),
    Whatwg(whatwg::Base<'u>),
}

impl<'u> RulesBase<'u> {
    /// Prepares a base for a rule set. If `nested` is true, references are resolved against the innermost URI in it.
    ///
    /// # Errors
    /// The URI is not absolute or, by browsers' rules, not a valid URL. The error is the message.
    pub fn new(uri: &'u str, rules: RuleSet, nested: bool) -> Result<Self, String> {
        let (prefix, inner) = if nested { split_nested(uri) } else { ("", uri) };
        let by = match rules {
            RuleSet::Rules(rules) => Base::new(inner, rules).map(ByRules::Rules).map_err(|error| error.to_string()),
            RuleSet::Whatwg => whatwg::Base::new(inner).map(ByRules::Whatwg).map_err(|error| error.to_string()),
        };
        let by = by.map_err(|why| match missing_scheme(uri) {
            Some(known) => format!("{why}; did you mean {known}?"),
            None => why,
        })?;
        Ok(RulesBase { uri, prefix, by })
    }

    /// Returns the URI against which references are resolved.
    pub fn inner(&self) -> &'u str {
        &self.uri[self.prefix.len()..]
    }

    /// Returns the rule set for which the base was prepared.
    pub fn rules(&self) -> RuleSet {
        match &self.by {
            ByRules::Rules(base) => RuleSet::Rules(base.rules()),
            ByRules::Whatwg(_) => RuleSet::Whatwg,
        }
    }

    /// Appends the absolute URI of a reference to `out`.
    ///
    /// # Errors
    /// By browsers' rules, the reference is not a valid URL. By the rules of a document, there are no errors.
    pub fn resolve_into(&self, reference: &str, out: &mut String) -> Result<(), whatwg::Error> {
        let start = out.len();
        out.push_str(self.prefix);
        match &self.by {
            ByRules::Rules(base) => {
                base.resolve_into(reference, out);
                Ok(())
            }
            ByRules::Whatwg(base) => base.resolve_into(reference, out).inspect_err(|_| out.truncate(start)),
        }
    }

    /// Returns the shortest reference that resolves to a URI with this base.
    ///
    /// # Errors
    /// The URI does not start with the prefix, is not absolute or, by browsers' rules, not a valid URL. The error is the message.
    pub fn relativize<'t>(&self, uri: &'t str) -> Result<Cow<'t, str>, String> {
        let no_reference = || format!("no reference leads to it: it does not start with {}", shown(self.prefix));
        let uri = uri.strip_prefix(self.prefix).ok_or_else(no_reference)?;
        match &self.by {
            ByRules::Rules(base) => {
                let reference = base.relativize(uri);
                // A text that is not absolute comes back unchanged. The error of `Base::new` says why.
                if reference.len() == uri.len() {
                    Base::new(uri, base.rules()).map_err(|error| error.to_string())?;
                }
                Ok(reference)
            }
            ByRules::Whatwg(base) => {
                let href = whatwg::parse(uri).map_err(|error| error.to_string())?;
                Ok(if href == uri { base.relativize(uri) } else { Cow::Owned(base.relativize(&href).into_owned()) })
            }
        }
    }
}

/// Returns the URI that a base without a scheme probably is: if it starts with a host, the one of `https`. A host is an address,
/// `localhost`, or a name below a public suffix. Returns `None` for any other text, such as the name of a file.
fn missing_scheme(base: &str) -> Option<String> {
    let uri = format!("https://{}", base.strip_prefix("//").unwrap_or(base));
    let written = Authority::new(UriRef::new(&*uri).authority()?, None).host;
    let href = whatwg::parse(&uri).ok()?;
    let host = Authority::new(UriRef::new(&*href).authority()?, None).host;
    let is_address = || host.starts_with('[') || written.parse::<Ipv4Addr>().is_ok();
    let is_name = || public_suffix(host).is_some_and(|suffix| suffix != host);
    (host == "localhost" || is_address() || is_name()).then_some(uri)
}

impl<'b> From<&'b RulesBase<'_>> for PageBase<'b> {
    fn from(base: &'b RulesBase<'_>) -> Self {
        match &base.by {
            ByRules::Rules(base) => base.into(),
            ByRules::Whatwg(base) => base.into(),
        }
    }
}
