//! The page that lists the pages of a copy. It needs nothing else.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::site_names::INDEX;
use crate::file_uri::uri_path;
use crate::output::shown;
use crate::quoting::escaped_html;

/// Written while the pages are.
pub struct PageList(BufWriter<File>);

const START: &str = "<!DOCTYPE html>
<meta charset=utf-8>
<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">
<meta name=viewport content=\"width=device-width\">
<title>Pages</title>
<style>body{font:1em/1.5 sans-serif;margin:2em auto;max-width:60em;padding:0 1em}li{overflow-wrap:anywhere}</style>
<h1>Pages</h1>
<ul>
";

impl PageList {
    pub fn new(folder: &Path) -> io::Result<Self> {
        let mut out = BufWriter::new(File::create_new(folder.join(INDEX))?);
        out.write_all(START.as_bytes())?;
        Ok(PageList(out))
    }

    /// `name` is the path from the folder.
    pub fn add(&mut self, name: &str, uri: &str) -> io::Result<()> {
        // Without `./`, the name of a host with a port would start with a scheme.
        writeln!(
            self.0,
            "<li><a href=\"./{}\">{}</a>",
            escaped_html(&uri_path(Path::new(name))),
            escaped_html(&shown(uri))
        )
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.0.write_all(b"</ul>\n")?;
        self.0.flush()
    }
}
