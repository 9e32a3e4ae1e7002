//! Counts allocations, to show which work needs none. This is a binary of its own because counting replaces the allocator.

mod crawl;
mod resolve;
mod whatwg;
