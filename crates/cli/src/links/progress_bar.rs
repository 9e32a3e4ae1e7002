//! The bar that shows the progress of `relref links` on a terminal.

use std::io::{IsTerminal, stderr, stdout};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressDrawTarget, ProgressStyle};

use super::input::total_bytes;
use super::shared::Shared;
use crate::output::counted;

/// Starts a thread that shows the progress as a bar on standard error, from one second after the call to the end of the run. If the
/// bytes of all inputs are not known, shows a spinner instead. Does nothing if standard error is not a terminal, or if lines are
/// printed to a terminal.
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
            bar.set_message(format!(
                "{}, {}",
                counted(progress.inputs.get(), "input"),
                counted(progress.links.get(), "link")
            ));
            bar.set_position(progress.bytes.get());
            if bar.is_hidden() {
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            thread::sleep(Duration::from_millis(100));
        }
    });
}
