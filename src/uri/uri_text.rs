//! The texts that a URI can hold: borrowed, owned or shared.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;

use super::ParseError;
use crate::error::{Error, ErrorKind};

// Sealed: offsets are kept beside the text, and a type of another crate could return another text at each call.
mod sealed {
    /// No other crate can name this trait, so none can implement [`UriText`](super::UriText).
    pub trait Str {
        fn text(&self) -> &str;
    }
}

use sealed::Str;

/// A text that a [`UriRef`](crate::UriRef), [`Uri`](crate::Uri) or [`whatwg::Url`](crate::whatwg::Url) can hold: `String`, `Box<str>`,
/// `Rc<str>`, `Arc<str>`, `Cow<str>`, `&str`, or a reference to any of these.
///
/// Sealed: the components are kept as offsets, so the text must not change while it is held.
///
/// A function for texts of any type takes `&UriRef<impl UriText>`, and reads components by
/// [`as_borrowed`](crate::UriRef::as_borrowed).
///
/// ```
/// use relref::UriRef;
/// use relref::support::UriText;
///
/// fn is_page(uri: &UriRef<impl UriText>) -> bool {
///     uri.as_borrowed().path().ends_with(".html")
/// }
/// assert!(is_page(&UriRef::new("a/b.html?c")) && !is_page(&UriRef::new(String::from("a/b.css"))));
/// ```
pub trait UriText: Str {
    /// The error if the text is refused: [`Error`] for a borrowed text; for an owned one [`ParseError`], which gives the text back.
    type Refused: core::error::Error + Into<Error>;

    /// Returns the error for this text, which is refused.
    #[doc(hidden)]
    fn refuse(self, error: Error) -> Self::Refused;
}

/// A [`UriText`] that lends parts of itself, as `&'o str`. Only generic code needs to name it.
///
/// For a borrowed text, `'o` is the lifetime of that text: so the components of a `UriRef<&'a str>` are of type `&'a str`, and can
/// be kept longer than the `UriRef`. For an owned text, `'o` is the same as `'i`, the lifetime of the borrow of the URI.
pub trait Lend<'i, 'o>: UriText {
    /// Returns the text.
    fn lend(&'i self) -> &'o str;
}

/// Returns the error of a text without a scheme. The error of an owned text holds that text.
#[cold]
pub(crate) fn no_scheme<T: UriText>(text: T) -> T::Refused {
    let error = Error::no_scheme(ErrorKind::NoScheme, text.text());
    text.refuse(error)
}

impl Str for str {
    #[inline(always)]
    fn text(&self) -> &str {
        self
    }
}

impl<U: Str + ?Sized> Str for &U {
    #[inline(always)]
    fn text(&self) -> &str {
        U::text(self)
    }
}

impl<U: Str + ?Sized> UriText for &U {
    type Refused = Error;

    fn refuse(self, error: Error) -> Error {
        error
    }
}

impl<'i, 'o: 'i, U: Str + ?Sized> Lend<'i, 'o> for &'o U {
    #[inline(always)]
    fn lend(&'i self) -> &'o str {
        U::text(self)
    }
}

macro_rules! owned {
    ($($text:ty $(, $lifetime:lifetime)?;)*) => {$(
        impl$(<$lifetime>)? Str for $text {
            #[inline(always)]
            fn text(&self) -> &str {
                self
            }
        }

        impl$(<$lifetime>)? UriText for $text {
            type Refused = ParseError<$text>;

            fn refuse(self, error: Error) -> ParseError<$text> {
                ParseError::new(error, self)
            }
        }

        impl<'i, $($lifetime)?> Lend<'i, 'i> for $text {
            #[inline(always)]
            fn lend(&'i self) -> &'i str {
                self
            }
        }
    )*};
}

owned! {
    String;
    Box<str>;
    Rc<str>;
    Arc<str>;
    Cow<'a, str>, 'a;
}
