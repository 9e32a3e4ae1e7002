//! Counts allocations, to show which work needs none. This is a binary of its own because counting replaces the allocator.

mod crawl;
#[cfg(feature = "html")]
mod html;
mod resolve;
mod whatwg;
