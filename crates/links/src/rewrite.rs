//! Puts other references into pages and style sheets, and changes no other byte.

mod choose;
mod mapping;
mod rewriter;
mod session;
mod splicer;
mod totals;
mod value;
mod written;

use alloc::string::String;
use alloc::vec::Vec;

use relref::whatwg;

pub use self::choose::Choose;
pub use self::mapping::{MapError, Mapping, Mode};
pub use self::rewriter::{RewrittenPage, Rewriter};
pub use self::session::Edit;
pub use self::totals::{Left, Totals};
use crate::html::{Link, PageUri};

/// Returns a page with the references that `new` returns for its links.
pub fn html(
    page: impl AsRef<[u8]>,
    uri: impl PageUri,
    new: impl FnMut(&Link<'_>) -> Option<String>,
) -> Result<Vec<u8>, whatwg::Error> {
    let base = uri.to_base()?;
    Ok(Rewriter::new(new).html(page.as_ref(), None, base.as_page_base()).into_owned())
}
