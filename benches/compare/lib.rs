//! Empty: this package has only benches.
