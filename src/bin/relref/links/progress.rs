//! The progress of the command: a bar on a terminal, and a line of totals at the end.

use std::fmt::{self, Display};
use std::io::{IsTerminal, stderr, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{DecimalBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use relref::archive::Skipped;

use super::dedup::Decided;

/// A number that all threads may add to.
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

/// The counts so far.
pub struct Progress {
    /// Files, archives and standard input read.
    pub inputs: Count,
    pub pages: Count,
    /// Lines written.
    pub links: Count,
    /// Bytes of input read.
    pub bytes: Count,
    /// URIs that `--normalize` or `--key` could not change.
    pub not_normalized: Count,
    /// Links left out because they are no valid URLs.
    pub invalid: Count,
    /// Links left out because they are out of scope, or cannot be fetched.
    pub out_of_scope: Count,
    /// Links left out because robots are asked not to follow them.
    pub nofollow: Count,
    /// Links left out because they are in a file of `--seen`.
    pub seen: Count,
    /// Links left out because their URI is longer than `--max-uri`.
    pub too_long: Count,
    /// Links left out because the lines of their page are too long in all.
    pub left_out: Count,
    /// Records of archives that are not read.
    pub skipped: SkippedRecords,
    /// Files in folders that are neither pages nor archives, by their names or first bytes.
    pub files_skipped: Count,
    /// Inputs with problems.
    pub failed: Count,
    /// Pages that have the URI of `--base` itself.
    pub share_base: Count,
    start: Instant,
    bar: ProgressBar,
}

/// The numbers of records that are not read, by reason.
#[derive(Default)]
pub struct SkippedRecords {
    /// Records of a kind that holds no links, and metadata that is not about a response.
    pub other_kinds: Count,
    other_protocols: Count,
    revisits_without_head: Count,
    /// Captures of a media type that holds no links.
    pub other_types: Count,
    /// Captures without a media type whose first bytes are not those of a page.
    pub not_pages: Count,
}

impl SkippedRecords {
    /// Adds those that the reader of an archive has counted.
    pub fn add(&self, skipped: Skipped) {
        self.other_kinds.add(skipped.other_kinds);
        self.other_protocols.add(skipped.other_protocols);
        self.revisits_without_head.add(skipped.revisits_without_head);
    }
}

/// Writes the part of the totals, with a semicolon before it; nothing if no record was skipped.
impl Display for SkippedRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SkippedRecords { other_kinds, other_protocols, revisits_without_head, other_types, not_pages } = self;
        let mut before = "; records skipped: ";
        for (number, one, more) in [
            (other_types, "of another media type", "of other media types"),
            (not_pages, "not a page by its first bytes", "not pages by their first bytes"),
            (other_protocols, "not HTTP", "not HTTP"),
            (revisits_without_head, "revisit without a head", "revisits without a head"),
            (other_kinds, "of another kind", "of other kinds"),
        ] {
            let number = number.get();
            if number > 0 {
                write!(f, "{before}{number} {}", if number == 1 { one } else { more })?;
                before = ", ";
            }
        }
        Ok(())
    }
}

impl Progress {
    pub fn new() -> Arc<Self> {
        Arc::new(Progress {
            inputs: Count::default(),
            pages: Count::default(),
            links: Count::default(),
            bytes: Count::default(),
            not_normalized: Count::default(),
            invalid: Count::default(),
            out_of_scope: Count::default(),
            nofollow: Count::default(),
            seen: Count::default(),
            too_long: Count::default(),
            left_out: Count::default(),
            skipped: SkippedRecords::default(),
            files_skipped: Count::default(),
            failed: Count::default(),
            share_base: Count::default(),
            start: Instant::now(),
            bar: ProgressBar::hidden(),
        })
    }

    /// Adds lines that were decided.
    pub fn decided(&self, decided: Decided) {
        self.links.add(decided.printed);
        self.seen.add(decided.seen);
    }

    /// Shows a bar after a second, if standard error is a terminal, and no output is a terminal. `total` returns the number of
    /// bytes of all inputs if that can be known.
    pub fn show_bar(self: &Arc<Self>, writes_stdout: bool, total: impl FnOnce() -> Option<u64> + Send + 'static) {
        if !stderr().is_terminal() || writes_stdout && stdout().is_terminal() {
            return;
        }
        let progress = Arc::clone(self);
        // If no thread can be started, there is no bar.
        let _ = thread::Builder::new().spawn(move || {
            thread::sleep(Duration::from_secs(1));
            let style = match total() {
                Some(total) => {
                    progress.bar.set_length(total);
                    "{wide_bar} {decimal_bytes}/{decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left, {msg}"
                }
                None => "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}, {msg}",
            };
            progress.bar.set_style(ProgressStyle::with_template(style).expect("the template is valid"));
            while !progress.bar.is_finished() {
                let (inputs, links) = (count(&progress.inputs, "input"), count(&progress.links, "link"));
                progress.bar.set_message(format!("{inputs}, {links}"));
                progress.bar.set_position(progress.bytes.get());
                if progress.bar.is_hidden() {
                    progress.bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                thread::sleep(Duration::from_millis(100));
            }
        });
    }

    /// Hides the bar while `work` writes to standard error.
    pub fn suspend_bar<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    /// Removes the bar.
    pub fn end_bar(&self) {
        self.bar.finish_and_clear();
    }

    /// Returns the line of totals.
    pub fn totals(&self) -> String {
        let mut text = format!(
            "{}, {}, {}, {} in {:.1} s",
            count(&self.inputs, "input"),
            count(&self.pages, "page"),
            count(&self.links, "link"),
            DecimalBytes(self.bytes.get()),
            self.start.elapsed().as_secs_f64(),
        );
        text += &self.skipped.to_string();
        for (number, one, what) in [
            (&self.files_skipped, "file", "skipped"),
            (&self.not_normalized, "URI", "not normalized"),
            (&self.invalid, "link", "invalid"),
            (&self.out_of_scope, "link", "out of scope"),
            (&self.nofollow, "link", "nofollow"),
            (&self.seen, "link", "seen before (--seen)"),
            (&self.too_long, "URI", "too long (--max-uri)"),
            (&self.left_out, "link", "left out"),
            (&self.failed, "input", "failed"),
        ] {
            if number.get() > 0 {
                text += &format!("; {} {what}", count(number, one));
            }
        }
        text
    }
}

fn count(count: &Count, one: &str) -> String {
    let plural = if count.get() == 1 { "" } else { "s" };
    format!("{} {one}{plural}", count.get())
}
