//! Reads the lists of `--seen`. Each line of a list starts with a URI or key of an earlier run.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use memchr::{memchr, memchr2};
use relref_links::page::UriForms;

use super::fingerprint::{Fingerprint, FingerprintSecrets};
use crate::args::{Links, Unique};
use crate::base::new_base;
use crate::lines::open_list;
use crate::output::shown;
use crate::quoting::file_name;

/// Calls `add` with the fingerprints of lists of any length, also of standard input (`-`). The error has the path as a message shows it.
pub fn read_lists(
    args: &Links,
    secrets: &FingerprintSecrets,
    add: impl FnMut(u128) -> io::Result<()>,
) -> Result<(), (String, io::Error)> {
    let forms = args.seen_normalize.then(|| LineForms { args, forms: args.uri_forms(), line: Vec::new() });
    let mut reader = SeenListReader { secrets, forms, add };
    args.seen.iter().try_for_each(|path| reader.read_file(path).map_err(|error| (shown(&file_name(path)), error)))
}

struct SeenListReader<'s, A> {
    secrets: &'s FingerprintSecrets,
    /// The normal forms of entries. `None` without `--seen-normalize`.
    forms: Option<LineForms<'s>>,
    add: A,
}

impl<A: FnMut(u128) -> io::Result<()>> SeenListReader<'_, A> {
    /// A compressed list is an error.
    fn read_file(&mut self, path: &Path) -> io::Result<()> {
        let mut start = Vec::new();
        let mut list = open_list(path)?.take(4);
        list.read_to_end(&mut start)?;
        if start.starts_with(b"\x1f\x8b") || start == *b"\x28\xb5\x2f\xfd" {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is compressed: a list is uncompressed text"));
        }
        self.read_entries(start.chain(list.into_inner()))
    }

    /// An entry is the text of a line before its first tab or carriage return. Empty entries are skipped.
    fn read_entries(&mut self, mut list: impl BufRead) -> io::Result<()> {
        let mut entry: Option<Fingerprint> = None;
        // True from the end of an entry to the end of its line.
        let mut is_over = false;
        loop {
            let chunk = match list.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if chunk.is_empty() {
                return self.add_entry(entry);
            }
            let line_end = memchr(b'\n', chunk);
            let line = &chunk[..line_end.unwrap_or(chunk.len())];
            let part = if is_over { &[][..] } else { &line[..memchr2(b'\t', b'\r', line).unwrap_or(line.len())] };
            if !part.is_empty() {
                entry.get_or_insert_with(|| self.secrets.new_fingerprint()).write_all(part)?;
                self.forms.iter_mut().for_each(|forms| forms.extend_line(part));
            }
            is_over |= part.len() < line.len();
            let used = line_end.map_or(chunk.len(), |end| end + 1);
            list.consume(used);
            if line_end.is_some() {
                is_over = false;
                self.add_entry(entry.take())?;
            }
        }
    }

    fn add_entry(&mut self, entry: Option<Fingerprint>) -> io::Result<()> {
        let normal = self.forms.as_mut().and_then(|forms| forms.take_fingerprint(self.secrets));
        entry.map_or(Ok(()), |entry| (self.add)(normal.unwrap_or_else(|| entry.value())))
    }
}

/// The normal forms of entries.
struct LineForms<'s> {
    args: &'s Links,
    forms: UriForms,
    /// The entry so far: up to one byte more than `--max-uri`.
    line: Vec<u8>,
}

impl LineForms<'_> {
    fn extend_line(&mut self, part: &[u8]) {
        let free = usize::try_from(self.args.max_uri.0).unwrap_or(usize::MAX).saturating_add(1) - self.line.len();
        self.line.extend_from_slice(&part[..free.min(part.len())]);
    }

    /// Ends the entry. Returns the fingerprint that a link with it as its reference has; `None` if it is no absolute URI or too long.
    fn take_fingerprint(&mut self, secrets: &FingerprintSecrets) -> Option<u128> {
        let LineForms { args, forms, line } = self;
        let entry = std::str::from_utf8(line).ok().filter(|entry| entry.len() as u64 <= args.max_uri.0);
        let fingerprint = entry.and_then(|entry| {
            let base = new_base(entry, args.rules, args.nested).ok()?;
            let uri = base.resolve(base.innermost()).ok()?;
            let (prefix, uri) = uri.split_at(base.prefix().len());
            forms.start_page(u64::MAX);
            let form = forms.of(uri)?;
            Some(match form.key.filter(|_| args.unique == Some(Unique::Key)) {
                Some(key) => secrets.of_text(key),
                None if prefix.is_empty() => secrets.of_text(form.uri),
                None => secrets.of_text(&[prefix, form.uri].concat()),
            })
        });
        line.clear();
        line.shrink_to(64 << 10);
        fingerprint
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn reader<A>(secrets: &FingerprintSecrets, add: A) -> SeenListReader<'_, A> {
        SeenListReader { secrets, forms: None, add }
    }

    /// Through buffers of any length.
    #[test]
    fn entries_are_the_starts_of_lines() {
        let secrets = FingerprintSecrets::default();
        let expected = ["a", "b", "d", "e"].map(|path| secrets.of_text(&format!("http://h/{path}")));
        let text = "http://h/a\nhttp://h/b\r\n\n\thttp://h/c\nhttp://h/d\tx\ty\n\r\nhttp://h/e";
        for capacity in 1..text.len() {
            let mut found = Vec::new();
            let mut reader = reader(&secrets, |fingerprint| {
                found.push(fingerprint);
                Ok(())
            });
            reader.read_entries(BufReader::with_capacity(capacity, text.as_bytes())).unwrap();
            assert_eq!(found, expected, "{capacity}");
        }
    }

    #[test]
    fn a_list_that_is_missing_is_an_error() {
        let secrets = FingerprintSecrets::default();
        let error = reader(&secrets, |_| Ok(())).read_file(Path::new("/no/such/list")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
