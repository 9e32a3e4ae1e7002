//! Paths of files as `file:` URIs (RFC 1738 §3.10).

use std::fs::canonicalize;
use std::io;
use std::path::{Component, Path, absolute};

use relref::percent::{ByteSet, encode};

/// Returns the `file:` URI of a file, with its absolute path. Characters that a path of a URI must not contain are percent-encoded
/// (RFC 3986 §3.3).
pub fn file_uri(file: &Path) -> io::Result<String> {
    let path = uri_path(&if cfg!(unix) && has_parent(file) { canonicalize(file)? } else { absolute(file)? });
    let slash = if path.starts_with('/') { "" } else { "/" };
    Ok(format!("file://{slash}{path}"))
}

/// Returns the path of a file as the path of a URI: percent-encoded and, on Windows, with `/` for `\`.
pub fn uri_path(path: &Path) -> String {
    let path = encode(path.as_os_str().as_encoded_bytes(), ByteSet::PATH).to_string();
    if cfg!(windows) { path.replace("%5C", "/") } else { path }
}

/// Reports whether a path has a name `..`, which after a symbolic link does not lead back to the folder of the link.
pub fn has_parent(path: &Path) -> bool {
    path.components().any(|component| component == Component::ParentDir)
}

/// Returns the path of the folder that contains a file, which is `.` if `file` is only a name.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
