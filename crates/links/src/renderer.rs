//! The renderers of Markdown whose ids of headings are known, and their rules as data.

#[cfg(feature = "check")]
mod mkdocs;
mod slug;

use pulldown_cmark::Options;
use relref::parse_and_print_by_name;

/// A renderer of Markdown, by which the headings of a page have ids.
///
/// | renderer | is |
/// |---|---|
/// | `GitHub`, `GitLab` | the site |
/// | `MdBook` | mdbook 0.5 |
/// | `MkDocs` | mkdocs 1.6: Python-Markdown with the extension `toc` |
/// | `MkDocsAttrList` | the same with `attr_list` |
/// | `PyMdownX` | the same with `attr_list`, emoji and `pymdownx.slugs.slugify(case="lower")`, as Material for MkDocs is often set up |
/// | `Hugo` | Hugo with its defaults (`autoHeadingIDType = "github"`) |
/// | `Jekyll`, `Kramdown` | kramdown 2 with the input `GFM`, as in Jekyll, or `kramdown` |
/// | `Docusaurus`, `DocusaurusMd` | Docusaurus 3 with the format `mdx` or `md` |
/// | `VitePress` | VitePress 1 |
/// | `Pandoc`, `PandocGfm` | pandoc 3 with the reader `markdown` or `gfm` |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the table above")]
#[non_exhaustive]
pub enum Renderer {
    #[default]
    GitHub,
    GitLab,
    MdBook,
    MkDocs,
    MkDocsAttrList,
    PyMdownX,
    Hugo,
    Jekyll,
    Kramdown,
    Docusaurus,
    DocusaurusMd,
    VitePress,
    Pandoc,
    PandocGfm,
}

/// The name of a configuration file, and the renderer that a site with it uses. One that ends with a dot may have any ending.
const CONFIGURATIONS: [(&str, Renderer); 11] = [
    ("book.toml", Renderer::MdBook),
    ("mkdocs.yml", Renderer::MkDocs),
    ("mkdocs.yaml", Renderer::MkDocs),
    // Zensical has the parser of MkDocs, and by default its extension attr_list.
    ("zensical.toml", Renderer::MkDocsAttrList),
    ("hugo.toml", Renderer::Hugo),
    ("hugo.yaml", Renderer::Hugo),
    ("hugo.yml", Renderer::Hugo),
    ("hugo.json", Renderer::Hugo),
    ("_config.yml", Renderer::Jekyll),
    ("docusaurus.config.", Renderer::Docusaurus),
    (".vitepress", Renderer::VitePress),
];

impl Renderer {
    /// All renderers.
    pub const ALL: &[Renderer] = &[
        Renderer::GitHub,
        Renderer::GitLab,
        Renderer::MdBook,
        Renderer::MkDocs,
        Renderer::MkDocsAttrList,
        Renderer::PyMdownX,
        Renderer::Hugo,
        Renderer::Jekyll,
        Renderer::Kramdown,
        Renderer::Docusaurus,
        Renderer::DocusaurusMd,
        Renderer::VitePress,
        Renderer::Pandoc,
        Renderer::PandocGfm,
    ];

