//! Archives made for a test, and what `relref links` prints of them.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};

use crate::command::process::{folder, relref};

/// Writes an archive and runs `relref links` on it. Returns the URIs that are printed, the problems, and the exit code.
pub fn links(name: &str, bytes: &[u8], args: &[&str]) -> (Vec<String>, Vec<String>, i32) {
    let file = file(name, bytes);
    let output = relref(&[&["links", "-q", "--format", "text", file.to_str().unwrap()], args].concat(), b"");
    let problem = format!("relref: {}: ", file.display());
    let stderr = String::from_utf8(output.stderr).unwrap();
    let problems = stderr.lines().map(|line| line.strip_prefix(&problem).expect(line).to_owned()).collect();
    let uris = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    (uris, problems, output.status.code().unwrap())
}

/// Writes archives whose names have this ending, and runs `relref links` once on all of them: a thousand runs take seconds. Returns
/// the URIs that are printed of each, and its problems.
pub fn links_of_each(ending: &str, archives: &[Vec<u8>]) -> Vec<(Vec<String>, Vec<String>)> {
    let root = folder(&format!("each-{ending}"));
    let paths: Vec<String> =
        (0..archives.len()).map(|at| root.join(format!("{at}.{ending}")).to_str().unwrap().to_owned()).collect();
    for (path, bytes) in paths.iter().zip(archives) {
        fs::write(path, bytes).unwrap();
    }
    let args = ["links", "-q", "--format=tsv", "--columns=archive,uri"];
    let output = relref(&[&args[..], &paths.iter().map(String::as_str).collect::<Vec<_>>()].concat(), b"");
    let [uris, problems] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let of = |path: &str, text: &str, before: &str, after: &str| -> Vec<String> {
        let start = format!("{before}{path}{after}");
        text.lines().filter_map(|line| line.strip_prefix(&start).map(str::to_owned)).collect()
    };
    let each: Vec<_> =
        paths.iter().map(|path| (of(path, &uris, "", "\t"), of(path, &problems, "relref: ", ": "))).collect();
    let counts = each.iter().fold([0; 2], |[a, b], (uris, problems)| [a + uris.len(), b + problems.len()]);
    assert_eq!(counts, [&uris, &problems].map(|text| text.lines().count()), "{problems}");
    each
}

/// Writes a file in an empty folder, and returns its path.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let file = folder(&format!("warc-{name}")).join(name);
    fs::write(&file, bytes).unwrap();
    file
}

