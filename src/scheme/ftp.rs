//! `ftp`.

use super::authority::Authority;
use super::parts::{rest, url_path};
use crate::error::Error;
use crate::percent::{Decode, decode};
use crate::uri::UriRef;

/// A URI of `ftp`: where to log in, which directories to change to, which file to fetch, and as which type.
///
/// It is not a file name. `;type=` is read at the end of the last segment, in any case; RFC 1630's BNF lacks it, its prose
/// has it. `?` is an ordinary character.
///
/// Source: RFC 1630, *FTP*; RFC 1738 §3.2.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{FtpType, View, view};
///
/// let View::Ftp(ftp) = view(UriRef::new("ftp://host.dom//etc/motd;type=I")) else { unreachable!() };
/// assert_eq!(ftp.user(), "anonymous");
/// let cwd: Result<Vec<String>, _> = ftp.cwd().map(|name| name.map(|name| name.to_string())).collect();
/// assert_eq!(cwd?, ["", "etc"]);
/// assert_eq!((ftp.name(), ftp.data_type()), ("motd", Some(FtpType::Image)));
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Ftp<'a> {
    /// The whole.
    pub uri: UriRef<'a>,
    /// The authority. Its default port is 21.
    pub authority: Option<Authority<'a>>,
    /// The path, without the slash behind the host and without `;type=…`. `None` if that slash is missing too.
    pub path: Option<&'a str>,
    /// What stands behind `;type=`.
    pub type_code: Option<&'a str>,
}

/// Which password an FTP server is to be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FtpPassword<'a> {
    /// This one, encoded.
    Given(&'a str),
    /// The mail address of the user, as the user is `anonymous` for want of a name. It should be usable, and its host be
    /// the client's (RFC 1630, *FTP*).
    MailAddress,
    /// None is written for the user that is: ask (RFC 1738 §3.2.1).
    Ask,
}

/// The type in which FTP is to transfer a file (RFC 959 §3.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FtpType {
    /// `a`, `AN`, `AT`, `AC`: text.
    Ascii(Option<FormCode>),
    /// `E`, `EN`, `ET`, `EC`: text in EBCDIC.
    Ebcdic(Option<FormCode>),
    /// `i`: octets.
    Image,
    /// `L` and digits: bytes of so many bits.
    Local(u8),
    /// `d`: not a type of FTP, but a list of names (RFC 1738 §3.2.2).
    Directory,
}

/// How a text that is transferred moves the paper (RFC 959 §3.1.1.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormCode {
    /// `N`: it does not.
    NonPrint,
    /// `T`: by Telnet's format effectors.
    Telnet,
    /// `C`: by Fortran's carriage control.
    CarriageControl,
}

impl<'a> Ftp<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        let rest = rest(&uri);
        let (rest, type_code) = match rest.rfind([';', '/']) {
            Some(at) if rest[at..].get(..6).is_some_and(|start| start.eq_ignore_ascii_case(";type=")) => {
                (&rest[..at], Some(&rest[at + 6..]))
            }
            _ => (rest, None),
        };
        Ftp { uri, authority: Authority::of(&uri), path: url_path(rest), type_code }
    }

    /// The user name, encoded; `anonymous` if there is none (an empty one is not none).
    pub fn user(&self) -> &'a str {
        self.authority.and_then(|authority| authority.user()).unwrap_or("anonymous")
    }

    /// The password.
    pub fn password(&self) -> FtpPassword<'a> {
        match self.authority.map(|authority| (authority.user(), authority.password())) {
            Some((_, Some(password))) => FtpPassword::Given(password),
            Some((Some(_), None)) => FtpPassword::Ask,
            _ => FtpPassword::MailAddress,
        }
    }

    /// The directories to change to, one after the other, each decoded after the path was split. `%2Fetc` is `/etc`; an
    /// empty one is a change with an empty name.
    ///
    /// # Errors
    /// Each as [`decode`]; the position is that in the segment.
    pub fn cwd(&self) -> impl Iterator<Item = Result<Decode<'a>, Error>> + use<'a> {
        let directories = self.path.and_then(|path| path.rsplit_once('/')).map(|(directories, _)| directories);
        directories.into_iter().flat_map(|directories| directories.split('/')).map(decode)
    }

    /// The name of the file to fetch or of the directory to list, encoded; it may be empty.
    pub fn name(&self) -> &'a str {
        let path = self.path.unwrap_or_default();
        path.rsplit_once('/').map_or(path, |(_, name)| name)
    }

    /// The type to transfer by; `None` if it is not given or not known, so that it must be guessed from the name.
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

    /// Whether a list of a directory is asked for: by `;type=d` (RFC 1738), or by an empty name without a type, as behind
    /// a trailing slash (RFC 1630).
    pub fn is_listing(&self) -> bool {
        match self.type_code {
            Some(_) => self.data_type() == Some(FtpType::Directory),
            None => self.name().is_empty(),
        }
    }
}
