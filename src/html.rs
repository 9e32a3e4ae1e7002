//! The hyperlinks of a page.
