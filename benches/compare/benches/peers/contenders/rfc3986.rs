//! The peers that follow RFC 3986.

use std::hint::black_box;

use fluent_uri::resolve::Resolver;
use iri_string::format::{ToDedicatedString, try_append_to_string};
use iri_string::normalize::Normalized;
use iri_string::resolve::FixedBaseResolver;
use iri_string::spec::UriSpec;
use iri_string::types::{UriAbsoluteStr, UriReferenceStr, UriStr, UriString};
use oxiri::{Iri, IriRef};

use super::{Contender, Relativizer};

/// oxiri, without validation.
pub struct OxiriUnchecked;

impl Contender for OxiriUnchecked {
    const FILLS_BUFFERS: bool = true;
    type Base<'a> = Iri<&'a str>;
    type Resolved = IriRef<String>;
    type Split<'a> = IriRef<&'a str>;

    fn name() -> String {
        String::from("oxiri unchecked")
    }

    fn base(text: &str) -> Option<Iri<&str>> {
        Some(Iri::parse_unchecked(text))
    }

    fn resolve_into(base: &Iri<&str>, reference: &str, out: &mut String) -> Option<()> {
        base.resolve_into_unchecked(&IriRef::parse_unchecked(reference), out);
        Some(())
    }

    fn resolve(base: &Iri<&str>, reference: &str) -> Option<IriRef<String>> {
        Some(base.resolve_unchecked(&IriRef::parse_unchecked(reference)).into())
    }

    fn text(resolved: &IriRef<String>) -> &str {
        resolved.as_str()
    }

    fn split(text: &str) -> Option<IriRef<&str>> {
        Some(IriRef::parse_unchecked(text))
    }
}

impl Relativizer for OxiriUnchecked {
    type Reference<'t> = IriRef<String>;

    fn relativize(base: &Iri<&str>, target: &str) -> Option<IriRef<String>> {
        base.relativize(&Iri::parse_unchecked(target)).ok()
    }
}

/// oxiri, with validation.
pub struct Oxiri;

impl Contender for Oxiri {
    const FILLS_BUFFERS: bool = true;
    type Base<'a> = Iri<&'a str>;
    type Resolved = IriRef<String>;
    type Split<'a> = IriRef<&'a str>;

    fn name() -> String {
        String::from("oxiri")
    }

    fn base(text: &str) -> Option<Iri<&str>> {
        Iri::parse(text).ok()
    }

    fn resolve_into(base: &Iri<&str>, reference: &str, out: &mut String) -> Option<()> {
        base.resolve_into(&IriRef::parse(reference).ok()?, out).ok()
    }

    fn resolve(base: &Iri<&str>, reference: &str) -> Option<IriRef<String>> {
        base.resolve(&IriRef::parse(reference).ok()?).ok().map(Into::into)
    }

    fn text(resolved: &IriRef<String>) -> &str {
        resolved.as_str()
    }

    fn split(text: &str) -> Option<IriRef<&str>> {
        IriRef::parse(text).ok()
    }
}

impl Relativizer for Oxiri {
    type Reference<'t> = IriRef<String>;

    fn relativize(base: &Iri<&str>, target: &str) -> Option<IriRef<String>> {
        base.relativize(&Iri::parse(target).ok()?).ok()
    }
}

pub struct FluentUri;

impl Contender for FluentUri {
    const FILLS_BUFFERS: bool = false;
    type Base<'a> = Resolver<fluent_uri::Uri<&'a str>>;
    type Resolved = fluent_uri::Uri<String>;
    type Split<'a> = fluent_uri::UriRef<&'a str>;

    fn name() -> String {
        String::from("fluent-uri")
    }

    fn base(text: &str) -> Option<Self::Base<'_>> {
        Some(Resolver::with_base(fluent_uri::Uri::parse(text).ok()?))
    }

    fn resolve_into(base: &Self::Base<'_>, reference: &str, _: &mut String) -> Option<()> {
        black_box(Self::resolve(base, reference)?);
        Some(())
    }

    fn resolve(base: &Self::Base<'_>, reference: &str) -> Option<Self::Resolved> {
        base.resolve(&fluent_uri::UriRef::parse(reference).ok()?).ok()
    }

    fn text(resolved: &Self::Resolved) -> &str {
        resolved.as_str()
    }

    fn split(text: &str) -> Option<Self::Split<'_>> {
        fluent_uri::UriRef::parse(text).ok()
    }
}

pub struct IriString;

impl Contender for IriString {
    const FILLS_BUFFERS: bool = true;
    type Base<'a> = FixedBaseResolver<'a, UriSpec>;
    type Resolved = UriString;
    type Split<'a> = &'a UriReferenceStr;

    fn name() -> String {
        String::from("iri-string")
    }

    fn base(text: &str) -> Option<Self::Base<'_>> {
        Some(FixedBaseResolver::new(UriAbsoluteStr::new(text).ok()?))
    }

    fn resolve_into(base: &Self::Base<'_>, reference: &str, out: &mut String) -> Option<()> {
        try_append_to_string(out, &resolve_iri_string(base, reference)?).ok()
    }

    fn resolve(base: &Self::Base<'_>, reference: &str) -> Option<UriString> {
        Some(resolve_iri_string(base, reference)?.to_dedicated_string())
    }

    fn text(resolved: &UriString) -> &str {
        resolved.as_str()
    }

    fn split(text: &str) -> Option<&UriReferenceStr> {
        UriReferenceStr::new(text).ok()
    }
}

/// Resolves a reference with iri-string. `None` if the reference is not valid.
fn resolve_iri_string<'r>(base: &FixedBaseResolver<'r, UriSpec>, reference: &'r str) -> Option<Normalized<'r, UriStr>> {
    Some(base.resolve(UriReferenceStr::new(reference).ok()?))
}
