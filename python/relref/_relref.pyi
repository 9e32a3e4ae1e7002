from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, AnyStr, Literal, Protocol, final, overload

from ._types import ArchiveLink, Damage, Link, LinkProblem, Problem, RobotsRule, SitemapEntry, Split, Step
from ._url import Url

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...

class _Seekable(_Readable, Protocol):
    def seek(self, offset: int, whence: int = ..., /) -> int: ...

_Strings = _ArrowArray | _ArrowStream
_Uri = str | Url
_Kind = Literal["hyperlink", "resource", "form", "citation", "refresh", "metadata"]
_Key = Literal["surt", "cdx", "host", "domain"]
_Reason = Literal[
    "scheme", "no-host", "bad-host", "bad-port", "other-host", "other-domain", "outside", "too-long", "too-deep",
    "repeats", "not-included", "excluded", "robots",
]
_Page = bytes | bytearray | memoryview | str
_Form = Literal["shortest", "same-origin", "relative", "rooted"]

__version__: str
"""The version of the package."""
RULES: tuple[str, ...]
"""The names of all rule sets: those of documents, the oldest first, and "whatwg"."""

class Error(ValueError):
    """The reason why a text was refused. `kind` is the name of the reason, `position` the index of the character where the text does
    not fit. The message counts bytes of UTF-8. In an Error that a program makes itself, they are "" and 0.
    """
    kind: str
    position: int

@final
class Base:
    """A URI against which references are resolved. It is prepared once.

    The rules are browsers' rules ("whatwg", the URL Standard) or the rules of a document: "rfc3986", "rfc2396", "rfc1808",
    "rfc1630", "draft-www-uri-00", "url7", also with "+lenient". Bases are immutable, picklable and hashable, and threads may share
    them.

    With nested, references are resolved within the innermost URI in the URI, as in those of archived pages, and what is before it
    stays as it is. Positions in errors are those in the innermost URI.

    Raises Error (a ValueError) if the URI is not absolute.
    """
    def __new__(cls, uri: _Uri, rules: str = "whatwg", nested: bool = False) -> Base: ...
    @property
    def uri(self) -> str:
        """The URI: by "whatwg" as browsers write it, by other rules and with nested as given."""
    @property
    def innermost(self) -> str:
        """The URI against which references are resolved, as given: with nested the innermost URI, such as that of the archived page."""
    @property
    def rules(self) -> str:
        """The name of the rules."""
    @property
    def nested(self) -> bool:
        """True if references are resolved within the innermost URI."""
    def resolve(self, reference: _Uri) -> str:
        """Return the absolute URI that a reference means.

        Raises Error if the reference is refused, as some are by "whatwg". By other rules every text resolves.
        """
    @overload
    def resolve_many(self, references: Iterable[_Uri], errors: Literal["raise"] = "raise") -> list[str]:
        """Return a list of the absolute URIs of many references. With errors="none" the result of a refused reference, or of one with
        lone surrogates, is None. Other threads run meanwhile.
        """
    @overload
    def resolve_many(self, references: Iterable[_Uri], errors: Literal["raise", "none"]) -> list[str | None]: ...
    def relativize(self, target: _Uri, *, form: _Form = "shortest") -> str:
        """Return the shortest reference of a form that resolves to a URI, or the URI if there is none.

        form is "shortest"; "same-origin", without a scheme and a host, such as ../x or /x; or "relative", which does not start with a slash
        either, such as ../x or ?q: it stays right where the site moves into a folder; or "rooted", with one slash at its start, such as /x.

        With nested, raises Error if no reference resolves to the URI.
        """
    def __hash__(self) -> int: ...

