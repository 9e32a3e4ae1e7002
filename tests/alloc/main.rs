//! What allocates and what does not, counted. A binary of its own: counting replaces the allocator.

mod crawl;
mod resolve;
