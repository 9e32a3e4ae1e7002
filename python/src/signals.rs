//! Signals of Python, such as that of Ctrl+C, while a long call runs without the interpreter.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The time between two looks for signals.
const PERIOD: Duration = Duration::from_millis(50);

/// The exception that ends a reading, once there is one. Errors of readers may hold only its message.
#[derive(Default)]
pub struct Interrupt {
    error: OnceLock<PyErr>,
    is_signal: AtomicBool,
}

impl Interrupt {
    pub fn get(&self) -> Option<&PyErr> {
        self.error.get()
    }

    pub fn set(&self, error: PyErr) {
        let _ = self.error.set(error);
    }

    pub fn set_signal(&self, error: PyErr) {
        self.is_signal.store(self.error.set(error).is_ok(), Ordering::Relaxed);
    }

    /// Reports whether the exception is that of a signal, such as KeyboardInterrupt.
    pub fn is_signal(&self) -> bool {
        self.is_signal.load(Ordering::Relaxed)
    }
}

/// A watch of a loop, in the thread that made it. Others receive no signals, and may run while the interpreter waits for them.
#[derive(Clone)]
pub struct Signals {
    next: Instant,
    thread: ThreadId,
}

impl Signals {
    pub fn new() -> Self {
        Signals { next: Instant::now() + PERIOD, thread: thread::current().id() }
    }

    /// Runs the handlers of the signals that came, if the last look is long ago. Fails with the exception of a handler, such as
    /// KeyboardInterrupt, which should end the call.
    pub fn check(&mut self) -> PyResult<()> {
        let now = Instant::now();
        if now < self.next {
            return Ok(());
        }
        self.next = now + PERIOD;
        if thread::current().id() != self.thread {
            return Ok(());
        }
        Python::attach(|py| py.check_signals())
    }
}

/// A reader that fails once a signal has an exception.
#[derive(Clone)]
pub struct Watched<R> {
    reader: R,
    signals: Signals,
    raised: Arc<Interrupt>,
}

impl<R> Watched<R> {
    pub fn new(reader: R) -> Self {
        Watched::sharing(reader, Arc::default())
    }

    pub fn sharing(reader: R, raised: Arc<Interrupt>) -> Self {
        Watched { reader, signals: Signals::new(), raised }
    }

    pub fn raised(&self) -> Arc<Interrupt> {
        Arc::clone(&self.raised)
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.signals.check().map_err(|error| {
            let text = error.to_string();
            self.raised.set_signal(error);
            io::Error::other(text)
        })?;
        self.reader.read(into)
    }
}

impl<R: Seek> Seek for Watched<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.reader.seek(to)
    }
}

/// Does work that cannot look for signals in a thread of its own, and returns its result. Fails with the exception of a signal: then
/// what `work` gets is true, so that it ends when it looks there.
pub fn in_background<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = mpsc::channel();
    let is_over = Arc::new(AtomicBool::new(false));
    let ends = Arc::clone(&is_over);
    thread::Builder::new().spawn(move || sender.send(work(&ends)))?;
    py.detach(move || {
        loop {
            match receiver.recv_timeout(PERIOD) {
                Ok(done) => return Ok(done),
                Err(RecvTimeoutError::Timeout) => {
                    let looked = Python::attach(|py| py.check_signals());
                    is_over.store(looked.is_err(), Ordering::Relaxed);
                    looked?;
                }
                Err(RecvTimeoutError::Disconnected) => return Err(PyRuntimeError::new_err("the work panicked")),
            }
        }
    })
}

/// Does work of which only much takes long, and which is done here otherwise.
pub fn in_background_if<T: Send + 'static>(
    py: Python<'_>,
    is_much: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if is_much { in_background(py, |_| work()) } else { Ok(py.detach(work)) }
}
