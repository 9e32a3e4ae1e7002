//! The progress of `relref links`: counts, and a line of totals at the end.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::DecimalBytes;
use relref_links::page::Skipped;
use relref_links::parallel::lock;

use crate::output::counted;

/// A number to which all threads can add.
#[derive(Default)]
pub struct Count(AtomicU64);

impl Count {
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The counts of a run, up to now.
#[derive(Default)]
pub struct Progress {
    /// Files, archives and streams that are done. Those that could not be read are counted too.
    pub inputs: Count,
    /// Pages that were read. Feeds and other files with links are counted too.
    pub pages: Count,
    /// Links that were printed.
    pub links: Count,
    /// Bytes of input that were read.
    pub bytes: Count,
    /// URIs that are printed as they are because `--normalize` or `--key` failed for them.
    pub not_normalized: Count,
    /// Links rejected because they are not valid URLs.
    pub invalid: Count,
    /// Links rejected because they are out of scope, or cannot be fetched.
    pub out_of_scope: Count,
    /// Links rejected because robots are asked not to follow them.
    pub nofollow: Count,
    /// Links rejected because `robots.txt` disallows them.
    pub disallowed: Count,
    /// Links not printed because their URI or key is in a list of `--seen`.
    pub seen: Count,
    /// Links rejected because their URI is longer than `--max-uri`.
    pub too_long: Count,
    /// Links not printed because the lines of their page would take too many bytes.
    pub left_out: Count,
    /// The records of all archives whose bodies were not read; also captures that turned out not to be pages when they were decoded.
    pub skipped: Mutex<Skipped>,
    /// Files in folders that were skipped because they are neither pages nor archives, by their names or first bytes.
    pub files_skipped: Count,
    /// Named pipes, sockets and devices in folders, which were skipped.
    pub special_files: Count,
    /// Problems of which no message was written, because there were too many.
    pub untold: Count,
    /// 1 once the messages about problems have all the bytes that they may have. Later problems are only counted.
    pub messages_end: Count,
    /// Inputs that had problems. An archive with many problems is counted once.
    pub failed: Count,
    /// Files that have the URI of `--base` itself, because they have no URI of their own.
    pub share_base: Count,
    /// Files whose URIs are made from `--base` and their paths. Some of them may turn out not to be pages.
    pub below_base: Count,
    /// Of these, files that have names with a query, as wget writes them, although `--names` is not given.
    pub query_names: Count,
}

impl Progress {
    /// The line of totals. `time` is the duration of the run.
    pub fn totals(&self, time: Duration) -> String {
        let mut text = format!(
            "{}, {}, {}, {} in {:.1} s",
            counted(self.inputs.get(), "input"),
            counted(self.pages.get(), "page"),
            counted(self.links.get(), "link"),
            DecimalBytes(self.bytes.get()),
            time.as_secs_f64(),
        );
        let skipped = lock(&self.skipped);
        let mut before = "; records skipped: ";
        for (number, one, more) in [
            (skipped.other_media_types, "of another media type", "of other media types"),
            (skipped.other_statuses, "of another status (--status)", "of other statuses (--status)"),
            (skipped.not_pages, "not a page by its first bytes", "not pages by their first bytes"),
            (skipped.other_protocols, "not HTTP", "not HTTP"),
            (skipped.revisits_without_head, "revisit without a head", "revisits without a head"),
            (skipped.revisits_of_other_uris, "revisit of another URI", "revisits of other URIs"),
            (skipped.other_kinds, "of another kind", "of other kinds"),
        ] {
            if number > 0 {
                text += &format!("{before}{number} {}", if number == 1 { one } else { more });
                before = ", ";
            }
        }
        for (number, one, what) in [
            (&self.files_skipped, "file", "skipped"),
            (&self.special_files, "special file", "skipped (named pipe, socket or device)"),
            (&self.not_normalized, "URI", "not normalized"),
            (&self.invalid, "link", "invalid"),
            (&self.out_of_scope, "link", "out of scope"),
            (&self.nofollow, "link", "nofollow"),
            (&self.disallowed, "link", "disallowed by robots.txt (--robots)"),
            (&self.seen, "link", "seen before (--seen)"),
            (&self.too_long, "URI", "too long (--max-uri)"),
            (&self.left_out, "link", "left out"),
            (&self.untold, "problem", "not shown"),
            (&self.failed, "input", "failed"),
        ] {
            if number.get() > 0 {
                text += &format!("; {} {what}", counted(number.get(), one));
            }
        }
        text
    }
}
