//! Measures contenders with criterion, in processor time and in several rounds.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use cpu_time::ThreadTime;
use criterion::Criterion;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};

/// The processor time of this thread, as a measurement of criterion. Other programs do not count.
struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = ThreadTime;
    type Value = Duration;

    fn start(&self) -> ThreadTime {
        ThreadTime::now()
    }

    fn end(&self, start: ThreadTime) -> Duration {
        start.elapsed()
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

/// The time of a contender in a workload.
pub struct Row {
    pub workload: &'static str,
    pub contender: String,
    /// Nanoseconds per unit.
    pub ns: f64,
    pub unit: Unit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Reference,
    Byte,
}

/// The name of the contender that only copies, the floor.
pub const FLOOR: &str = "floor";
/// The contender whose time is the unit of the others.
pub const RELREF: &str = "relref rfc3986";

pub struct Bench {
    criterion: Criterion<CpuTime>,
    /// The number of the current round.
    round: usize,
    /// The runs, in order. Each knows the files in which criterion writes its estimates.
    runs: Vec<Run>,
}

struct Run {
    workload: &'static str,
    contender: String,
    units: usize,
    unit: Unit,
    estimates: Vec<PathBuf>,
}

impl Run {
    /// Returns the smallest of the medians of all rounds, because other programs can only make a median larger. `None` if nothing
    /// was measured because this was only a test.
    fn row(self) -> Option<Row> {
        let median = |file: &PathBuf| {
            let estimates: serde_json::Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
            estimates["median"]["point_estimate"].as_f64()
        };
        let ns = self.estimates.iter().filter_map(median).min_by(f64::total_cmp)? / self.units as f64;
        Some(Row { workload: self.workload, contender: self.contender, ns, unit: self.unit })
    }
}

impl Bench {
    /// Reads the arguments, and removes the files of earlier runs.
    pub fn new() -> Bench {
        let _ = fs::remove_dir_all(Self::directory());
        let criterion = Criterion::default()
            .with_measurement(CpuTime)
            .output_directory(&Self::directory())
            .without_plots()
            .sample_size(10)
            .nresamples(2_000)
            .warm_up_time(Duration::from_millis(100))
            .measurement_time(Duration::from_millis(300))
            .configure_from_args();
        Bench { criterion, round: 0, runs: Vec::new() }
    }

    fn directory() -> PathBuf {
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/target/peers"))
    }

    /// Starts a round, in which each contender is measured once. So a processor that becomes slower or faster over minutes favors
    /// none.
    pub fn next_round(&mut self) {
        self.round += 1;
    }

    /// Measures `work`, which handles `units` units, such as references or bytes, in one call.
    pub fn run(
        &mut self,
        workload: &'static str,
        contender: &str,
        (units, unit): (usize, Unit),
        mut work: impl FnMut(),
    ) {
        let mut was_run = false;
        self.criterion.bench_function(&format!("{workload}/{contender}/{}", self.round), |b| {
            was_run = true;
            b.iter(&mut work);
        });
        if !was_run {
            return;
        }
        let file = Self::directory().join(format!("{workload}_{contender}_{}/new/estimates.json", self.round));
        match self.runs.iter_mut().find(|run| run.workload == workload && run.contender == contender) {
            Some(run) => run.estimates.push(file),
            None => {
                let contender = contender.to_string();
                self.runs.push(Run { workload, contender, units, unit, estimates: vec![file] });
            }
        }
    }

    /// Returns the measured times.
    pub fn rows(self) -> Vec<Row> {
        self.criterion.final_summary();
        self.runs.into_iter().filter_map(Run::row).collect()
    }
}
