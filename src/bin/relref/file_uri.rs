//! The `file:` URI of a file (RFC 1738 §3.10).

use std::fs::canonicalize;
use std::io;
use std::path::{Component, Path, absolute};

use relref::percent::{ByteSet, encode};

/// `file://` and the absolute path; what a path may not hold is escaped (RFC 3986 §3.3).
pub fn file_uri(file: &Path) -> io::Result<String> {
    // Behind a symbolic link `..` is not the segment before it.
    let climbs = cfg!(unix) && file.components().any(|component| component == Component::ParentDir);
    let path = escaped(&if climbs { canonicalize(file)? } else { absolute(file)? });
    let slash = if path.starts_with('/') { "" } else { "/" };
    Ok(format!("file://{slash}{path}"))
}

/// The path of a URI for the path of a file.
pub fn escaped(path: &Path) -> String {
    let escaped = encode(path.as_os_str().as_encoded_bytes(), ByteSet::PATH).to_string();
    if cfg!(windows) { escaped.replace("%5C", "/") } else { escaped }
}