@final
class Pages:
    """A reader of pages, for many pages with the same options. Threads may share it.

    kinds: report only links of these kinds. fetchable: report only links with the scheme http, https, ftp or file. lazy: also
    report what only scripts and other programs than browsers read: data-src and the like, and the URLs of og: and twitter: in meta elements. items: also report itemtype and itemid. legacy_queries:
    percent-encode queries in the character encoding of the page also by other rules than "whatwg". report_invalid: also report
    links that are no valid URL, with None as uri. robots: read `<meta name=robots>`, for nofollow and page_nofollow of the links.
    max_uri: leave out links whose URI has more bytes. max_total: leave out the links of a page after so many bytes of URIs; short
    pages can have long URIs, so links() has at most 1 MiB and 256 times the length of the page. max_text: read the texts of the links, up to so many bytes each; 0 for none. facts: read the title and the
    character encoding of the page, which each link then has as page_title and page_charset. places: find out start, end, line and
    column of each reference. xml: read pages as XML, as those of XHTML and SVG images are: empty elements end, and prefixes have
    namespaces; after the first error of well-formedness, as HTML. Readers are picklable; a copy counts from 0.
    """
    def __new__(
        cls,
        rules: str = "whatwg",
        *,
        kinds: Sequence[_Kind] | None = None,
        fetchable: bool = False,
        lazy: bool = False,
        items: bool = False,
        robots: bool = False,
        legacy_queries: bool = False,
        report_invalid: bool = False,
        max_uri: int | None = None,
        max_total: int | None = None,
        max_text: int = 0,
        facts: bool = False,
        places: bool = False,
        xml: bool = False,
    ) -> Pages: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str, ...], dict[str, Any]]: ...
    @property
    def left_out(self) -> int:
        """The number of links left out so far because of max_uri or max_total."""
    @property
    def invalid(self) -> int:
        """The number of links so far that are no valid URL by "whatwg". They are left out without report_invalid."""
    def links(
        self,
        page: _Page | PathLike[str],
        uri: _Uri | None = None,
        charset: str | None = None,
        *,
        media_type: str | None = None,
    ) -> list[Link]:
        """Return the links of a page as a list, in the order of the page.

        page is bytes or str, or an os.PathLike of a file; uri is the URI of the page, by default that of the file. charset is the label
        of the character encoding if an HTTP field has one, and media_type that field (Content-Type). Without it, the start and the URI
        tell whether it is a sitemap, a feed, a style sheet, Markdown, a robots.txt, an SVG image or XHTML; all else is HTML. It may be
        compressed by gzip or Zstandard. A damaged page gives the links that are found, and a warning. Other threads run meanwhile.
        """
    def start(self, uri: _Uri, charset: str | None = None, *, media_type: str | None = None) -> ChunkedPage:
        """Start a page that comes in chunks, which ChunkedPage.feed takes.

        uri, charset and media_type are as in links(), but the page is HTML or, by its media type or URI, XML. ValueError for another kind.
        """
    @overload
    def stream(
        self,
        file: _Readable | Iterable[_Page],
        uri: _Uri,
        each: None = None,
        charset: str | None = None,
        *,
        media_type: str | None = None,
    ) -> Iterator[Link]:
        """Return an iterator of the links of a page that is read in chunks: file is a binary file object, which need not seek, or an
        iterable of bytes. Memory does not grow with the page. ChunkedPage says how such links may differ. uri, charset and media_type are
        as in start().

        With each, call each(link) for every link instead. The file must be able to seek, and the links are those of links(). The exceptions
        of each end the reading.
        """
    @overload
    def stream(
        self,
        file: _Seekable,
        uri: _Uri,
        each: Callable[[Link], object],
        charset: str | None = None,
        *,
        media_type: str | None = None,
    ) -> None: ...

@final
class ChunkedPage:
    """A page that comes in chunks, from Pages.start, such as the body of a response that an asynchronous program reads.

    feed(chunk) takes the next bytes, or str, and returns the list of the links that are settled; finish() returns the others. In a
    `with` statement, the page ends with it, and what is not finished is dropped. The links are those of Pages.links, with two differences.
    A page waits in memory until its head ends and 1,024 bytes follow, for at most 8 MiB: what is stated after that about
    the whole page (a base, a character encoding, a rule for robots) counts only before the first link, else finish() warns. And the page is
    HTML, or with xml of Pages XML. So memory does not grow with the page. Not for several threads at once: RuntimeError.
    """
    def feed(self, chunk: _Page) -> list[Link]:
        """Take the next bytes of the page, or str, and return the list of the links that are settled."""
    def finish(self) -> list[Link]:
        """End the page, and return the list of the other links. A damaged page gives a warning."""
    def __enter__(self) -> ChunkedPage: ...
    def __exit__(self, *_error: object) -> None: ...

