//! The runner of laws that need more than a hundred inputs to find faults.

use quickcheck::QuickCheck;

/// Returns a runner that tries this number of inputs, or `QUICKCHECK_TESTS` if that is set.
pub fn tries(number: u64) -> QuickCheck {
    let runner = QuickCheck::new();
    if std::env::var_os("QUICKCHECK_TESTS").is_some() { runner } else { runner.tests(number) }
}
