//! Archives made for a test, and what `relref links` prints of them.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::command::process::{folder, relref};

/// Writes an archive and gives the URIs it prints, the problems and the exit code.
pub fn links(name: &str, bytes: &[u8], args: &[&str]) -> (Vec<String>, Vec<String>, i32) {
    let file = file(name, bytes);
    let output = relref(&[&["links", "-q", "--format", "text", file.to_str().unwrap()], args].concat(), b"");
    let problem = format!("relref: {}: ", file.display());
    let stderr = String::from_utf8(output.stderr).unwrap();
    let problems = stderr.lines().map(|line| line.strip_prefix(&problem).expect(line).to_owned()).collect();
    let uris = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    (uris, problems, output.status.code().unwrap())
}

pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let file = folder(&format!("warc-{name}")).join(name);
    fs::write(&file, bytes).unwrap();
    file
}

pub fn record(kind: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let len = block.len();
    let head = format!("WARC/1.1\r\nWARC-Type: {kind}\r\n{fields}Content-Length: {len}\r\n\r\n");
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

pub fn http(fields: &str, body: &[u8]) -> Vec<u8> {
    [b"HTTP/1.1 200 OK\r\n", fields.as_bytes(), b"\r\n", body].concat()
}

/// The fields of a response's record.
pub fn of_response(uri: &str) -> String {
    format!("Content-Type: application/http; msgtype=response\r\nWARC-Target-URI: {uri}\r\n")
}

/// A response of HTML at `http://h/NAME/`.
pub fn response(name: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let block = http(&format!("Content-Type: text/html\r\n{fields}"), body);
    record("response", &of_response(&format!("http://h/{name}/")), &block)
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Three records, and many kinds of text, compressible and not, in the middle one.
pub fn three() -> [Vec<u8>; 3] {
    let noise: String = (0..400_u32).map(|n| format!("<p>{}", n.wrapping_mul(2_654_435_761))).collect();
    let middle = format!("<a href=2>{noise}");
    [("a", "<a href=1>"), ("b", &middle), ("c", "<a href=3>")].map(|(name, body)| response(name, "", body.as_bytes()))
}
