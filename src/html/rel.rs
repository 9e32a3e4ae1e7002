//! The types of `link` elements.

use super::link::Kind;

/// What a `link` element is for, by its `rel` (HTML §4.6.7, and what browsers and crawlers make of it).
///
/// What is fetched for the page wins over what leads elsewhere, and that over what only names something. A type that nobody
/// knows leads elsewhere, as most registered ones do; without a type the element links nothing.
pub(super) fn link_kind(rel: &str) -> Kind {
    let mut kind = Kind::Metadata;
    for token in rel.split_ascii_whitespace() {
        let is = |names: &[&str]| names.iter().any(|name| token.eq_ignore_ascii_case(name));
        if is(&RESOURCES) {
            return Kind::Resource;
        }
        let schema = token.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("schema."));
        if !schema && !is(&METADATA) {
            kind = Kind::Hyperlink;
        }
    }
    kind
}

const RESOURCES: [&str; 15] = [
    "apple-touch-icon",
    "apple-touch-icon-precomposed",
    "apple-touch-startup-image",
    "compression-dictionary",
    "fluid-icon",
    "icon",
    "image_src",
    "import",
    "manifest",
    "mask-icon",
    "modulepreload",
    "prefetch",
    "preload",
    "prerender",
    "stylesheet",
];

const METADATA: [&str; 9] = [
    "canonical",
    "dns-prefetch",
    "expect",
    "openid.delegate",
    "openid.server",
    "pingback",
    "preconnect",
    "profile",
    "webmention",
];