@final
class Normalizer:
    """A normalizer of links, made once and used many times.

    preset is "crawl" (the usual changes of a crawler), "safe" (only those after which a URI names the same resource) or "none".
    with_ and without are names of changes to add and remove, tracking replaces the list of tracking parameters, keep_only names the
    only parameters that stay, drop_param names more parameters to remove. A * in the names of tracking and drop_param is for any text:
    "utm_*", "*id". strip removes the white space around a URI, tabs and line ends in it, and zeros at the start of its port, as browsers
    do; by default only "crawl" does. Normalizers are immutable and picklable, and threads may share them.

    The changes of "safe" are encoding, case, scheme-case, localhost, empty-port, default-port, dots, empty-path, gopher-type
    and urn-components. "crawl" also has
    idna, ip-address, empty-userinfo, final-dot, drop-fragment, drop-tracking, sort-query and drop-empty-query. No preset has iri (part
    of encoding), empty-fragment, upgrade (http becomes https), drop-userinfo, drop-www, lower-path, drop-session, collapse-slashes,
    drop-index, drop-trailing-slash and keep-only.
    """
    def __new__(
        cls,
        preset: Literal["crawl", "safe", "none"] = "crawl",
        *,
        with_: Sequence[str] = ...,
        without: Sequence[str] = ...,
        tracking: Sequence[str] | None = None,
        keep_only: Sequence[str] | None = None,
        drop_param: Sequence[str] = ...,
        strip: bool | None = None,
    ) -> Normalizer: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str, ...], dict[str, Any]]: ...
    def normalize(self, uri: _Uri) -> str:
        """Return the normal form of a URI.

        It need not be a valid URL: a host or port that cannot exist stays as it is, and what has no scheme stays a reference. By "safe", raise
        Error for an escape such as %zz; the other presets keep it.
        """
    def normalize_many(self, uris: Iterable[_Uri]) -> list[str]:
        """Return a list of the normal forms of many URIs, with the exceptions of normalize(). Other threads run meanwhile."""
    def surt(self, uri: _Uri) -> str:
        """Return the sort key of a URI's normal form: the host reversed, then path and query."""
    def key(self, uri: _Uri, key: _Key) -> str:
        """Return the key of a URI: "surt"; "cdx", which the normalizer does not change; the "host" of its normal form as browsers write
        it; or the "domain" of that host by the list of public suffixes. Without a host, these two are empty.
        """
    def __hash__(self) -> int: ...

@final
class RobotsTxt:
    """The rules of a robots.txt, by RFC 9309.

    text is str or bytes. Of a longer text, the first 500 KiB are read; ignored_len is the number of bytes that are not.

    user_agent is the name that a crawler has in robots.txt (its product token), such as "ExampleBot"; a version after a slash does not
    matter. Its rules are those of all groups that name it, or its start before a hyphen, or else "*". The longest pattern that
    matches decides, of equally long ones one that allows. url is a URL, or a path with its query. It need not be normalized: escapes are
    compared as RFC 9309 says. Time is linear in the length of the URL for each rule. Objects are immutable and picklable, and
    threads may share them.
    """
    def __new__(cls, text: str | bytes) -> RobotsTxt: ...
    def can_fetch(self, user_agent: str, url: _Uri) -> bool:
        """Report whether a crawler may fetch a URL."""
    def allows(self, url: _Uri, user_agent: str = "*") -> bool:
        """Report whether a crawler may fetch a URL: can_fetch with the URL first, as in Scope.allows. By default, the rules for all crawlers count."""
    def rule(self, user_agent: str, url: _Uri) -> RobotsRule | None:
        """Return the RobotsRule that decides about a URL: the number of its line, its pattern, and True if it allows. None if no rule
        matches, which allows the URL.
        """
    def crawl_delay(self, user_agent: str) -> float | None:
        """Return the seconds between two requests for which the site asks, or None. RFC 9309 does not have them."""
    @property
    def sitemaps(self) -> list[str]:
        """The references of the Sitemap lines, as a list of strings."""
    @property
    def ignored_len(self) -> int:
        """The number of bytes at the end of the text that are not read, 0 for a text of up to 500 KiB."""
    def __hash__(self) -> int: ...

