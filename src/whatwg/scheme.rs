//! The schemes that the URL Standard treats specially (§4.2).

/// A *special scheme* of the URL Standard (§4.2), or [`Scheme::Other`] for every other scheme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scheme {
    Http,
    Https,
    Ws,
    Wss,
    Ftp,
    File,
    Other,
}

/// The names of the schemes whose URIs crawlers can fetch: from a server, or from the disk.
pub const FETCHED_SCHEMES: [&str; 4] = ["http", "https", "ftp", "file"];

impl Scheme {
    const SPECIAL: [(&str, Scheme); 6] = [
        ("https", Scheme::Https),
        ("http", Scheme::Http),
        ("file", Scheme::File),
        ("ftp", Scheme::Ftp),
        ("ws", Scheme::Ws),
        ("wss", Scheme::Wss),
    ];

    /// `name` must be in lower case, without a colon.
    #[inline(always)]
    pub(crate) fn of(name: &str) -> Self {
        Scheme::find(|special| special == name)
    }

    pub(crate) fn of_any_case(name: &str) -> Self {
        match Scheme::of(name) {
            // Seldom, and slower.
            Scheme::Other => Scheme::find(|special| special.eq_ignore_ascii_case(name)),
            scheme => scheme,
        }
    }

    // Six comparisons, in the order of frequency. A comparison of two short texts of different length is one of numbers.
    #[inline(always)]
    fn find(is_match: impl Fn(&str) -> bool) -> Self {
        Scheme::SPECIAL.iter().find(|(name, _)| is_match(name)).map_or(Scheme::Other, |&(_, scheme)| scheme)
    }

    pub(crate) fn is_web(self) -> bool {
        !matches!(self, Scheme::File | Scheme::Other)
    }

    pub(super) fn is_special(self) -> bool {
        self != Scheme::Other
    }

    pub(super) fn default_port(self) -> Option<u16> {
        match self {
            Scheme::Http | Scheme::Ws => Some(80),
            Scheme::Https | Scheme::Wss => Some(443),
            Scheme::Ftp => Some(21),
            Scheme::File | Scheme::Other => None,
        }
    }
}
