//! The URI of a page, as the functions that return iterators take it: a text, or a base.

use relref::support::UriText;
use relref::{Uri, whatwg};

use super::page_base::{OwnedBase, PageBase};

/// The URI of a page, to which its links are relative, in one of two forms:
///
/// - a text (`&str` or `String`), a [`Uri`] or a [`whatwg::Url`]. Links are then resolved by browsers' rules. A text that is no absolute URL is an error of the function that takes it;
/// - a base, which is a reference to anything of which a [`PageBase`] is made. Links are then resolved by its rules.
///
/// ```
/// use relref::{Base, Rules};
/// use relref_links::html::links;
///
/// let page = "<a href='a b'>";
/// assert_eq!(links(page, "http://example.com/")?[0].uri, "http://example.com/a%20b");
/// assert_eq!(links(page, &Base::new("http://example.com/", Rules::RFC3986)?)?[0].uri, "http://example.com/a b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PageUri: ToBase {}

impl<T: ToBase> PageUri for T {}

pub trait ToBase {
    /// Fails for a text that is no absolute URL.
    fn to_base(self) -> Result<OwnedBase, whatwg::Error>;
}

impl<'b, T: Into<PageBase<'b>>> ToBase for T {
    fn to_base(self) -> Result<OwnedBase, whatwg::Error> {
        Ok(OwnedBase::of_page(self.into()))
    }
}

impl ToBase for &str {
    fn to_base(self) -> Result<OwnedBase, whatwg::Error> {
        Ok(OwnedBase::of_page((&whatwg::Base::new(self)?).into()))
    }
}

/// Implements [`ToBase`] for what holds a text.
macro_rules! texts {
    ($($text:ty $(, $held:ident)?;)*) => {
        $(impl$(<$held: UriText>)? ToBase for $text {
            fn to_base(self) -> Result<OwnedBase, whatwg::Error> {
                let text: &str = self.as_ref();
                text.to_base()
            }
        })*
    };
}

texts! {
    String;
    &String;
    &&str;
    &&String;
    Uri<T>, T;
    &Uri<T>, T;
    whatwg::Url<T>, T;
    &whatwg::Url<T>, T;
}