@final
class Scope:
    """The scope of a crawl: the links that it fetches, and the reasons why it does not fetch others.

    A URI is out of scope if it cannot be fetched (its scheme is not in schemes, it has no host, or its host or port cannot exist),
    or is beyond the limits. schemes are http, https, ftp and file by default. same_host: only the host of the page. same_domain:
    only its domain, by the list of public suffixes. include and exclude are regular expressions, which may match anywhere in a URI.
    If include is given, one of them must match; none of exclude may match. Their syntax is the one of Rust's crate regex, which
    takes linear time. robots is a dict of sites and their RobotsTxt: on a site (the scheme, host and port of a URL), what it disallows for
    user_agent is out of scope. within is a URL, or a list of them: only they and what is below them is in scope, so "http://h/a" lets in
    "http://h/a/b" and "http://h/a?b", and not "http://h/ab". max_len is the most bytes of a URI, max_depth the most segments of its
    path, which is not the number of links from the start, and max_repeats says how often a segment may come in it. Scopes are immutable
    and picklable, and threads may share them.
    """
    def __new__(
        cls,
        *,
        schemes: Sequence[str] | None = None,
        same_host: bool = False,
        same_domain: bool = False,
        include: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        robots: Mapping[str, RobotsTxt] | Mapping[Url, RobotsTxt] | None = None,
        user_agent: str = "*",
        within: _Uri | Iterable[_Uri] | None = None,
        max_len: int | None = None,
        max_depth: int | None = None,
        max_repeats: int | None = None,
    ) -> Scope: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str, ...], dict[str, Any]]: ...
    def allows(self, uri: _Uri, page: _Uri | None = None) -> bool:
        """Report whether a URI found in a page is in scope. page is the URI of the page; only same_host and same_domain need it; without it,
        files are in scope."""
    def reason(self, uri: _Uri, page: _Uri | None = None) -> _Reason | None:
        """Return the reason why a URI is out of scope, None if it is not. Reasons are "scheme", "no-host", "bad-host", "bad-port",
        "other-host", "other-domain", "outside" (not within), "too-long", "too-deep", "repeats", "not-included", "excluded" and "robots".
        """
    def __hash__(self) -> int: ...

@final
class Column:
    """A column of strings, with the problems of its rows.

    It has Arrow's PyCapsule interface, so that pyarrow.chunked_array(column), polars.Series(column) and others read it without a
    copy. A row that could not be computed is null, and has a Problem. Columns are picklable.
    """
    @property
    def null_count(self) -> int:
        """The number of rows that are null."""
    @property
    def problems(self) -> list[Problem]:
        """The problems as a list of Problem: the row, and the reason why it is null. A row that was null before has no problem."""
    def to_pylist(self) -> list[str | None]:
        """Return the rows as a list of strings and None."""
    def to_pandas(self) -> Any:
        """Return the rows as a Series of pandas, with the index and name of the Series from which the column was made. Needs pandas."""
    @overload
    def __getitem__(self, index: int, /) -> str | None: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[str | None]: ...
    def __iter__(self) -> Iterator[str | None]: ...
    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class ArchiveLinks:
    """The links of an archive, or of all archives in a WACZ file, as Arrow record batches that are made when they are read.

    It has Arrow's PyCapsule interface: pyarrow.RecordBatchReader.from_stream(links), polars.DataFrame(links), and DuckDB's `FROM
    links` read it; a loop over it gives each row as an ArchiveLink. It can be read once. While it is read, problems and counts grow.
    """
    @property
    def problems(self) -> list[Damage]:
        """The problems found so far, as a list of Damage. With problems="rows" they are rows, and this is empty.

        It has at most 100 problems of an archive, and about 1 MiB of messages. The last one then says how many more there are.
        """
    @property
    def pages(self) -> int:
        """The number of pages read so far: HTML, feeds, sitemaps, files robots.txt, and pages that a WAT file describes. The totals of
        the command have the same number.
        """
    @property
    def skipped(self) -> dict[str, int]:
        """The numbers of records skipped so far, by reason."""
    @property
    def links(self) -> int:
        """The number of links found so far."""
    @property
    def too_long(self) -> int:
        """The number of links left out so far because their URI is longer than max_uri."""
    @property
    def invalid(self) -> int:
        """The number of links so far that are no valid URL by "whatwg". They are left out without report_invalid."""
    @property
    def not_normalized(self) -> int:
        """The number of URIs that could not be normalized so far, and stayed as they were."""
    @property
    def out_of_scope(self) -> int:
        """The number of links left out so far because they are out of scope."""
    def to_pyarrow(self) -> Any:
        """Return a pyarrow.RecordBatchReader. Needs pyarrow."""
    def __iter__(self) -> Iterator[ArchiveLink]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def resolve(base: _Uri, reference: _Uri, rules: str = "whatwg") -> str:
    """Return the absolute URI that a reference means. For several references of one base, make a Base once."""
