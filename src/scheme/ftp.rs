//! The view of `ftp` URIs: login, directories, file and type.

use alloc::format;
use alloc::string::String;

use super::authority::Authority;
use super::details::Details;
use super::part::Parts;
use super::url_path::{path_and_query, url_path};
use super::warning::{WarningKind, Warnings};
use crate::error::Error;
use crate::percent::{Decode, decode_bytes};
use crate::uri::UriRef;

/// A URI of `ftp`: login, directories to change to, file to fetch, and type to transfer it in (RFC 1630, *FTP*; RFC 1738 §3.2).
///
/// The path is not a file name. The last segment may end with `;type=` and a type, in upper or lower case; in RFC 1630, only the
/// prose has it and not the BNF. `?` is an ordinary character.
///
/// ```
/// use relref::scheme::{FtpType, View, view};
///
/// let View::Ftp(ftp) = view("ftp://host.dom//etc/motd;type=I") else { unreachable!() };
/// assert_eq!(ftp.user(), "anonymous");
/// let cwd: Result<Vec<String>, _> = ftp.cwd().map(|name| name.map(|name| name.to_string())).collect();
/// assert_eq!(cwd?, ["", "etc"]);
/// assert_eq!((ftp.name(), ftp.data_type()), ("motd", Some(FtpType::Image)));
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Ftp<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The authority.
    pub authority: Option<Authority<'a>>,
    /// The `url-path` (RFC 1738 §3.1): the path without the slash after the host and, here, without `;type=…`. `None` if there is
    /// not even that slash.
    pub url_path: Option<&'a str>,
    /// The text after `;type=`; `None` if there is no `;type=`.
    pub type_code: Option<&'a str>,
}

/// The password to send to an FTP server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FtpPassword<'a> {
    /// The password that the URI gives, with its escapes.
    Given(&'a str),
    /// The mail address of the user: the URI names no user, so the login is `anonymous`. The address should be valid, with the
    /// client's own host (RFC 1630, *FTP*).
    MailAddress,
    /// No password is known: the URI names a user but no password, so the client asks the user (RFC 1738 §3.2.1).
    Ask,
}

/// The type in which FTP transfers a file (RFC 959 §3.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FtpType {
    /// `a`, `AN`, `AT`, `AC`: text.
    Ascii(Option<FormCode>),
    /// `E`, `EN`, `ET`, `EC`: text in EBCDIC.
    Ebcdic(Option<FormCode>),
    /// `i`: octets.
    Image,
    /// `L` and digits: bytes of this number of bits.
    Local(u8),
    /// `d`: a list of the directory's names, which is not a type of FTP itself (RFC 1738 §3.2.2).
    Directory,
}

/// The way in which a printer moves the paper for a text (RFC 959 §3.1.1.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormCode {
    /// `N`: not at all; the text is not for printing.
    NonPrint,
    /// `T`: by the format controls of Telnet.
    Telnet,
    /// `C`: by the carriage control of Fortran.
    CarriageControl,
}

impl<'a> Ftp<'a> {
    pub(super) fn new(uri: UriRef<&'a str>, authority: Option<Authority<'a>>) -> Self {
        let path = path_and_query(&uri);
        let (path, type_code) = match path.rfind([';', '/']) {
            Some(at) if path[at..].get(..6).is_some_and(|start| start.eq_ignore_ascii_case(";type=")) => {
                (&path[..at], Some(&path[at + 6..]))
            }
            _ => (path, None),
        };
        Ftp { uri, authority, url_path: url_path(path), type_code }
    }

