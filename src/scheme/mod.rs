//! The schemes that the documents describe, and a typed view of the URIs of each.
//!
//! [`view`](fn@view) reads a URI by the rules of its scheme. It never fails: a missing part is `None`, and an odd one gives a
//! [`Warning`], which leaves the decision to the caller. Fields borrow from the text and keep its escapes: decode them with
//! [`percent::decode_bytes`](crate::percent::decode_bytes), after splitting and never before.
//!
//! ```
//! use relref::scheme::{View, WarningKind, view};
//!
//! let View::Ftp(ftp) = view("ftp://myname@host.dom/%2Fetc/motd;type=a") else { unreachable!() };
//! assert_eq!(ftp.user(), "myname");
//! assert_eq!(ftp.cwd().next().unwrap()?.to_string(), "/etc");
//! assert_eq!(ftp.name(), "motd");
//!
//! // A gopher URI that would send a command to a mail server.
//! let view = view("gopher://host.dom:25/1HELO%0D%0A");
//! let kinds: Vec<WarningKind> = view.warnings().iter().map(|warning| warning.kind).collect();
//! assert_eq!(kinds, [WarningKind::Port { privileged: true }, WarningKind::Control(b'\r'), WarningKind::Control(b'\n')]);
//! # Ok::<(), relref::Error>(())
//! ```
//!
//! The schemes that the documents name, and later ones that are common. Every other scheme, and a reference without a scheme, has a [`Generic`] view; so
//! have the names that are only reserved.
//!
//! | scheme | view | authority | default port | hierarchical | document |
//! |---|---|---|---|---|---|
//! | `http` | [`Http`] | host, port | 80 | yes | RFC 1738 §3.3 |
//! | `https` | [`Http`] | host, port | 443 | yes | RFC 9110 §4.2.2 |
//! | `ws` | [`Http`] | host, port | 80 | yes | RFC 6455 §3 |
//! | `wss` | [`Http`] | host, port | 443 | yes | RFC 6455 §3 |
//! | `ftp` | [`Ftp`] | user, password, host, port | 21 | yes | RFC 1738 §3.2 |
//! | `gopher` | [`Gopher`] | host, port | 70 |  | RFC 1738 §3.4 |
//! | `mailto` | [`Mailto`] | none |  |  | RFC 1738 §3.5 |
//! | `mid` | [`Mailto`] | none |  |  | RFC 1630 *Message-Id* |
//! | `cid` | [`Mailto`] | none |  |  | RFC 1630 *Content-Id* |
//! | `news` | [`News`] | none |  |  | RFC 1738 §3.6 |
//! | `nntp` | [`Nntp`] | host, port | 119 | yes | RFC 1738 §3.7 |
//! | `telnet` | [`Telnet`] | user, password, host, port | 23 |  | RFC 1738 §3.8 |
//! | `rlogin` | [`Telnet`] | user, password, host, port |  |  | RFC 1630 *Telnet, rlogin, tn3270* |
//! | `tn3270` | [`Telnet`] | user, password, host, port | 23 |  | RFC 1630 *Telnet, rlogin, tn3270* |
//! | `wais` | [`Wais`] | host, port | 210 |  | RFC 1738 §3.9 |
//! | `file` | [`File`] | optional host |  | yes | RFC 1738 §3.10 |
//! | `afs` | [`Afs`] | host |  | yes | RFC 1630 *BNF for specific URL schemes* |
//! | `prospero` | [`Prospero`] | host, port | 1525 |  | RFC 1738 §3.11 |
//! | `urn` | [`Urn`] | none |  | yes | RFC 1630 *URN* |
//! | `data` | [`Data`] | none |  |  | RFC 2397 §3 |
//! | `sip` | [`Sip`] | none |  |  | RFC 3261 §19.1 |
//! | `sips` | [`Sip`] | none |  |  | RFC 3261 §19.1 |
//! | `x500` | [`Generic`] | none |  |  | RFC 1630 *Schemes for Further Study* |
//! | `whois++` | [`Generic`] | host |  |  | RFC 1630 *Schemes for Further Study* |
//! | `netman` | [`Generic`] | none |  |  | RFC 1630 *Schemes for Further Study* |
//! | `nfs` | [`Generic`] | none |  |  | RFC 1738 §4 |
//! | `mailserver` | [`Generic`] | none |  |  | RFC 1738 §4 |
//! | `z39.50` | [`Generic`] | none |  |  | RFC 1738 §4 |

mod authority;
mod data;
mod details;
mod file;
mod ftp;
mod gateways;
mod generic;
mod gopher;
mod http;
mod mailto;
mod news;
mod part;
mod prospero;
mod registry;
mod sip;
mod telnet;
mod url_path;
mod urn;
mod view;
mod wais;
mod warning;

pub use authority::Authority;
pub use data::Data;
pub use file::{Afs, File};
pub use ftp::{FormCode, Ftp, FtpPassword, FtpType};
pub use gateways::Gateways;
pub use generic::Generic;
pub use gopher::{Gopher, GopherPlus, SearchSeparator};
pub use http::{Http, proxy_target};
pub use mailto::Mailto;
pub use news::{News, NewsTarget, Nntp};
pub use part::{Part, PartValue};
pub use prospero::Prospero;
pub use registry::{AuthoritySyntax, SchemeInfo, default_port, info, registry, view};
pub use sip::Sip;
pub use telnet::Telnet;
pub use urn::Urn;
pub(crate) use urn::namespace_len;
pub use view::View;
pub use wais::Wais;
pub use warning::{Warning, WarningKind};