@overload
def resolve_many(
    base: _Uri, references: Iterable[_Uri], rules: str = "whatwg", errors: Literal["raise"] = "raise"
) -> list[str]:
    """Return a list of the absolute URIs that references of one base mean. With errors="none" the result of a refused reference, or of
    one with lone surrogates, is None. Other threads run meanwhile.
    """
@overload
def resolve_many(
    base: _Uri, references: Iterable[_Uri], rules: str = "whatwg", *, errors: Literal["raise", "none"]
) -> list[str | None]: ...
def relativize(base: _Uri, target: _Uri, rules: str = "whatwg", *, form: _Form = "shortest") -> str:
    """Return the shortest reference that resolves to a URI. form is that of Base.relativize. For several URIs and one base, make a Base
    once.
    """
def compare(base: _Uri, reference: _Uri) -> dict[str, str | None]:
    """Return what a reference means by each rule set, as a dict of the names in RULES and absolute URIs. A value is None if the rule set
    refuses the reference or the base; only "whatwg" refuses references.

    Raises Error if each rule set refuses the base.
    """
def urljoin(base: AnyStr, url: AnyStr | None, allow_fragments: bool = True) -> AnyStr:
    """Return the absolute form of a URL, exactly as urllib.parse.urljoin does: same arguments, results and exceptions.

    Nearly all pairs of real pages take a shortcut; the standard library is called for the others, and always in a Python later
    than 3.14.
    """
def _urljoin_shortcut(base: object, url: object) -> str | None: ...
def links(
    page: _Page | PathLike[str],
    uri: _Uri | None = None,
    charset: str | None = None,
    *,
    media_type: str | None = None,
    rules: str = "whatwg",
    kinds: Sequence[_Kind] | None = None,
    fetchable: bool = False,
    lazy: bool = False,
    items: bool = False,
    robots: bool = False,
    legacy_queries: bool = False,
    report_invalid: bool = False,
    max_uri: int | None = None,
    max_total: int | None = None,
    max_text: int = 0,
    facts: bool = False,
    places: bool = True,
    xml: bool = False,
) -> list[Link]:
    """Return the links of a page as a list, in the order of the page. page, uri, charset and media_type are as in Pages.links, all else as
    in Pages, which is faster for many pages; but here the links have their places, unless places=False.
    """
def check(
    folder: str | PathLike[str],
    base: _Uri | None = None,
    *,
    index: str | list[str] | None = None,
    try_ext: str | list[str] | None = None,
    fragments: bool = True,
    ids: str | None = None,
    exclude: str | list[str] | None = None,
    ignore: str | list[str] | None = None,
    git_ignore: bool = True,
    fix: bool = False,
    threads: int = 0,
) -> list[LinkProblem]:
    """Return the links of a site that do not work, as a list of LinkProblem, in the order of its files.

    folder is a copy of the site, or a repository: HTML, Markdown, style sheets, SVG images and feeds, in any character encoding. It may also
    be a file: an EPUB, which is a site of the files in it, a web archive, or an MHTML file. base is the URI of the folder:
    absolute links below it lead to files of the site, too; without it, a link of Markdown that starts with a slash may also lead to what is
    in the repository around the folder. index is the name of the file that a folder is, or a list of names.
    try_ext is an ending, such as "html", or a list of them, that the server tries for a link without one. fragments=False does not look
    for the elements that fragments name. ids is the renderer by which the headings of Markdown have ids, such as "github" or "mdbook";
    without it, the one that the nearest file above a page configures, else github. What git ignores is left out, unless
    git_ignore=False. exclude is a pattern as in a .gitignore, or a list of them, of files whose links are not checked. ignore is a
    regular expression as in Scope, or a list of them: a link has no problem, and is not fixed, if one matches anywhere in its URI, or in the
    reference if it is not a valid URL. threads is the number of threads that read pages, 0 for one on each core; other threads of Python run
    meanwhile. Nothing is fetched.

    With fix, the references that are meant are written into the files of a folder first, where that is certain, and the problems that are
    left are returned.

    The problem "missing-slash" is a note: the link works. A file that cannot be read is the problem "unread". Raise OSError if the folder
    cannot be read, or fix is asked for a file, and ValueError for a base that is no URI of a folder.
    """