    /// Returns the name, in lower case with hyphens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Renderer::GitHub => "github",
            Renderer::GitLab => "gitlab",
            Renderer::MdBook => "mdbook",
            Renderer::MkDocs => "mkdocs",
            Renderer::MkDocsAttrList => "mkdocs-attr-list",
            Renderer::PyMdownX => "pymdownx",
            Renderer::Hugo => "hugo",
            Renderer::Jekyll => "jekyll",
            Renderer::Kramdown => "kramdown",
            Renderer::Docusaurus => "docusaurus",
            Renderer::DocusaurusMd => "docusaurus-md",
            Renderer::VitePress => "vitepress",
            Renderer::Pandoc => "pandoc",
            Renderer::PandocGfm => "pandoc-gfm",
        }
    }

    /// Returns the renderer of a site that has a file or folder of this name, which configures it.
    ///
    /// ```
    /// use relref_links::markdown::Renderer;
    ///
    /// assert_eq!(Renderer::of_configuration("docusaurus.config.ts"), Some(Renderer::Docusaurus));
    /// assert_eq!(Renderer::of_configuration("README.md"), None);
    /// ```
    #[must_use]
    pub fn of_configuration(name: &str) -> Option<Renderer> {
        let is_it = |known: &str| name == known || (known.ends_with('.') && name.starts_with(known));
        CONFIGURATIONS.iter().find(|(known, _)| is_it(known)).map(|(_, renderer)| *renderer)
    }

    /// Returns the renderer that the text of a configuration file chooses, where [`of_configuration`](Self::of_configuration) returns this
    /// one by its name: the extensions of `mkdocs.yml`.
    #[cfg(feature = "check")]
    pub(crate) fn with_extensions(self, configuration: &str) -> Renderer {
        let found = mkdocs::IdExtensions::of(configuration);
        match self {
            Renderer::MkDocs if found.has_lower_slugs => Renderer::PyMdownX,
            Renderer::MkDocs if found.has_attr_list => Renderer::MkDocsAttrList,
            renderer => renderer,
        }
    }

    /// Returns the folder whose content is the root of the site: `docs_dir` of a `mkdocs.yml` with this text.
    #[cfg(feature = "check")]
    pub(crate) fn site_root(self, configuration: &str) -> Option<String> {
        (self == Renderer::MkDocs).then(|| mkdocs::docs_dir(configuration))?
    }

    /// Reports whether the headings that have ids are those of the HTML, also of raw HTML, rather than those of the Markdown.
    pub(crate) fn reads_html(self) -> bool {
        matches!(self, Renderer::GitHub | Renderer::GitLab)
    }

    pub(crate) fn is_mdx(self) -> bool {
        self.rule().dialect == Dialect::Mdx
    }

    /// Reports whether it makes sites, whose pages have other paths than their sources.
    #[cfg(feature = "check")]
    pub(crate) fn makes_sites(self) -> bool {
        use Renderer::*;
        matches!(
            self,
            MdBook | MkDocs | MkDocsAttrList | PyMdownX | Hugo | Jekyll | Docusaurus | DocusaurusMd | VitePress
        )
    }

    /// Reports whether it takes a block between lines of `+++` at the start of a page for data.
    pub(crate) fn has_toml(self) -> bool {
        matches!(self, Renderer::GitLab | Renderer::Hugo)
    }

    pub(crate) fn rule(self) -> Rule {
        use Renderer::*;
        let slug = match self {
            GitHub | Docusaurus | DocusaurusMd => slug::github,
            GitLab => slug::gitlab,
            MdBook => slug::mdbook,
            MkDocs | MkDocsAttrList => slug::mkdocs,
            PyMdownX => slug::pymdownx,
            Hugo => slug::hugo,
            Jekyll => slug::jekyll,
            Kramdown => slug::kramdown,
            VitePress => slug::vitepress,
            Pandoc => slug::pandoc,
            PandocGfm => slug::pandoc_gfm,
        };
        let numbers = match self {
            MkDocs | MkDocsAttrList | PyMdownX => Numbers::Underscore,
            GitLab | Jekyll | Kramdown | PandocGfm => Numbers::OfText,
            _ => Numbers::Free,
        };
        let own_id = match self {
            GitHub | GitLab | MkDocs | PandocGfm => OwnId::None,
            MdBook => OwnId::Parsed,
            Jekyll | Kramdown => OwnId::XmlName,
            MkDocsAttrList | PyMdownX => OwnId::AttrList,
            VitePress => OwnId::MarkdownIt,
            Docusaurus | DocusaurusMd => OwnId::Docusaurus,
            Hugo => OwnId::Goldmark,
            Pandoc => OwnId::Pandoc,
        };
        let dialect = match self {
            MkDocs | MkDocsAttrList | PyMdownX => Dialect::Python,
            Jekyll => Dialect::Jekyll,
            Kramdown => Dialect::Kramdown,
            Docusaurus => Dialect::Mdx,
            Hugo => Dialect::Goldmark,
            Pandoc => Dialect::Pandoc,
            _ => Dialect::CommonMark,
        };
        let is_smart = matches!(self, MdBook | Hugo | Jekyll | Pandoc);
        let mut options = Options::empty();
        options.set(Options::ENABLE_SMART_PUNCTUATION, is_smart);
        options.set(Options::ENABLE_HEADING_ATTRIBUTES, own_id == OwnId::Parsed);
        Rule {
            slug,
            numbers,
            own_id,
            text: self.text(),
            options,
            counts_own_ids: matches!(self, Hugo | VitePress | Pandoc | MkDocsAttrList | PyMdownX),
            empty: match self {
                Jekyll | PandocGfm => Empty::NoId,
                Hugo => Empty::Heading,
                _ => Empty::Kept,
            },
            needs_text: matches!(self, Jekyll | Kramdown),
            dialect,
            strict_fences: matches!(self, MkDocs | MkDocsAttrList | Jekyll | Kramdown),
        }
    }

    fn text(self) -> TextOf {
        use Renderer::*;
        match self {
            Kramdown => TextOf::SOURCE,
            VitePress => TextOf { references: References::Source, footnotes: true, ..TextOf::PLAIN },
            Hugo => TextOf {
                references: References::SourceOfNumbers,
                descriptions: true,
                addresses: false,
                ..TextOf::PLAIN
            },
            Docusaurus => TextOf { descriptions: true, directives: true, ..TextOf::PLAIN },
            DocusaurusMd => TextOf { descriptions: true, directives: true, html_alone: true, ..TextOf::PLAIN },
            Pandoc => TextOf { descriptions: true, words: true, footnotes: true, labels: true, ..TextOf::PLAIN },
            PandocGfm => TextOf { descriptions: true, words: true, ..TextOf::PLAIN },
            MkDocs | MkDocsAttrList => TextOf { footnotes: true, ..TextOf::PLAIN },
            PyMdownX => TextOf { references: References::NoSpaces, ..TextOf::PLAIN },
            _ => TextOf::PLAIN,
        }
    }
}

