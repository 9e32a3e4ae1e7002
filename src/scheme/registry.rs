//! The table of schemes: what the documents say of each.

/// What the documents say of a scheme.
///
/// ```
/// use relref::scheme;
///
/// let ftp = scheme::info("FTP").unwrap();
/// assert_eq!((ftp.name, ftp.default_port, ftp.section), ("ftp", Some(21), "3.2"));
/// assert!(scheme::registry().iter().any(|scheme| scheme.name == "x500" && scheme.reserved));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SchemeInfo {
    /// The name, in lower case.
    pub name: &'static str,
    /// The port that is meant when none is written. `None` if there is none or the documents give none.
    pub default_port: Option<u16>,
    /// Slashes mean hierarchy, so relative references make sense (RFC 1630, *Hierarchical forms*; RFC 1738 §2.3). They may
    /// be found in others too: this says that a reader may count on it.
    pub hierarchical: bool,
    /// `//` and a host (for `afs`, a cell) stand behind the colon (RFC 1738 §3.1).
    pub authority: bool,
    /// Only the name is reserved; the documents define neither syntax nor use. What the other fields say is then `None`
    /// and `false`, but for what the documents do say.
    pub reserved: bool,
    /// The document, as `RFC 1738`. It is the latest of the founding documents that says most, or for a scheme that is
    /// younger than they, today's.
    pub document: &'static str,
    /// The section, by number or by its title.
    pub section: &'static str,
}

const fn scheme(name: &'static str, document: &'static str, section: &'static str) -> SchemeInfo {
    SchemeInfo { name, default_port: None, hierarchical: false, authority: false, reserved: false, document, section }
}

const fn internet(mut scheme: SchemeInfo, port: u16) -> SchemeInfo {
    scheme.default_port = Some(port);
    scheme.authority = true;
    scheme
}

const fn host(mut scheme: SchemeInfo) -> SchemeInfo {
    scheme.authority = true;
    scheme
}

const fn hierarchical(mut scheme: SchemeInfo) -> SchemeInfo {
    scheme.hierarchical = true;
    scheme
}

const fn reserved(mut scheme: SchemeInfo) -> SchemeInfo {
    scheme.reserved = true;
    scheme
}

const SESSIONS: &str = "Telnet, rlogin, tn3270";
const STUDY: &str = "Schemes for Further Study";

static REGISTRY: [SchemeInfo; 25] = [
    hierarchical(internet(scheme("http", "RFC 1738", "3.3"), 80)),
    hierarchical(internet(scheme("ftp", "RFC 1738", "3.2"), 21)),
    internet(scheme("gopher", "RFC 1738", "3.4"), 70),
    scheme("mailto", "RFC 1738", "3.5"),
    scheme("news", "RFC 1738", "3.6"),
    hierarchical(internet(scheme("nntp", "RFC 1738", "3.7"), 119)),
    internet(scheme("telnet", "RFC 1738", "3.8"), 23),
    // Its protocol's port is 513 (RFC 1282), which no document of URIs says.
    host(scheme("rlogin", "RFC 1630", SESSIONS)),
    internet(scheme("tn3270", "RFC 1630", SESSIONS), 23),
    internet(scheme("wais", "RFC 1738", "3.9"), 210),
    hierarchical(host(scheme("file", "RFC 1738", "3.10"))),
    internet(scheme("prospero", "RFC 1738", "3.11"), 1525),
    scheme("mid", "RFC 1630", "Message-Id"),
    scheme("cid", "RFC 1630", "Content-Id"),
    hierarchical(host(scheme("afs", "RFC 1630", "BNF for specific URL schemes"))),
    hierarchical(scheme("urn", "RFC 1630", "URN")),
    reserved(scheme("x500", "RFC 1630", STUDY)),
    host(reserved(scheme("whois++", "RFC 1630", STUDY))),
    // The documents speak of a network management database and print no name for its scheme.
    reserved(scheme("netman", "RFC 1630", STUDY)),
    reserved(scheme("nfs", "RFC 1738", "4")),
    reserved(scheme("mailserver", "RFC 1738", "4")),
    reserved(scheme("z39.50", "RFC 1738", "4")),
    // Younger than the founding documents.
    hierarchical(internet(scheme("https", "RFC 9110", "4.2.2"), 443)),
    hierarchical(internet(scheme("ws", "RFC 6455", "3"), 80)),
    hierarchical(internet(scheme("wss", "RFC 6455", "3"), 443)),
];

/// All schemes that the documents name, and those of the web that came later.
pub fn registry() -> &'static [SchemeInfo] {
    &REGISTRY
}

/// What the documents say of the scheme of this name, in any case (RFC 1738 §2.1); `None` if they do not name it.
///
/// Cost: a look at each of the two dozen entries.
pub fn info(name: &str) -> Option<&'static SchemeInfo> {
    REGISTRY.iter().find(|scheme| scheme.name.eq_ignore_ascii_case(name))
}

/// The port that is meant when none is written.
///
/// ```
/// use relref::scheme;
///
/// assert_eq!(scheme::default_port("Gopher"), Some(70));
/// assert_eq!(scheme::default_port("mailto"), None);
/// ```
pub fn default_port(name: &str) -> Option<u16> {
    info(name)?.default_port
}