def title(page: _Page, charset: str | None = None) -> str | None:
    """Return the title of a page: the text of its first title element that is HTML, with runs of white space as one space, and at most its
    first 1 KiB. None without one, or if it is empty.

    page is bytes or str, and charset the label of the character encoding if an HTTP field has one. Other threads run meanwhile. Beside the
    links, Pages(facts=True) gives the title without a second reading.
    """
def css_links(sheet: _Page, uri: _Uri, charset: str | None = None, *, rules: str = "whatwg") -> list[Link]:
    """Return the links of a style sheet as a list: url(), src(), image-set() and @import. uri is its own URI.

    Without charset, its byte order mark or @charset tells the character encoding, else it is UTF-8. Raise ValueError if it has a
    string or URL of more than 8 MiB.
    """
def field_links(name: str, value: bytes | str, uri: _Uri, *, rules: str = "whatwg") -> list[Link]:
    """Return the links of a field of an HTTP head as a list: those of Link, Location, Content-Location and Refresh. uri is that of the response.

    The element is "http", the attribute the name of the field in lower case, and rel has the relation types. What cannot be read is left
    out.
    """
@overload
def make_links_absolute(
    page: bytes | bytearray | memoryview,
    base: _Uri,
    charset: str | None = None,
    *,
    media_type: str | None = None,
    rules: str = "whatwg",
    lazy: bool = False,
) -> bytes:
    """Return a page whose references are absolute URIs, and of which no other byte changed. base is the URI of the page.

    page is bytes or str, and so is the result. charset, and media_type, which is the field Content-Type, are as in Pages.links: style
    sheets, Markdown, feeds, sitemaps, XHTML and SVG images are rewritten, too. What is of another kind stays as it is; ValueError for
    compressed bytes. Left as they are: what has no host (javascript:, data:, mailto:), what is not a valid URL or a template, and srcdoc.
    With lazy, also the references that only scripts read (data-src) are rewritten. A part of a page that cannot be read stays, with a
    warning. Other threads run meanwhile.
    """
@overload
def make_links_absolute(
    page: str,
    base: _Uri,
    charset: str | None = None,
    *,
    media_type: str | None = None,
    rules: str = "whatwg",
    lazy: bool = False,
) -> str: ...
@overload
def rewrite_links(
    page: bytes | bytearray | memoryview,
    function: Callable[[str], _Uri | None],
    base: _Uri,
    charset: str | None = None,
    *,
    media_type: str | None = None,
    rules: str = "whatwg",
    lazy: bool = False,
) -> bytes:
    """Return a page whose references are what function returns for them, and of which no other byte changed. base is the URI of the
    page.

    function gets the absolute URI of a link, and returns the new reference, or None if the reference stays as it is written; that of
    rewrite() gets the whole link. It is not called for what is not a valid URL, nor for srcdoc. A reference that cannot be written in its
    place stays as it is. All else is as in make_links_absolute. The exceptions of function end the call.
    """