/// How a renderer finds headings and makes their ids.
pub(crate) struct Rule {
    /// Makes an id of the text of a heading.
    pub(crate) slug: fn(&str) -> String,
    pub(crate) numbers: Numbers,
    pub(crate) own_id: OwnId,
    pub(crate) text: TextOf,
    /// The options of the parser besides those for GitHub.
    pub(crate) options: Options,
    /// An id that a heading gives itself is never made of a text again.
    pub(crate) counts_own_ids: bool,
    pub(crate) empty: Empty,
    pub(crate) needs_text: bool,
    pub(crate) dialect: Dialect,
    /// A fence whose info string is not a language or attributes is text.
    pub(crate) strict_fences: bool,
}

/// The markup that a renderer takes for a heading, and for text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    CommonMark,
    /// CommonMark, but for a paragraph before an underline, of which the last line is the heading.
    Goldmark,
    /// Python-Markdown: a `#` starts a heading only at the start of a line, and needs no space after it; the text before an underline
    /// is the first line after a blank one, whatever it starts with; what stands between raw tags is raw.
    Python,
    /// kramdown: a heading needs a blank line before it, too, and may have a line of attributes.
    Kramdown,
    /// kramdown with the input `GFM`, where `#` needs a space after it, and no blank line before it.
    Jekyll,
    /// A heading ends no paragraph, and Markdown is read in raw elements.
    Pandoc,
    /// No indented code and no raw HTML.
    Mdx,
}

/// How the ids of several headings with one text differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// An id ends with the first `-1`, `-2` … that is free.
    Free,
    /// An id ends with the number of headings with the same text, even if another has this id.
    OfText,
    /// An id ends with `_1`, `_2` …, also an empty one.
    Underscore,
}

/// How a heading gives itself an id, at its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnId {
    None,
    /// The parser reads the attributes.
    Parsed,
    /// `{#a}` after white space, a name of XML.
    XmlName,
    /// `{#a}`, whatever it is made of, or in a comment.
    Docusaurus,
    /// `{#a .b c="d"}`.
    Goldmark,
    /// The same with other names and values, and `-`.
    Pandoc,
    /// The same with anything else.
    MarkdownIt,
    /// The same after a space, also `{: #a}`.
    AttrList,
}

impl OwnId {
    /// Reports whether links, images, paragraphs and other texts give themselves ids, too.
    pub(crate) fn is_of_any_text(self) -> bool {
        matches!(self, OwnId::XmlName | OwnId::Pandoc | OwnId::MarkdownIt | OwnId::AttrList)
    }
}

/// The id in place of an empty one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Empty {
    Kept,
    NoId,
    /// It is `heading`, unless the heading has no text at all.
    Heading,
}

/// The parts of a heading that count as its text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextOf {
    pub(crate) references: References,
    /// The descriptions of images.
    pub(crate) descriptions: bool,
    pub(crate) addresses: bool,
    /// White space is one space, and so is a `br`.
    pub(crate) words: bool,
    /// The marks of footnotes, as they are written.
    pub(crate) footnotes: bool,
    /// The label of a reference, too.
    pub(crate) labels: bool,
    /// `:name` is no text, but a directive.
    pub(crate) directives: bool,
    /// The tags, where there is nothing else.
    pub(crate) html_alone: bool,
    /// All as it is written, instead.
    pub(crate) is_source: bool,
}

impl TextOf {
    const PLAIN: TextOf = TextOf {
        references: References::Decoded,
        descriptions: false,
        addresses: true,
        words: false,
        footnotes: false,
        labels: false,
        directives: false,
        html_alone: false,
        is_source: false,
    };
    const SOURCE: TextOf = TextOf { is_source: true, ..TextOf::PLAIN };
}

/// How character references count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum References {
    Decoded,
    Source,
    /// White space counts only as it is.
    NoSpaces,
    /// Numbers count as they are written, and names are decoded.
    SourceOfNumbers,
}

parse_and_print_by_name!(Renderer, "a renderer of Markdown");
