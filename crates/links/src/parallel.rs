//! How much work is done with little memory: in threads whose results stay in order, and by sorting on disk.

mod external_sort;
mod lock;
mod ordered;
mod turns;

pub use self::external_sort::{ExternalSort, Key, Sorted};
pub use self::lock::lock;
pub use self::ordered::{JobResults, Jobs, Ordered};
pub use self::turns::{Claim, Claimant, Limits, Stopped, Turns, Use};