@overload
def rewrite_links(
    page: str,
    function: Callable[[str], _Uri | None],
    base: _Uri,
    charset: str | None = None,
    *,
    media_type: str | None = None,
    rules: str = "whatwg",
    lazy: bool = False,
) -> str: ...
@overload
def rewrite(
    page: bytes | bytearray | memoryview,
    function: Callable[[Link], _Uri | None],
    base: _Uri,
    charset: str | None = None,
    *,
    media_type: str | None = None,
    kinds: Sequence[_Kind] | None = None,
    rules: str = "whatwg",
    lazy: bool = False,
) -> bytes:
    """Return a page whose references are what function returns for its links, and of which no other byte changed. base is the URI of the
    page.

    function gets a Link, without its text and place, and returns the new reference, or None if the reference stays as it is written.
    With kinds, it is called only for links of these kinds. All else is as in rewrite_links.
    """
@overload
def rewrite(
    page: str,
    function: Callable[[Link], _Uri | None],
    base: _Uri,
    charset: str | None = None,
    *,
    media_type: str | None = None,
    kinds: Sequence[_Kind] | None = None,
    rules: str = "whatwg",
    lazy: bool = False,
) -> str: ...
def sitemap_entries(sitemap: _Page, uri: _Uri) -> list[SitemapEntry]:
    """Return the entries of a sitemap, or of an index of sitemaps, as a list of SitemapEntry. uri is that of the sitemap.

    sitemap is bytes or str, and bytes may be compressed by gzip or Zstandard. An entry without a URL is left out, and so are the images
    and videos of an entry, which links() also finds. A damaged sitemap gives the entries before the damage, and a warning. Other threads
    run meanwhile.
    """
def same_site(a: _Uri, b: _Uri) -> bool:
    """Report whether two URLs are of one site: of one host, or of hosts with the same registrable_domain. Their schemes and ports do not
    matter, and an unknown top-level domain is a public suffix. False if one of them has no host, or is not a valid URL.
    """
def registrable_domain(url: _Uri) -> str | None:
    """Return the registrable domain of a URL or host: its public suffix and the label before it. None if it has none, as an address or a
    public suffix itself.
    """
def _with_attribute(url: str, attribute: str, value: str) -> str: ...
def _display_host(url: str) -> str | None: ...
def explain(base: _Uri, reference: _Uri, rules: str = "rfc3986") -> list[Step]:
    """Return the steps by which the rules of a document resolve a reference, as a list of Step: the action, the text that it is about, and
    the words of the document that say so. Raise ValueError for "whatwg", which has no such steps.
    """
def validate(text: _Uri, grammar: str = "rfc3986-uri") -> None:
    """Raise Error, with the position, if a text does not match a grammar: that of URIs of RFC 3986, or another one by its name, such as
    "rfc3986-reference", "rfc3987-iri" or "rfc1738-url".
    """
def surt(uri: _Uri) -> str:
    """Return the sort key of a URI by the preset "safe": the host reversed, then path and query."""
def cdx_key(uri: _Uri) -> str:
    """Return the key by which pywb and the package surt index a page, to join links with CDX files."""
def _host_and_port(authority: str) -> tuple[str, int | None]: ...
def _column(
    rows: list[str | None], problems: list[tuple[int, str]], labels: tuple[object, object] | None = None
) -> Column: ...
def _is_nofollow(rel: str, page_nofollow: bool) -> bool: ...
def _is_fetchable(uri: str) -> bool: ...
def split(uri: _Uri) -> Split:
    """Return the components of a URI or reference as a Split. A component that is absent is None, and differs from an empty one."""
def resolve_column(base: _Uri | Base | _Strings, references: _Strings, rules: str | None = None) -> Column:
    """Return the column of the absolute URIs of a column of references.

    base is a URI, a Base, or a column with as many rows. Columns are Arrow data of any library with the PyCapsule interface:
    arrays, chunked arrays and series of strings, and tables of one column. A null gives a null. A row whose reference or base is
    refused is null, too, and has a Problem in column.problems. Other threads run meanwhile.
    """
def normalize_column(
    uris: _Strings, normalizer: Normalizer | Literal["crawl", "safe"] | None = None, *, key: _Key | None = None
) -> Column:
    """Return the column of the normal forms of a column of URIs, or of their keys with key="surt", "cdx", "host" or "domain".

    normalizer is a Normalizer, or the name of a preset. Nulls and problems are as in resolve_column.
    """
