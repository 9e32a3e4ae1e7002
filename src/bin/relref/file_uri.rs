//! The `file:` URI of a file (RFC 1738 §3.10).

use std::io;
use std::path::{Path, absolute};

use relref::percent::{ByteSet, encode};
use relref::{Rules, Segments};

/// `file://` and the absolute path, without dots, what a path may not hold escaped (RFC 3986 §3.3).
pub fn file_uri(file: &Path) -> io::Result<String> {
    let path = absolute(file)?;
    let escaped = encode(path.as_os_str().as_encoded_bytes(), ByteSet::PATH).to_string();
    let escaped = if cfg!(windows) { escaped.replace("%5C", "/") } else { escaped };
    let mut segments = Segments::new(&escaped);
    segments.remove_dots(Rules::RFC3986);
    let slash = if escaped.starts_with('/') { "" } else { "/" };
    Ok(format!("file://{slash}{segments}"))
}
