//! Empty: this package has only tests.
