//! The states of the parser, by their names.

/// Defines [`State`] by one table: a variant and the Standard's name for each state.
macro_rules! states {
    ($($state:ident $name:literal)*) => {
        /// A state of the basic URL parser (URL Standard §4.4), in the order of the Standard.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum State {
            $(#[doc = concat!("*", $name, "*")] $state,)*
        }

        impl State {
            /// Returns the name that the URL Standard gives it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(State::$state => $name,)*
                }
            }
        }
    };
}

states! {
    SchemeStart "scheme start state"
    Scheme "scheme state"
    NoScheme "no scheme state"
    SpecialRelativeOrAuthority "special relative or authority state"
    PathOrAuthority "path or authority state"
    Relative "relative state"
    RelativeSlash "relative slash state"
    SpecialAuthoritySlashes "special authority slashes state"
    SpecialAuthorityIgnoreSlashes "special authority ignore slashes state"
    Authority "authority state"
    Host "host state"
    Port "port state"
    File "file state"
    FileSlash "file slash state"
    FileHost "file host state"
    PathStart "path start state"
    Path "path state"
    OpaquePath "opaque path state"
    Query "query state"
    Fragment "fragment state"
}
