//! SIGINT and SIGTERM. The first signal stops the run in order, with totals and without temporary files; a second one ends the
//! command at once. On other systems than Unix, signals do what they always do.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use relref_links::parallel::lock;

/// Stops the run because of an error, from any thread.
pub type StopRun = Box<dyn FnOnce(io::Error) + Send>;

#[derive(Default)]
pub struct Interrupt(Mutex<State>);

#[derive(Default)]
struct State {
    signal: Option<i32>,
    /// `None` before the run and once it is stopped: then a signal ends the command at once.
    stop: Option<StopRun>,
    /// Must not stay after the command.
    temp_files: Vec<PathBuf>,
}

impl Interrupt {
    /// Takes over the signals that are not ignored. If the system does not allow that, they do what they always do.
    pub fn watch() -> Arc<Self> {
        let interrupt = Arc::new(Interrupt::default());
        #[cfg(unix)]
        unix::watch(&interrupt);
        interrupt
    }

    /// A signal that ends the command at once removes these files.
    pub fn set_temp_files(&self, paths: Vec<PathBuf>) {
        lock(&self.0).temp_files = paths;
    }

    pub fn set_stop(&self, stop: StopRun) {
        lock(&self.0).stop = Some(stop);
    }

    pub fn signal(&self) -> Option<i32> {
        lock(&self.0).signal
    }

    /// Returns false, with the temporary files removed, if the command must end at once.
    #[cfg_attr(not(unix), allow(dead_code, reason = "there are no signals"))]
    fn handle(&self, signal: i32) -> bool {
        let mut state = lock(&self.0);
        let stop = state.stop.take();
        match stop {
            Some(stop) => {
                state.signal = Some(signal);
                drop(state);
                stop(io::ErrorKind::Interrupted.into());
                true
            }
            None => {
                for path in &state.temp_files {
                    // It may have replaced the output by now.
                    let _ = fs::remove_file(path);
                }
                false
            }
        }
    }
}

pub fn signal_name(signal: i32) -> &'static str {
    // The numbers are the same on every Unix.
    if signal == 2 { "SIGINT" } else { "SIGTERM" }
}

/// Ends the process by the signal itself, so that its parent sees which one it was.
pub fn die_by(signal: i32) -> ! {
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal)
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::sync::Arc;
    use std::thread;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use crate::links::interrupt::{Interrupt, die_by};

    /// The length, in bytes, of the stack of the thread that waits for signals. A small stack leaves the rest of a limited address
    /// space to the workers.
    const STACK_LEN: usize = 128 << 10;

    pub fn watch(interrupt: &Arc<Interrupt>) {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let taken = [SIGINT, SIGTERM].into_iter().filter(|signal| !is_ignored(&status, *signal));
        let Ok(mut signals) = Signals::new(taken) else { return };
        let interrupt = Arc::clone(interrupt);
        let handle = signals.handle();
        let started = thread::Builder::new().stack_size(STACK_LEN).spawn(move || {
            for signal in signals.forever() {
                if !interrupt.handle(signal) {
                    die_by(signal);
                }
            }
        });
        if started.is_err() {
            handle.close();
        }
    }

    /// SIGINT is ignored in a shell's background jobs. `status` is `/proc/self/status`, or empty on systems without it.
    fn is_ignored(status: &str, signal: i32) -> bool {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn ignored_signals_are_in_the_mask() {
            let status = "Name:\trelref\nSigBlk:\t0000000000000002\nSigIgn:\t0000000000001002\n";
            assert!(is_ignored(status, SIGINT) && !is_ignored(status, SIGTERM) && !is_ignored("", SIGINT));
        }
    }
}
