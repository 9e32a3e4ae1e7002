//! The peers that follow the URL Standard.

use std::hint::black_box;

use super::{Contender, Relativizer};

/// The crate url, which follows the URL Standard instead of RFC 3986.
pub struct Url;

impl Contender for Url {
    const FILLS_BUFFERS: bool = false;
    type Base<'a> = url::Url;
    type Resolved = url::Url;
    type Split<'a> = url::Url;

    fn name() -> String {
        String::from("url")
    }

    fn base(text: &str) -> Option<url::Url> {
        url::Url::parse(text).ok()
    }

    fn resolve_into(base: &url::Url, reference: &str, _: &mut String) -> Option<()> {
        black_box(Self::resolve(base, reference)?);
        Some(())
    }

    fn resolve(base: &url::Url, reference: &str) -> Option<url::Url> {
        url::Url::options().base_url(Some(base)).parse(reference).ok()
    }

    fn text(resolved: &url::Url) -> &str {
        resolved.as_str()
    }

    fn split(text: &str) -> Option<url::Url> {
        url::Url::parse(text).ok()
    }
}

impl Relativizer for Url {
    type Reference<'t> = String;

    fn relativize(base: &url::Url, target: &str) -> Option<String> {
        base.make_relative(&url::Url::parse(target).ok()?)
    }
}

/// ada, which also follows the URL Standard. It takes the base as text each time.
pub struct Ada;

impl Contender for Ada {
    const FILLS_BUFFERS: bool = false;
    type Base<'a> = &'a str;
    type Resolved = ada_url::Url;
    type Split<'a> = ada_url::Url;

    fn name() -> String {
        String::from("ada-url")
    }

    fn base(text: &str) -> Option<&str> {
        Some(text)
    }

    fn resolve_into(base: &&str, reference: &str, _: &mut String) -> Option<()> {
        black_box(Self::resolve(base, reference)?);
        Some(())
    }

    fn resolve(base: &&str, reference: &str) -> Option<ada_url::Url> {
        ada_url::Url::parse(reference, Some(base)).ok()
    }

    fn text(resolved: &ada_url::Url) -> &str {
        resolved.href()
    }

    fn split(text: &str) -> Option<ada_url::Url> {
        ada_url::Url::parse(text, None).ok()
    }
}