def archive_links(
    archive: str | PathLike[str] | _Readable,
    *,
    rules: str = "whatwg",
    kinds: Sequence[_Kind] | None = None,
    fetchable: bool = False,
    lazy: bool = False,
    items: bool = False,
    robots: bool = False,
    charset: str | None = None,
    report_invalid: bool = False,
    normalize: Normalizer | Literal["crawl", "safe"] | None = None,
    scope: Scope | None = None,
    canonical: bool = False,
    key: _Key | None = None,
    columns: Sequence[str] | None = None,
    problems: Literal["list", "rows"] = "list",
    max_page: int = 1073741824,
    max_uri: int = 65536,
    max_text: int = 0,
    batch_rows: int = 16384,
    facts: bool = False,
    status: str | None = None,
) -> ArchiveLinks:
    """Return the links of the pages of a web archive, as lazy Arrow batches: WARC, ARC or WAT, also gzipped or of Zstandard frames, or
    all archives in a WACZ file. HTTP fields, sitemaps, feeds and robots.txt have links, too. The parts of an MHTML file or a mail are
    pages, and so are those of an EPUB, whose URIs start with epub:// and the percent-encoded absolute path. A file that is
    recognized as another kind (HAR, JSON Feed, OPML, CDX, CDXJ, PDF) is not read: OSError says what it is.

    archive is a path or a binary file object. In a file that can seek, more records are found after damage; a WACZ or EPUB
    file must be able to seek. charset, rules, kinds, fetchable, lazy, items and report_invalid are as in Pages. normalize is a Normalizer or
    the name of a preset: then `uri` is the normal form. scope is a Scope: links out of it are left out, and counted. With canonical,
    the canonical link of a page, if it has one, is its URI in the column page and for the scope; links are resolved as without. key="surt",
    "cdx", "host" or "domain" adds a column of keys, max_text a column of the texts of the links, up to so many bytes each, and robots=True the column
    `nofollow` (bool). status selects captures by their status codes, such as "200,3xx": others are counted in skipped, and what has no
    status code is read.

    columns names the columns to make, by default all of the first two lines, with facts=True all:

    - page, archive (its name in a WACZ file, otherwise null), offset (of the record in the archive, in bytes), element, attribute, kind,
      rel, reference, uri,
    - text, nofollow, key, problem: with max_text, robots, key and problems="rows",
    - status (int), date (WARC-Date), media_type, charset (by which the page is read), title (of the page), hreflang and media (of the link):
      null if it is not given.

    Problems never end the reading. With problems="list" they are in `problems`; with problems="rows" each is a row of its own with
    archive, offset and problem, and nulls.

    max_page is the most bytes of a page, max_uri the most bytes of a URI. A larger page is a problem, a link with a longer URI is
    counted. The rows of a page have at most 1 MiB and 256 times its length, together at most 1 GiB, and so have its URIs before
    they are normalized; the other links are left out. A batch has about batch_rows rows; all rows of a page are in one batch.
    """

@final
class _LinkFinder:
    def __new__(cls, elements: Sequence[str], attributes: Sequence[str], keeps_ipv6: bool) -> _LinkFinder: ...
    def __getnewargs__(self) -> tuple[list[str], list[str], bool]: ...
    def find(
        self, page: str, base: str, strips: bool, extensions: Sequence[str]
    ) -> list[tuple[str | None, str | None, str, str | None, bool]] | None: ...

def _canonical_shortcut(url: object, keep_fragments: bool) -> str | None: ...

@final
class _FileRewriter:
    def __new__(
        cls,
        folder: str,
        base: _Uri,
        to: str,
        map: Sequence[tuple[_Uri, _Uri]],
        normalize: Normalizer | None,
        rules: str,
        keep_fragments: bool,
        lazy: bool,
    ) -> _FileRewriter: ...
    def content(self, path: str, place: str) -> str: ...
    def lock_folder(self, folder: str) -> None: ...
    @staticmethod
    def remove_new_files(folder: str) -> None: ...
    @staticmethod
    def is_new_file(name: str) -> bool: ...
    @staticmethod
    def copy(path: str, target: str) -> None: ...
    def rewrite(self, path: str, place: str, target: str | None) -> tuple[bool, str | None]: ...
    def totals(self) -> dict[str, Any]: ...
