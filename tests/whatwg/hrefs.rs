//! Results as texts.

use relref::whatwg::{Base, Error, Url, inspect};

/// Parses a URL without a base, and returns its text.
pub fn parse(url: &str) -> Result<String, Error> {
    Url::parse(url).map(String::from)
}

/// Returns the result of the complete path, without the fast path.
pub fn complete(input: &str, base: Option<&Base>) -> Result<String, Error> {
    inspect(input, base).url.map(String::from)
}
