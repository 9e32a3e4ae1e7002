//! Paths of files as `file:` URIs (RFC 1738 §3.10).

use std::fs::canonicalize;
use std::io;
use std::path::{Component, Path, absolute};

use relref::percent::{ByteSet, encode_with};

/// Makes the path absolute, and percent-encodes it (RFC 3986 §3.3).
pub fn file_uri(file: &Path) -> io::Result<String> {
    let path = uri_path(&if cfg!(unix) && has_parent(file) { canonicalize(file)? } else { absolute(file)? });
    let slash = if path.starts_with('/') { "" } else { "/" };
    Ok(format!("file://{slash}{path}"))
}

/// Percent-encodes a path and, on Windows, writes `/` for `\`.
pub fn uri_path(path: &Path) -> String {
    let path = encode_with(path.as_os_str().as_encoded_bytes(), ByteSet::PATH).to_string();
    if cfg!(windows) { path.replace("%5C", "/") } else { path }
}

/// A name `..` after a symbolic link does not lead back to the folder of the link.
pub fn has_parent(path: &Path) -> bool {
    path.components().any(|component| component == Component::ParentDir)
}

/// `.` if `file` is only a name.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
