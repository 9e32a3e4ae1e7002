//! The runner of laws that need more than a hundred inputs to find bugs.

use quickcheck::QuickCheck;

/// Returns a runner that tries this number of inputs. If `QUICKCHECK_TESTS` is set, it tries that number instead.
pub fn tries(number: u64) -> QuickCheck {
    let runner = QuickCheck::new();
    if std::env::var_os("QUICKCHECK_TESTS").is_some() {
        runner
    } else {
        runner.tests(number).max_tests(number.max(10_000))
    }
}
