//! Schemes: what the documents say of each, and typed views of the URIs of each.
//!
//! [`view`] reads a split URI by the rules of its scheme. It never fails: what is missing is `None`, and what is odd is a
//! [`Warning`], a fact for the caller and no refusal. Fields are borrowed and encoded, as they stand in the text: decode
//! them with [`percent::decode`](crate::percent::decode), after splitting and never before.
//!
//! ```
//! use relref::UriRef;
//! use relref::scheme::{View, WarningKind, view};
//!
//! let View::Ftp(ftp) = view(UriRef::new("ftp://myname@host.dom/%2Fetc/motd;type=a")) else { unreachable!() };
//! assert_eq!(ftp.user(), "myname");
//! assert_eq!(ftp.cwd().next().unwrap()?.to_string(), "/etc");
//! assert_eq!(ftp.name(), "motd");
//!
//! // A gopher URL made to speak to a mail server.
//! let view = view(UriRef::new("gopher://host.dom:25/1HELO%0D%0A"));
//! let kinds: Vec<WarningKind> = view.warnings().map(|warning| warning.kind).collect();
//! assert_eq!(kinds, [WarningKind::Port { reserved: true }, WarningKind::Control(b'\r'), WarningKind::Control(b'\n')]);
//! # Ok::<(), relref::Error>(())
//! ```
//!
//! | scheme | view |
//! |---|---|
//! | `http`, `https`, `ws`, `wss` | [`Http`] |
//! | `ftp` | [`Ftp`] |
//! | `gopher` | [`Gopher`] |
//! | `mailto`, `mid`, `cid` | [`Address`] |
//! | `news`, `nntp` | [`News`], [`Nntp`] |
//! | `telnet`, `rlogin`, `tn3270` | [`Session`] |
//! | `wais` | [`Wais`] |
//! | `file`, `afs` | [`File`], [`Afs`] |
//! | `prospero` | [`Prospero`] |
//! | `urn` | [`Urn`] |
//! | `x-…`, names only reserved, unknown ones, none | [`Generic`] |

mod address;
mod authority;
mod file;
mod ftp;
mod gateways;
mod generic;
mod gopher;
mod http;
mod news;
mod parts;
mod prospero;
mod registry;
mod session;
mod view;
mod wais;
mod warn;
mod warning;

pub use address::Address;
pub use authority::Authority;
pub use file::{Afs, File};
pub use ftp::{FormCode, Ftp, FtpPassword, FtpType};
pub use gateways::Gateways;
pub use generic::{Generic, Urn};
pub use gopher::{Gopher, GopherPlus, GopherSearch};
pub use http::{Http, proxy_target};
pub use news::{News, NewsTarget, Nntp};
pub use prospero::Prospero;
pub use registry::{SchemeInfo, default_port, info, registry};
pub use session::Session;
pub use view::{View, view};
pub use wais::Wais;
pub use warning::{Warning, WarningKind};
