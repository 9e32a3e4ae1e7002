//! The `file:` URI of a file (RFC 1738 §3.10).

use std::fs::canonicalize;
use std::io;
use std::path::{Component, Path, absolute};

use relref::percent::{ByteSet, encode};

/// Returns the `file:` URI of a file, with the absolute path. Characters that a path must not contain are percent-encoded (RFC 3986
/// §3.3).
pub fn file_uri(file: &Path) -> io::Result<String> {
    // After a symbolic link, `..` does not remove the segment before it.
    let climbs = cfg!(unix) && file.components().any(|component| component == Component::ParentDir);
    let path = uri_path(&if climbs { canonicalize(file)? } else { absolute(file)? });
    let slash = if path.starts_with('/') { "" } else { "/" };
    Ok(format!("file://{slash}{path}"))
}

/// Converts a file's path to the path of a URI: percent-encodes it and, on Windows, writes `/` for `\`.
pub fn uri_path(path: &Path) -> String {
    let path = encode(path.as_os_str().as_encoded_bytes(), ByteSet::PATH).to_string();
    if cfg!(windows) { path.replace("%5C", "/") } else { path }
}