    /// Returns the user name, with its escapes; `anonymous` if the URI has none. (An empty name is a name.)
    #[must_use]
    pub fn user(&self) -> &'a str {
        self.authority.and_then(|authority| authority.username()).unwrap_or("anonymous")
    }

    /// Returns the password to send.
    #[must_use]
    pub fn password(&self) -> FtpPassword<'a> {
        match self.authority.map(|authority| (authority.username(), authority.password())) {
            Some((_, Some(password))) => FtpPassword::Given(password),
            Some((Some(_), None)) => FtpPassword::Ask,
            _ => FtpPassword::MailAddress,
        }
    }

    /// Returns the decoded names of the directories to change to, one after the other: the segments of the path before the last.
    /// `%2Fetc` is the name `/etc`; an empty name is a change of directory, too.
    ///
    /// # Errors
    /// Each item can have the error of [`decode_bytes`]. The position is a byte of the segment.
    pub fn cwd(&self) -> impl Iterator<Item = Result<Decode<'a>, Error>> + use<'a> {
        self.raw_cwd().map(decode_bytes)
    }

    fn raw_cwd(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let directories = self.url_path.and_then(|path| path.rsplit_once('/')).map(|(directories, _)| directories);
        directories.into_iter().flat_map(|directories| directories.split('/'))
    }

    /// Returns the name of the file to fetch or of the directory to list, with its escapes; it may be empty.
    #[must_use]
    pub fn name(&self) -> &'a str {
        let path = self.url_path.unwrap_or_default();
        path.rsplit_once('/').map_or(path, |(_, name)| name)
    }

    /// Returns the type to transfer the file in; `None` if the URI gives none or an unknown one, so that the client must guess
    /// it from the name.
    pub fn data_type(&self) -> Option<FtpType> {
        let code = self.type_code?;
        let form = match code.as_bytes().get(1..)? {
            [] => Some(None),
            b"N" | b"n" => Some(Some(FormCode::NonPrint)),
            b"T" | b"t" => Some(Some(FormCode::Telnet)),
            b"C" | b"c" => Some(Some(FormCode::CarriageControl)),
            _ => None,
        };
        match code.as_bytes()[0].to_ascii_lowercase() {
            b'a' => form.map(FtpType::Ascii),
            b'e' => form.map(FtpType::Ebcdic),
            b'i' if code.len() == 1 => Some(FtpType::Image),
            b'd' if code.len() == 1 => Some(FtpType::Directory),
            b'l' if code.as_bytes()[1..].iter().all(u8::is_ascii_digit) => code[1..].parse().ok().map(FtpType::Local),
            _ => None,
        }
    }

    /// Reports whether the URI means the list of a directory: by `;type=d` (RFC 1738), or by an empty name without a type,
    /// as after a trailing slash (RFC 1630).
    #[must_use]
    pub fn is_listing(&self) -> bool {
        match self.type_code {
            Some(_) => self.data_type() == Some(FtpType::Directory),
            None => self.name().is_empty(),
        }
    }
}

impl<'a> Details<'a> for Ftp<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        if self.authority.is_some_and(|authority| authority.userinfo.is_none()) {
            parts.add("user", self.user());
        }
        if self.password() == FtpPassword::Ask {
            parts.add("password", "to be asked for");
        }
        parts.add_decoded_list("cwd", self.raw_cwd());
        parts.add_decoded("name", self.name());
        let form = |form: Option<FormCode>| match form {
            Some(FormCode::NonPrint) => ", non-print",
            Some(FormCode::Telnet) => ", telnet format",
            Some(FormCode::CarriageControl) => ", carriage control",
            None => "",
        };
        let data_type = match self.data_type() {
            Some(FtpType::Ascii(code)) => format!("ASCII{}", form(code)),
            Some(FtpType::Ebcdic(code)) => format!("EBCDIC{}", form(code)),
            Some(FtpType::Image) => String::from("image"),
            Some(FtpType::Local(bits)) => format!("local, bytes of {bits} bits"),
            Some(FtpType::Directory) => String::from("directory listing"),
            None if self.is_listing() => String::from("directory listing"),
            None => return,
        };
        parts.add("type", data_type);
    }

    fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        if self.data_type().is_none() {
            warnings.add_part(WarningKind::UnknownType, self.type_code);
        }
    }
}
