//! The kinds of `link` elements, by their `rel`.

use super::link::Kind;

/// Returns the kind of a `link` element by its `rel`, the relation types in upper or lower case, with white space between them
/// (HTML §4.6.7, and the practice of browsers and crawlers).
///
/// It is a resource if any type is one of [`RESOURCES`]. Otherwise it is metadata if all types are in [`METADATA`] or start with
/// `schema.`, or if there is no type. Otherwise it is a hyperlink: so are most registered types and all unknown ones.
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

/// The relation types of resources, in lower case.
#[rustfmt::skip]
const RESOURCES: [&str; 15] = [
    "apple-touch-icon", "apple-touch-icon-precomposed", "apple-touch-startup-image", "compression-dictionary", "fluid-icon",
    "icon", "image_src", "import", "manifest", "mask-icon", "modulepreload", "prefetch", "preload", "prerender", "stylesheet",
];

/// The relation types of metadata, in lower case, except those that start with `schema.`.
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
        assert!(RESOURCES.is_sorted() && METADATA.is_sorted());
    }
}
