//! The progress of `relref links`: a bar on a terminal, and a line of totals at the end.

use std::fmt::{self, Display};
use std::io::{IsTerminal, stderr, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use indicatif::{DecimalBytes, ProgressDrawTarget, ProgressStyle};
use relref::archive::Skipped;

use super::Shared;
use super::input::total_bytes;

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

/// The counts of a run so far.
#[derive(Default)]
pub struct Progress {
    /// Inputs done: files, archives and standard input. Those that could not be read are counted, too.
    pub inputs: Count,
    /// Pages read, also feeds and other files that have links.
    pub pages: Count,
    /// Links printed.
    pub links: Count,
    /// Bytes of input read.
    pub bytes: Count,
    /// URIs for which `--normalize` or `--key` failed. They are printed as they are.
    pub not_normalized: Count,
    /// Links rejected because they are not valid URLs.
    pub invalid: Count,
    /// Links rejected because they are out of scope, or cannot be fetched.
    pub out_of_scope: Count,
    /// Links rejected because robots are asked not to follow them.
    pub nofollow: Count,
    /// Links not printed because their URI or key is in a list of `--seen`.
    pub seen: Count,
    /// Links rejected because their URI is longer than `--max-uri`.
    pub too_long: Count,
    /// Links not printed because the lines of their page would take too many bytes.
    pub left_out: Count,
    /// Records of archives that are not read.
    pub skipped: SkippedRecords,
    /// Files in folders that are neither pages nor archives, by their names or first bytes.
    pub files_skipped: Count,
    /// Inputs with problems. An archive with many problems is counted once.
    pub failed: Count,
    /// Files that have the URI of `--base` itself, as they have no URI of their own.
    pub share_base: Count,
}

/// The numbers of records that are not read, by the reason.
#[derive(Default)]
pub struct SkippedRecords {
    /// Records of a kind that holds no links, and metadata that is not about a response.
    pub other_kinds: Count,
    /// Records about another protocol than HTTP.
    other_protocols: Count,
    /// Revisits without an HTTP head.
    revisits_without_head: Count,
    /// Captures of a media type that holds no links.
    pub other_types: Count,
    /// Captures whose first bytes are not those of a page, and whose media type is missing or does not say what they are.
    pub not_pages: Count,
}

impl SkippedRecords {
    /// Adds the records that the reader of an archive has skipped.
    pub fn add(&self, skipped: Skipped) {
        self.other_kinds.add(skipped.other_kinds);
        self.other_protocols.add(skipped.other_protocols);
        self.revisits_without_head.add(skipped.revisits_without_head);
    }
}

/// Writes its part of the line of totals, starting with a semicolon. Writes nothing if no record was skipped.
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
    /// Returns the line of totals: the counts, and the `time` that the run took.
    pub fn totals(&self, time: Duration) -> String {
        let mut text = format!(
            "{}, {}, {}, {} in {:.1} s",
            count(&self.inputs, "input"),
            count(&self.pages, "page"),
            count(&self.links, "link"),
            DecimalBytes(self.bytes.get()),
            time.as_secs_f64(),
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

/// Starts a thread that shows the bar of a run on standard error after one second. Does nothing if standard error is not a terminal,
/// or if lines are written to standard output and that is a terminal. The bar has no end if the bytes of all inputs cannot be known.
pub fn show_bar(shared: &Arc<Shared>) {
    if !stderr().is_terminal() || shared.args.writes_stdout() && stdout().is_terminal() {
        return;
    }
    let shared = Arc::clone(shared);
    // If no thread can be started, there is no bar.
    let _ = thread::Builder::new().spawn(move || {
        let Shared { args, progress, bar, .. } = &*shared;
        thread::sleep(Duration::from_secs(1));
        let style = match total_bytes(args) {
            Some(total) => {
                bar.set_length(total);
                "{wide_bar} {decimal_bytes}/{decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left, {msg}"
            }
            None => "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}, {msg}",
        };
        bar.set_style(ProgressStyle::with_template(style).expect("the template is valid"));
        while !bar.is_finished() {
            bar.set_message(format!("{}, {}", count(&progress.inputs, "input"), count(&progress.links, "link")));
            bar.set_position(progress.bytes.get());
            if bar.is_hidden() {
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            thread::sleep(Duration::from_millis(100));
        }
    });
}

/// Returns a count and its noun, such as `1 page` or `2 pages`. `one` is the noun in the singular.
fn count(count: &Count, one: &str) -> String {
    let plural = if count.get() == 1 { "" } else { "s" };
    format!("{} {one}{plural}", count.get())
}
