//! The bar that shows the progress of a command on a terminal.

use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const STEP: Duration = Duration::from_millis(50);

/// Shows the bar on standard error from one second after the call until it is finished, for which this function waits. Without the
/// `total` of bytes, that is a spinner. `update` sets the position and, with a comma first, the message.
pub fn show(bar: &ProgressBar, total: impl FnOnce() -> Option<u64>, update: impl Fn(&ProgressBar)) {
    for _ in 0..20 {
        if bar.is_finished() {
            return;
        }
        thread::sleep(STEP);
    }
    let style = match total() {
        Some(total) => {
            bar.set_length(total);
            "{wide_bar} {decimal_bytes}/{decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left{msg}"
        }
        None => "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}{msg}",
    };
    bar.set_style(ProgressStyle::with_template(style).expect("the template is valid"));
    while !bar.is_finished() {
        update(bar);
        if bar.is_hidden() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        thread::sleep(STEP);
    }
}
