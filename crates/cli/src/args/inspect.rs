//! Arguments of `relref inspect` and `unwrap`.

use std::path::PathBuf;

/// Print the components of a URI, the parts that its scheme defines, and warnings.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  $ relref inspect 'ftp://host.dom/%2Fetc/motd;type=a'
  uri        ftp://host.dom/%2Fetc/motd;type=a
  scheme     ftp
  authority  host.dom
  path       /%2Fetc/motd;type=a
  host       host.dom
  port       21
  default    yes
  user       anonymous
  cwd        /etc
  name       motd
  type       ASCII")]
pub struct Inspect {
    /// Print a JSON object per line.
    #[arg(long)]
    pub json: bool,

    /// URIs or references. If none are given, they are read from standard input, one per line.
    #[arg(value_name = "URI")]
    pub uris: Vec<String>,
}

/// Find the URIs in running text that are wrapped in `<URL:…>` or `<…>`. Print the byte offset of the `<`, a tab and the URI, one
/// per line.
///
/// If a line ends with a hyphen inside a URI, the hyphen may or may not belong to the URI: both readings are printed. For
/// several files, each line starts with the name of the file, percent-encoded as `relref links` does, and a tab.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  $ relref unwrap mail.txt
  12\tftp://info.cern.ch/pub/www/doc
  59\thttp://ds.internic.net/instructions/overview.html#WARNING")]
pub struct Unwrap {
    /// Print a JSON object per line: the file, the byte offset, and the URI.
    #[arg(long)]
    pub json: bool,

    /// Text files; `-` is standard input, which is also read if none are given.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}
