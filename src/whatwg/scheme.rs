//! The schemes that the URL Standard treats specially (§4.2).

/// A scheme, as far as the URL Standard treats schemes differently (§4.2, *special scheme*).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scheme {
    Http,
    Https,
    Ws,
    Wss,
    Ftp,
    File,
    /// A scheme that is not special.
    Other,
}

impl Scheme {
    /// The special schemes by name.
    const SPECIAL: [(&str, Scheme); 6] = [
        ("https", Scheme::Https),
        ("http", Scheme::Http),
        ("file", Scheme::File),
        ("ftp", Scheme::Ftp),
        ("ws", Scheme::Ws),
        ("wss", Scheme::Wss),
    ];
    /// The names of the schemes whose URIs are fetched: a client sends their query to a server, or opens their file.
    pub(crate) const FETCHED: [&str; 4] = ["http", "https", "ftp", "file"];

    /// Returns the scheme with this name; [`Scheme::Other`] if it is not special. The name must be in lower case.
    #[inline(always)]
    pub(crate) fn of(name: &str) -> Self {
        Scheme::find(|special| special == name)
    }

    /// Returns the scheme with this name, in upper or lower case; [`Scheme::Other`] if it is not special.
    pub(crate) fn of_any_case(name: &str) -> Self {
        Scheme::find(|special| special.eq_ignore_ascii_case(name))
    }

    /// Returns the first special scheme for whose name `is_match` is true; [`Scheme::Other`] if there is none.
    #[inline(always)]
    fn find(is_match: impl Fn(&str) -> bool) -> Self {
        Scheme::SPECIAL.iter().find(|(name, _)| is_match(name)).map_or(Scheme::Other, |&(_, scheme)| scheme)
    }

    /// Reports whether its URIs have a host on the web: `http`, `https`, `ws`, `wss` and `ftp`.
    pub(crate) fn is_web(self) -> bool {
        !matches!(self, Scheme::File | Scheme::Other)
    }

    pub(super) fn is_special(self) -> bool {
        self != Scheme::Other
    }

    /// Returns the default port; `None` if the Standard gives the scheme none.
    pub(super) fn default_port(self) -> Option<u32> {
        match self {
            Scheme::Http | Scheme::Ws => Some(80),
            Scheme::Https | Scheme::Wss => Some(443),
            Scheme::Ftp => Some(21),
            Scheme::File | Scheme::Other => None,
        }
    }
}
