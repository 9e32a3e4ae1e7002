//! The table of the attributes that hold links.
//!
//! To add an attribute, add a row. [`Attribute`], its names, how its values are read and which option reports it follow from
//! the table. So does the table in the documentation of [`relref_links::html`](crate::html): a test fails if it differs.

use super::element::Element;
use super::short_name::{ShortName, ShortNames};
use crate::html::kind::Kind;

pub(crate) struct LinkAttribute {
    /// In lower case.
    pub(crate) name: &'static str,
    /// The element must have this other attribute with this value, in upper or lower case.
    pub(crate) condition: Option<(Attribute, &'static str)>,
    pub(crate) syntax: Syntax,
    /// `None` if [`href_kind`](crate::html::values::references::href_kind) chooses it.
    pub(crate) kind: Option<Kind>,
    pub(crate) base: LinkBase,
    option: ReportOption,
    /// The columns "of" and "from" of the documentation: the only element (`None` for any), and the documents that define it.
    #[cfg(test)]
    documentation: (Option<Element>, &'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    Reference,
    References,
    /// Separated by white space, on `applet` by commas.
    Archive,
    Srcset,
    /// A reference with a dot or slash; other values are no references.
    File,
    Css,
    /// A CSS value, of an attribute that is one in SVG only.
    SvgCss,
    /// A reference, or a CSS value with a `url()`.
    Background,
    Refresh,
    /// A page of its own, without a URI.
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkBase {
    Page,
    /// The `codebase` of an `object` or `applet`; without one, as `Page`. The links are rejected if the `codebase` gives no URI.
    Codebase,
}

/// The option of [`Options`](crate::html::Options) that must be on for the links to be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReportOption {
    Always,
    Lazy,
    Items,
}

macro_rules! attributes {
    (
        links { $($link:ident $name:literal $(of $element:ident)? $(if $other:ident = $required:literal)?,
            $syntax:ident, $kind:ident, $base:ident, $option:ident, $documents:literal;)* }
        others { $($about:ident $about_name:literal $(of $about_element:ident)?;)* }
    ) => {
        /// Some hold no links, but matter for them in another way, such as `rel`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Attribute {
            $($link,)*
            $($about,)*
        }

        impl Attribute {
            /// `name` must be in lower case. `None` if no attribute of that name matters on this element.
            pub(crate) fn new(name: &[u8], element: Element) -> Option<Self> {
                match name {
                    $($name $(if element == Element::$element)? => Some(Attribute::$link),)*
                    $($about_name $(if element == Element::$about_element)? => Some(Attribute::$about),)*
                    _ => None,
                }
            }
        }

        /// Each attribute, and its only element.
        const NAMES: &[(&[u8], (Attribute, Option<Element>))] = &[
            $(($name, (Attribute::$link, attributes!(@optional $(Element::$element)?))),)*
            $(($about_name, (Attribute::$about, attributes!(@optional $(Element::$about_element)?))),)*
        ];

        /// The index of a row is the discriminant of its [`Attribute`]; the greater discriminants, of `others`, have no row.
        static TABLE: &[LinkAttribute] = &[$(LinkAttribute {
            name: as_text($name),
            condition: attributes!(@optional $((Attribute::$other, $required))?),
            syntax: Syntax::$syntax,
            kind: attributes!(@kind $kind),
            base: LinkBase::$base,
            option: ReportOption::$option,
            #[cfg(test)]
            documentation: (attributes!(@optional $(Element::$element)?), $documents),
        },)*];
    };
    (@optional) => { None };
    (@optional $value:expr) => { Some($value) };
    (@kind ByElement) => { None };
    (@kind $kind:ident) => { Some(Kind::$kind) };
}

attributes! {
    // Attribute, name, element and condition, syntax, kind, base, option, documents.
    links {
        Href         b"href",          Reference,  ByElement, Page,     Always, "HTML §4.6.1, §4.2.4; SVG 2 §16.1.6; MathML 3 §2.1.6";
        XlinkHref    b"xlink:href",    Reference,  ByElement, Page,     Always, "XLink 1.1; SVG 1.1 §17.1";
        Src          b"src",           Reference,  Resource,  Page,     Always, "HTML §4.8.3 and others";
        Srcset       b"srcset",        Srcset,     Resource,  Page,     Always, "HTML §4.8.4.3.10";
        Imagesrcset  b"imagesrcset",   Srcset,     Resource,  Page,     Always, "HTML §4.2.4";
        Poster       b"poster",        Reference,  Resource,  Page,     Always, "HTML §4.8.8";
        Data         b"data" of Object, Reference, Resource, Codebase, Always, "HTML §4.8.7";
        Archive      b"archive",       Archive,    Resource,  Codebase, Always, "HTML 4.01 §13.3, §13.4";
        Classid      b"classid",       Reference,  Resource,  Codebase, Always, "HTML 4.01 §13.3";
        Codebase     b"codebase",      Reference,  Metadata,  Page,     Always, "HTML 4.01 §13.3, §13.4";
        Value        b"value" of Param if Valuetype = "ref", Reference, Resource, Page, Always, "HTML 4.01 §13.3.2";
        Style        b"style",         Css,        Resource,  Page,     Always, "CSS Syntax 3, CSS Values 4, CSS Cascade 4, CSS Images 4";
        ClipPath     b"clip-path",     SvgCss,     Resource,  Page,     Always, "SVG 2 §6.6";
        Cursor       b"cursor",        SvgCss,     Resource,  Page,     Always, "SVG 2 §6.6";
        Fill         b"fill",          SvgCss,     Resource,  Page,     Always, "SVG 2 §6.6";
        Filter       b"filter",        SvgCss,     Resource,  Page,     Always, "SVG 2 §6.6";
        MarkerStart  b"marker-start",  SvgCss,     Resource,  Page,     Always, "SVG 2 §6.6";
        MarkerMid    b"marker-mid",    SvgCss,     Resource,  Page,     Always, "SVG 2 §6.6";
        MarkerEnd    b"marker-end",    SvgCss,     Resource,  Page,     Always, "SVG 2 §6.6";
        Mask         b"mask",          SvgCss,     Resource,  Page,     Always, "SVG 2 §6.6";
        Stroke       b"stroke",        SvgCss,     Resource,  Page,     Always, "SVG 2 §6.6";
        Srcdoc       b"srcdoc" of Iframe, Html,    ByElement, Page,     Always, "HTML §4.8.5";
        Background   b"background",    Reference,  Resource,  Page,     Always, "HTML 4.01 §7.5.1";
        Manifest     b"manifest",      Reference,  Resource,  Page,     Always, "earlier drafts of HTML";
        Icon         b"icon",          Reference,  Resource,  Page,     Always, "earlier drafts of HTML";
        Lowsrc       b"lowsrc",        Reference,  Resource,  Page,     Always, "browsers of the 1990s";
        Dynsrc       b"dynsrc",        Reference,  Resource,  Page,     Always, "browsers of the 1990s";
        Action       b"action",        Reference,  Form,      Page,     Always, "HTML §4.10.18.6";
        Formaction   b"formaction",    Reference,  Form,      Page,     Always, "HTML §4.10.18.6";
        Cite         b"cite",          Reference,  Citation,  Page,     Always, "HTML §4.4.4, §4.5.7, §4.7.3";
        Content      b"content" of Meta if HttpEquiv = "refresh", Refresh, Refresh, Page, Always, "HTML §4.2.5.3";
        Longdesc     b"longdesc",      Reference,  Hyperlink, Page,     Always, "HTML 4.01 §13.2";
        Usemap       b"usemap",        Reference,  Metadata,  Page,     Always, "HTML 4.01 §13.6.1";
        Ping         b"ping",          References, Metadata,  Page,     Always, "HTML §4.6.6";
        Profile      b"profile",       References, Metadata,  Page,     Always, "HTML 4.01 §7.4.4.3";
        DataSrc      b"data-src",      Reference,  Resource,  Page,     Lazy,   "scripts that load images late";
        DataSrcset   b"data-srcset",   Srcset,     Resource,  Page,     Lazy,   "scripts that load images late";
        DataOriginal b"data-original", Reference,  Resource,  Page,     Lazy,   "scripts that load images late";
        DataLazySrc  b"data-lazy-src", Reference,  Resource,  Page,     Lazy,   "scripts that load images late";
        DataBg       b"data-bg",       Background, Resource,  Page,     Lazy,   "scripts that load images late";
        DataUrl      b"data-url",      Reference,  Hyperlink, Page,     Lazy,   "scripts that load pages late";
        DataHref     b"data-href",     Reference,  Hyperlink, Page,     Lazy,   "scripts that load images late";
        DataLazy     b"data-lazy", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataLazySrcset b"data-lazy-srcset", Srcset,    Resource,  Page,     Lazy,   "scripts that load images late";
        DataFullSrc  b"data-full-src", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataOriginalSet b"data-original-set", Srcset,    Resource,  Page,     Lazy,   "scripts that load images late";
        DataBgset    b"data-bgset", Srcset,    Resource,  Page,     Lazy,   "scripts that load images late";
        DataBackground b"data-background", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataBackgroundImage b"data-background-image", Background,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataEcho     b"data-echo", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataHiResSrc b"data-hi-res-src", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataImage    b"data-image", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataImg      b"data-img", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataPoster   b"data-poster", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataFull     b"data-full", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataLargeFile b"data-large-file", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataMediumFile b"data-medium-file", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataOrigFile b"data-orig-file", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataZoomImage b"data-zoom-image", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataActualsrc b"data-actualsrc", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataFallbackSrc b"data-fallback-src", File,      Resource,  Page,     Lazy,   "scripts that load images late";
        DataLargeImage b"data-large_image", File, Resource, Page, Lazy, "scripts that load images late";
        DataSrcRetina b"data-src-retina", File, Resource, Page, Lazy, "scripts that load images late";
        DataLazyload b"data-lazyload", File, Resource, Page, Lazy, "scripts that load images late";
        DataThumb b"data-thumb", File, Resource, Page, Lazy, "scripts that load images late";
        DataFlickityLazyload b"data-flickity-lazyload", File, Resource, Page, Lazy, "scripts that load images late";
        DataCfsrc b"data-cfsrc", File, Resource, Page, Lazy, "scripts that load images late";
        DataImgSrc b"data-img-src", File, Resource, Page, Lazy, "scripts that load images late";
        DataImageSrc b"data-image-src", File, Resource, Page, Lazy, "scripts that load images late";
        DataBgImage b"data-bg-image", Background, Resource, Page, Lazy, "scripts that load images late";
        DataHires b"data-hires", File, Resource, Page, Lazy, "scripts that load images late";
        DataEzsrc b"data-ezsrc", File, Resource, Page, Lazy, "scripts that load images late";
        DataEzsrcset b"data-ezsrcset", Srcset, Resource, Page, Lazy, "scripts that load images late";
        DataDeferSrc b"data-defer-src", File, Resource, Page, Lazy, "scripts that load images late";
        DataOriginalSrc b"data-original-src", File, Resource, Page, Lazy, "scripts that load images late";
        DataPinMedia b"data-pin-media", File, Resource, Page, Lazy, "scripts that load images late";
        DataKsLazyload b"data-ks-lazyload", File, Resource, Page, Lazy, "scripts that load images late";
        DataDelayedUrl b"data-delayed-url", File, Resource, Page, Lazy, "scripts that load images late";
        DataLitespeedSrc b"data-litespeed-src", File, Resource, Page, Lazy, "scripts that load images late";
        Itemtype     b"itemtype",      References, Metadata,  Page,     Items,  "HTML §5.2.2";
        Itemid       b"itemid",        Reference,  Metadata,  Page,     Items,  "HTML §5.2.2";
    }
    others {
        Encoding     b"encoding" of AnnotationXml;
        HttpEquiv    b"http-equiv" of Meta;
        Rel          b"rel";
        Hreflang     b"hreflang";
        Media        b"media";
        Valuetype    b"valuetype" of Param;
        Charset      b"charset" of Meta;
        Name         b"name" of Meta;
        Property     b"property" of Meta;
        Itemprop     b"itemprop" of Meta;
        Type         b"type" of Script;
        StyleType    b"type" of Style;
        Color        b"color" of Font;
        Face         b"face" of Font;
        Size         b"size" of Font;
        Alt          b"alt";
        Id           b"id";
        AnchorName   b"name" of A;
        Method       b"method" of Form;
        Formmethod   b"formmethod";
        ShadowMode   b"shadowrootmode" of Template;
        Integrity    b"integrity" of Link;
    }
}

/// The attributes with short names, each with the only element on which it counts (`None` for any). If a name has several
/// attributes, the table has the first.
static SHORT_NAMES: ShortNames<(Attribute, Option<Element>), 256> = ShortNames::new(NAMES);

/// The list has names as bytes because [`Attribute::new`] matches bytes.
const fn as_text(name: &'static [u8]) -> &'static str {
    match std::str::from_utf8(name) {
        Ok(name) => name,
        Err(_) => panic!("names are US-ASCII"),
    }
}

impl Attribute {
    /// The same as [`new`](Self::new) of the name, which is that of `short`.
    #[inline(always)]
    pub(super) fn of_short_name(short: ShortName, name: &[u8], element: Element) -> Option<Self> {
        let (attribute, only) = SHORT_NAMES.get(short)?;
        if only.is_none_or(|only| only == element) { Some(attribute) } else { Attribute::new(name, element) }
    }

    /// `None` if the attribute holds no links.
    pub(crate) fn row(self) -> Option<&'static LinkAttribute> {
        TABLE.get(self as usize)
    }
}

/// Bit *n* is for the attribute whose discriminant is *n*. There are at most 128.
#[derive(Clone, Copy, Default)]
pub(crate) struct AttributeSet(u128);

impl AttributeSet {
    /// The attributes that must be read to report links without their texts.
    pub(crate) fn for_links(lazy: bool, items: bool) -> Self {
        const ALL: [[AttributeSet; 2]; 2] = [
            [AttributeSet::needed(false, false), AttributeSet::needed(false, true)],
            [AttributeSet::needed(true, false), AttributeSet::needed(true, true)],
        ];
        ALL[usize::from(lazy)][usize::from(items)]
    }

