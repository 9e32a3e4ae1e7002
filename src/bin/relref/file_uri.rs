//! The `file:` URI of a file (RFC 1738 §3.10).

use std::fmt::Write;
use std::io;
use std::path::{Path, absolute};

use relref::{Rules, Segments};

/// `file://` and the absolute path, without dots, what a path may not hold escaped (RFC 3986 §3.3).
pub fn file_uri(file: &Path) -> io::Result<String> {
    let path = absolute(file)?;
    let mut escaped = String::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\\' if cfg!(windows) => escaped.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => escaped.push(byte.into()),
            byte if b"-._~!$&'()*+,;=:@/".contains(&byte) => escaped.push(byte.into()),
            byte => write!(escaped, "%{byte:02X}").map_err(io::Error::other)?,
        }
    }
    let mut segments = Segments::new(&escaped);
    segments.remove_dots(Rules::RFC3986);
    let slash = if escaped.starts_with('/') { "" } else { "/" };
    Ok(format!("file://{slash}{segments}"))
}
