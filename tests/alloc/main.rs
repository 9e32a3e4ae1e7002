//! What allocates and what does not, counted. A binary of its own: counting replaces the allocator.

mod crawl;
#[cfg(feature = "html")]
mod html;
mod resolve;
