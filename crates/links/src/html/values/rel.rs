//! The kinds of `link` elements, by their `rel`.

use crate::html::kind::Kind;

/// Returns the kind of a link with this `rel`, by HTML §4.6.7 and the practice of browsers and crawlers. Most registered types, and
/// all unknown ones, are hyperlinks.
pub(crate) fn link_kind(rel: &str) -> Kind {
    let mut kind = Kind::Metadata;
    for token in rel.split_ascii_whitespace() {
        let is = |names: &[&str]| names.iter().any(|name| token.eq_ignore_ascii_case(name));
        if is(&RESOURCES) {
            return Kind::Resource;
        }
        let is_schema = token.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("schema."));
        if !is_schema && !is(&METADATA) {
            kind = Kind::Hyperlink;
        }
    }
    kind
}

/// The most frequent first, then sorted.
#[rustfmt::skip]
const RESOURCES: [&str; 15] = [
    "stylesheet", "icon", "preload",
    "apple-touch-icon", "apple-touch-icon-precomposed", "apple-touch-startup-image", "compression-dictionary", "fluid-icon",
    "image_src", "import", "manifest", "mask-icon", "modulepreload", "prefetch", "prerender",
];

/// Types that start with `schema.` are metadata, too.
#[rustfmt::skip]
const METADATA: [&str; 9] = [
    "canonical", "dns-prefetch", "expect", "openid.delegate", "openid.server", "pingback", "preconnect", "profile", "webmention",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resource_before_hyperlink_before_metadata() {
        for (rel, kind) in [
            ("", Kind::Metadata),
            (" \n", Kind::Metadata),
            ("canonical Schema.dc", Kind::Metadata),
            ("canonical unknown", Kind::Hyperlink),
            ("schema", Kind::Hyperlink),
            ("next ICON canonical", Kind::Resource),
            ("icons", Kind::Hyperlink),
        ] {
            assert_eq!(link_kind(rel), kind, "{rel}");
        }
        assert!(RESOURCES[3..].is_sorted() && METADATA.is_sorted());
    }
}