    const fn needed(lazy: bool, items: bool) -> Self {
        use Attribute::{Alt, AnchorName, Charset, Formmethod, Id, Integrity, Itemprop, Method, Name, Property, Type};
        // These only matter in the preview of a page, for the texts of links, for the tree, for the URLs of cards and JSON-LD, and for
        // rewriting.
        let mut off = AttributeSet::of(&[Charset, Alt, Id, AnchorName, Method, Formmethod, Integrity]).0;
        if !lazy {
            off |= AttributeSet::of(&[Itemprop, Name, Property, Type]).0;
        }
        let mut at = 0;
        while at < TABLE.len() {
            let is_off = match TABLE[at].option {
                ReportOption::Always => false,
                ReportOption::Lazy => !lazy,
                ReportOption::Items => !items,
            };
            off |= (is_off as u128) << at;
            at += 1;
        }
        AttributeSet(!off)
    }

    pub(crate) const fn of(attributes: &[Attribute]) -> Self {
        let (mut set, mut at) = (0, 0);
        while at < attributes.len() {
            set |= 1 << attributes[at] as u64;
            at += 1;
        }
        AttributeSet(set)
    }

    #[inline]
    pub(crate) fn contains(self, attribute: Attribute) -> bool {
        self.0 & 1 << attribute as u64 != 0
    }

