//! relref and its peers with one interface, each called in the fastest way that its documentation shows.

mod relref;
mod rfc3986;
mod url_standard;

pub use self::relref::{Relref, Rfc1630, Rfc3986, StateMachine, Whatwg};
pub use self::rfc3986::{FluentUri, IriString, Oxiri, OxiriUnchecked};
pub use self::url_standard::{Ada, Url};

/// A library that resolves references. Functions return `None` if the library refuses the input.
pub trait Contender {
    /// True if it can write a result into the caller's buffer. If not, `resolve_into` does the same as `resolve` and leaves the
    /// buffer as it is.
    const FILLS_BUFFERS: bool;
    /// A base, prepared as far as the library allows.
    type Base<'a>;
    /// A result that owns its text.
    type Resolved;
    /// A URI, split.
    type Split<'a>;

    fn name() -> String;
    fn base(text: &str) -> Option<Self::Base<'_>>;
    fn resolve_into(base: &Self::Base<'_>, reference: &str, out: &mut String) -> Option<()>;
    fn resolve(base: &Self::Base<'_>, reference: &str) -> Option<Self::Resolved>;
    fn text(resolved: &Self::Resolved) -> &str;
    fn split(text: &str) -> Option<Self::Split<'_>>;

    /// Resolves one reference against one base, in the fastest way that the library has.
    fn resolve_once_into(base: &str, reference: &str, out: &mut String) -> Option<()> {
        Self::resolve_into(&Self::base(base)?, reference, out)
    }
}

/// A library that also relativizes.
pub trait Relativizer: Contender {
    /// A reference.
    type Reference<'t>: AsRef<str>;

    /// Returns the shortest reference to a target that the library finds; `None` if it finds only the target itself.
    fn relativize<'t>(base: &Self::Base<'_>, target: &'t str) -> Option<Self::Reference<'t>>;
}
