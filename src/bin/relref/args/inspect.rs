//! Arguments of `relref inspect` and `unwrap`.

use std::path::PathBuf;

/// Print what a URI consists of: its components, the fields of its scheme, and what to beware of.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  $ relref inspect ftp://host.dom/%2Fetc/motd;type=a
  uri        ftp://host.dom/%2Fetc/motd;type=a
  scheme     ftp
  authority  host.dom
  path       /%2Fetc/motd;type=a
  host       host.dom
  port       21 (default)
  user       anonymous
  cwd        /etc
  name       motd
  type       ASCII")]
pub struct Inspect {
    /// Print a JSON object a line.
    #[arg(long)]
    pub json: bool,

    /// URIs or references.
    #[arg(value_name = "URI", required = true)]
    pub uris: Vec<String>,
}

/// Print the URIs in running text that stand in `<URL:…>` or `<…>`: byte offset, a tab and the URI, one a line.
///
/// Where a line breaks right behind a hyphen, the hyphen may or may not belong to the URI: both readings are printed. Of
/// several files each line starts with the name of the file, escaped as `relref links` does, and a tab.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  $ relref unwrap mail.txt
  12\tftp://info.cern.ch/pub/www/doc
  59\thttp://ds.internic.net/instructions/overview.html#WARNING")]
pub struct Unwrap {
    /// Text files; standard input if none are given, or for `-`.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}
