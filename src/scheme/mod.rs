//! Schemes: what the documents say of each.

mod registry;

pub use registry::{SchemeInfo, default_port, info, registry};