    #[inline]
    pub(crate) fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    #[inline]
    pub(crate) fn has_any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn union(self, other: Self) -> Self {
        AttributeSet(self.0 | other.0)
    }

    #[inline]
    pub(crate) fn insert(&mut self, attribute: Attribute) {
        self.0 |= 1 << attribute as u64;
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    /// Returns the table as the documentation of the module shows it.
    fn printed() -> String {
        let mut out =
            String::from("//! | attribute | of | value | kind | option | from |\n//! |---|---|---|---|---|---|\n");
        for row in TABLE {
            let (element, documents) = row.documentation;
            let element = element.map_or("any".into(), |element| format!("`{element:?}`").to_lowercase());
            let with =
                row.condition.map(|(other, value)| format!(" with `{}={value}`", format!("{other:?}").to_lowercase()));
            let with = with.unwrap_or_default().replace("httpequiv", "http-equiv");
            let syntax = match row.syntax {
                Syntax::Reference => "reference",
                Syntax::References => "references separated by white space",
                Syntax::Archive => "references separated by white space, on `applet` by commas",
                Syntax::Srcset => "image candidates",
                Syntax::File => "reference with a dot or slash",
                Syntax::Css => "CSS",
                Syntax::SvgCss => "CSS, in SVG",
                Syntax::Background => "reference, or CSS with a `url()`",
                Syntax::Html => "HTML",
                Syntax::Refresh => "seconds and reference",
            };
            let base = if row.base == LinkBase::Codebase { "; relative to `codebase`" } else { "" };
            let kind = row.kind.map_or("see below", Kind::name);
            let option = match row.option {
                ReportOption::Always => "",
                ReportOption::Lazy => "[`lazy`](Options::lazy)",
                ReportOption::Items => "[`items`](Options::items)",
            };
            writeln!(
                out,
                "//! | `{}` | {element}{with} | {syntax}{base} | {kind} | {option} | {documents} |",
                row.name
            )
            .unwrap();
        }
        out
    }

    #[test]
    fn the_documentation_shows_the_table() {
        assert!(
            include_str!("../../html.rs").contains(&printed()),
            "crates/links/src/html.rs must contain:\n{}",
            printed()
        );
    }

    #[test]
    fn names_and_rows_belong_together() {
        for (at, row) in TABLE.iter().enumerate() {
            let element = row.documentation.0.unwrap_or_default();
            let attribute = Attribute::new(row.name.as_bytes(), element).unwrap();
            assert_eq!(attribute as usize, at);
            assert_eq!(attribute.row().map(|row| row.name), Some(row.name));
        }
        // The attributes that hold no links come after them, and all fit into a set.
        use Attribute::{
            Alt, Charset, Color, Encoding, Face, Hreflang, HttpEquiv, Itemprop, Media, Name, Property, Rel, Size,
            StyleType, Type, Valuetype,
        };
        let others = [
            Encoding, HttpEquiv, Rel, Hreflang, Media, Valuetype, Charset, Name, Property, Itemprop, Type, StyleType,
            Color, Face, Size, Alt,
        ];
        assert!(others.iter().all(|other| other.row().is_none()));
        assert_eq!(others.map(|other| other as usize - TABLE.len()), std::array::from_fn(|at| at));
        assert!(TABLE.len() + others.len() <= 128);
    }

    #[test]
    fn short_names_are_the_same_attributes() {
        for (name, (attribute, only)) in NAMES.iter().chain(&[(&b"title"[..], (Attribute::Href, None))]) {
            let Some(short) = ShortName::new(name) else { continue };
            for element in only.iter().copied().chain([Element::A, Element::Meta, Element::Style, Element::Other]) {
                let found = Attribute::of_short_name(short, name, element);
                assert_eq!(found, Attribute::new(name, element), "{attribute:?} {element:?}");
            }
        }
    }

    #[test]
    fn some_attributes_matter_on_one_element_only() {
        for (name, element) in [
            ("data", Element::Object),
            ("value", Element::Param),
            ("valuetype", Element::Param),
            ("content", Element::Meta),
            ("http-equiv", Element::Meta),
            ("encoding", Element::AnnotationXml),
        ] {
            assert!(Attribute::new(name.as_bytes(), element).is_some(), "{name}");
            assert_eq!(Attribute::new(name.as_bytes(), Element::A), None, "{name}");
        }
        for name in ["HREF", "hre", "hrefs", "", "title", "data-x"] {
            assert_eq!(Attribute::new(name.as_bytes(), Element::A), None, "{name}");
        }
    }

    #[test]
    fn options_report_more_attributes() {
        let names = |lazy, items| -> Vec<&str> {
            let set = AttributeSet::for_links(lazy, items);
            assert!(set.contains(Attribute::Rel));
            let rows = TABLE.iter().filter(|row| {
                set.contains(Attribute::new(row.name.as_bytes(), row.documentation.0.unwrap_or_default()).unwrap())
            });
            rows.map(|row| row.name).collect()
        };
        let always = names(false, false);
        assert!(always.contains(&"href") && !always.contains(&"data-src"));
        let added =
            |names: Vec<&'static str>| names.into_iter().filter(|name| !always.contains(name)).collect::<Vec<_>>();
        let lazy = added(names(true, false));
        assert_eq!(lazy[..3], ["data-src", "data-srcset", "data-original"]);
        assert!(lazy.iter().all(|name| name.starts_with("data-")));
        assert_eq!(always.len() + lazy.len() + 2, TABLE.len());
        assert_eq!(added(names(false, true)), ["itemtype", "itemid"]);
    }
}
