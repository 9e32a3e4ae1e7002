//! `relref links`: the hyperlinks of pages.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use relref::html;

use crate::args::Links;
use crate::file_uri::file_uri;
use crate::output::{Output, quoted};

pub fn run(args: &Links, out: &mut Output) -> io::Result<()> {
    for file in &args.files {
        if let Err(why) = page(file, args, out)? {
            out.problem(file.display(), why);
        }
    }
    Ok(())
}

/// Prints the links of one page. The outer error is one of output, the inner one of input.
fn page(file: &Path, args: &Links, out: &mut Output) -> io::Result<Result<(), String>> {
    let (page, uri) = match read(file, args) {
        Ok(page) => page,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let links = match html::links(&page, &uri, args.rules) {
        Ok(links) => links,
        Err(error) => return Ok(Err(format!("{}: {error}", quoted(&uri)))),
    };
    for link in links {
        let fields = [&link.element, &link.attribute, &link.reference, &link.uri];
        out.text.push_str(&file.to_string_lossy());
        for field in fields {
            out.text.push('\t');
            out.text.push_str(field);
        }
        out.end_line()?;
    }
    Ok(Ok(()))
}

/// The bytes of a page and its URI.
fn read(file: &Path, args: &Links) -> io::Result<(Vec<u8>, String)> {
    if file == Path::new("-") {
        let mut page = Vec::new();
        io::stdin().lock().read_to_end(&mut page)?;
        return Ok((page, args.base.clone().unwrap_or_default()));
    }
    let uri = match &args.base {
        Some(base) => base.clone(),
        None => file_uri(file)?,
    };
    Ok((fs::read(file)?, uri))
}