/// Returns a WARC record. `kind` is its WARC-Type, `fields` has other fields, each with its line end, and `block` is the content.
pub fn record(kind: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let len = block.len();
    let head = format!("WARC/1.1\r\nWARC-Type: {kind}\r\n{fields}Content-Length: {len}\r\n\r\n");
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// Returns an HTTP response. `fields` has its fields, each with its line end.
pub fn http(fields: &str, body: &[u8]) -> Vec<u8> {
    [b"HTTP/1.1 200 OK\r\n", fields.as_bytes(), b"\r\n", body].concat()
}

/// Returns the WARC fields of a record that has the response from this URI.
pub fn response_fields(uri: &str) -> String {
    format!("Content-Type: application/http; msgtype=response\r\nWARC-Target-URI: {uri}\r\n")
}

/// Returns a WARC record that has an HTML response from `http://h/NAME/`. `fields` has more HTTP fields, each with its line end.
pub fn response(name: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let block = http(&format!("Content-Type: text/html\r\n{fields}"), body);
    record("response", &response_fields(&format!("http://h/{name}/")), &block)
}

/// Returns these bytes as one gzip member.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns three WARC records with HTML responses, each with one link. The middle one has much text, which compresses in part.
pub fn three_records() -> [Vec<u8>; 3] {
    let noise: String = (0..400_u32).map(|n| format!("<p>{}", n.wrapping_mul(2_654_435_761))).collect();
    let middle = format!("<a href=2>{noise}");
    [("a", "<a href=1>"), ("b", &middle), ("c", "<a href=3>")].map(|(name, body)| response(name, "", body.as_bytes()))
}

/// An entry of a ZIP file: its name and content, and the way in which it is written.
#[derive(Clone, Default)]
pub struct ZipEntry {
    pub name: String,
    pub content: Vec<u8>,
    /// True if the content is compressed.
    pub is_deflated: bool,
    /// True if its lengths are written after its data, as in ZIP files that are written to a stream.
    pub has_descriptor: bool,
    /// True if its lengths and its offset are written with 64 bits.
    pub is_long: bool,
    /// True if the entry says that it is encrypted. Its content is not.
    pub is_encrypted: bool,
    /// The extra fields of its header, such as the times of Info-ZIP.
    pub extra: Vec<u8>,
}

/// Returns an entry of a ZIP file that is written in the simplest way.
pub fn zip_entry(name: &str, content: &[u8]) -> ZipEntry {
    ZipEntry { name: name.to_owned(), content: content.to_vec(), ..ZipEntry::default() }
}

/// Returns the bytes of a ZIP file (APPNOTE.TXT 6.3.10), and the offset in bytes of its directory.
pub fn zip(entries: &[ZipEntry]) -> (Vec<u8>, usize) {
    let (mut all, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let data = if entry.is_deflated {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&entry.content).unwrap();
            encoder.finish().unwrap()
        } else {
            entry.content.clone()
        };
        let mut crc = flate2::Crc::new();
        crc.update(&entry.content);
        let offset = all.len() as u64;
        let [compressed, len] = [data.len() as u64, entry.content.len() as u64];
        let long = |numbers: &[u64]| {
            let numbers: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            [&1_u16.to_le_bytes()[..], &(numbers.len() as u16).to_le_bytes(), &numbers].concat()
        };
        let short = |number: u64| if entry.is_long { u32::MAX } else { number as u32 }.to_le_bytes();
        // Version, flags, method, time.
        let flags = u8::from(entry.has_descriptor) << 3 | u8::from(entry.is_encrypted);
        let common = [45, 0, flags, 0, if entry.is_deflated { 8 } else { 0 }, 0, 0, 0, 0, 0];
        let name = entry.name.as_bytes();
        let header = |checksum: u32, lens: [[u8; 4]; 2], extra: &[u8], more: &[u8], numbers: &[u8]| {
            let lens = [&checksum.to_le_bytes()[..], &lens[0], &lens[1]].concat();
            let texts = [name.len() as u16, extra.len() as u16].map(u16::to_le_bytes).concat();
            [more, &common, &lens, &texts, numbers, name, extra].concat()
        };
        let local = if entry.has_descriptor {
            header(0, [[0; 4]; 2], &entry.extra, b"PK\x03\x04", &[])
        } else {
            let extra = if entry.is_long { long(&[len, compressed]) } else { vec![] };
            let extra = [&entry.extra[..], &extra].concat();
            header(crc.sum(), [short(compressed), short(len)], &extra, b"PK\x03\x04", &[])
        };
        all.extend([&local[..], &data].concat());
        if entry.has_descriptor {
            let lens = [compressed as u32, len as u32].map(u32::to_le_bytes).concat();
            all.extend([&b"PK\x07\x08"[..], &crc.sum().to_le_bytes(), &lens].concat());
        }
        let extra = if entry.is_long { long(&[len, compressed, offset]) } else { vec![] };
        let numbers = [&[0; 10][..], &short(offset)].concat();
        directory.extend(header(crc.sum(), [short(compressed), short(len)], &extra, b"PK\x01\x02\x2d\0", &numbers));
    }
    let (start, len) = (all.len(), directory.len() as u32);
    all.extend(directory);
    let counts = [(entries.len() as u16).to_le_bytes(); 2].concat();
    let place = [len.to_le_bytes(), (start as u32).to_le_bytes()].concat();
    all.extend([&b"PK\x05\x06\0\0\0\0"[..], &counts, &place, &[0, 0]].concat());
    (all, start)
}
