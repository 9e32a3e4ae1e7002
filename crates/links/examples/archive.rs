//! The captures of a web archive: the byte where each starts, its status, type, charset, length in bytes and URI.
//!
//! `cargo run -p relref-links --features archive --example archive -- CRAWL.warc.gz`; `-` is standard input.

use std::env;
use std::error::Error;
use std::io::{self, Read};

use relref_links::archive::Records;

/// A plain archive with a page that is in chunks, and a page that is cut.
const ARCHIVE: &str = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.com/\r\nContent-Length: 117\r\n\r\n\
    HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n\
    9\r\n<a href=x\r\n6\r\n>x</a>\r\n0\r\n\r\n\r\n\r\n\
    WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.com/x\r\nContent-Length: 99\r\n\r\n\
    HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>no";

fn main() -> Result<(), Box<dyn Error>> {
    match env::args().nth(1).as_deref() {
        Some("-") => list(Records::new(io::stdin())?),
        Some(file) => list(Records::open(file)?),
        None => list(Records::new(ARCHIVE.as_bytes())?),
    }
    Ok(())
}

fn list(mut records: Records<impl Read + Send>) {
    while let Some(capture) = records.next_capture() {
        let mut capture = match capture {
            Ok(capture) => capture,
            Err(damage) => {
                eprintln!("{damage}");
                continue;
            }
        };
        let length = match capture.body().and_then(|mut body| io::copy(&mut body, &mut io::sink())) {
            Ok(length) => length.to_string(),
            Err(error) => format!("({error})"),
        };
        let status = capture.status.map_or("-".into(), |status| status.to_string());
        let charset = capture.charset.as_deref().unwrap_or("-");
        let (offset, uri) = (capture.record.offset, &capture.record.target_uri);
        println!("{offset:>10} {status} {:<21} {charset:<12} {length:>8} {uri}", capture.media_type);
    }
}
