//! relref and its peers, each by the fastest way its documentation gives, behind one interface.

mod relref;
mod rfc3986;
mod url_standard;

pub use self::relref::{Relref, Rfc1630, Rfc3986};
pub use self::rfc3986::{FluentUri, IriString, Oxiri, OxiriUnchecked};
pub use self::url_standard::{Ada, Url};

/// Something that resolves references. `None` is a refusal: the input is not what it takes.
pub trait Contender {
    /// Whether it can write a result into a buffer of the caller's. If not, `resolve_into` leaves the buffer alone and
    /// makes what `resolve` makes.
    const FILLS_BUFFERS: bool;
    /// A base, made as ready as it can be.
    type Base<'a>;
    /// A result of its own, with its text.
    type Resolved;
    /// A URI taken apart.
    type Split<'a>;

    fn name() -> String;
    fn base(text: &str) -> Option<Self::Base<'_>>;
    fn resolve_into(base: &Self::Base<'_>, reference: &str, out: &mut String) -> Option<()>;
    fn resolve(base: &Self::Base<'_>, reference: &str) -> Option<Self::Resolved>;
    fn text(resolved: &Self::Resolved) -> &str;
    fn split(text: &str) -> Option<Self::Split<'_>>;
}

/// Something that makes references relative.
pub trait Relativizer: Contender {
    /// The reference, with its text.
    type Reference<'t>: AsRef<str>;

    /// The shortest reference to a target that it knows of; `None` if there is none but the target.
    fn relativize<'t>(base: &Self::Base<'_>, target: &'t str) -> Option<Self::Reference<'t>>;
}
