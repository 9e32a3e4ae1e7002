//! Measures relref and its peers on the same pairs: pages, single references, relativizing, splitting, unusual references, long
//! inputs.
//!
//! `benches/compare/run` makes pairs of the pages that `cargo doc` writes, runs this, and draws `speed.svg`;
//! `RELREF_PAIRS=FILE cargo bench --manifest-path benches/compare/Cargo.toml --bench peers` takes lines
//! `BASE<TAB>REFERENCE` from a file. After `--`, a part of the name of a workload or contender selects those.

mod contenders;
mod measure;
mod pairs;
mod plot;
mod table;
mod unusual;
mod workloads;

use std::{env, fs};

use crate::measure::Bench;
use crate::pairs::Pairs;

fn main() {
    let pairs = Pairs::load();
    println!("{}\n", pairs.report.join("\n"));
    let mut bench = Bench::new();
    let mut notes = Vec::new();
    for _ in 0..5 {
        bench.next_round();
        workloads::page(&mut bench, &pairs);
        workloads::other_hosts(&mut bench, &pairs);
        workloads::page_new(&mut bench, &pairs);
        workloads::one_shot(&mut bench, &pairs);
        workloads::relativize(&mut bench, &pairs);
        workloads::split(&mut bench, &pairs);
        unusual::encoded(&mut bench);
        unusual::dots(&mut bench);
        unusual::surplus(&mut bench);
        notes = workloads::long(&mut bench);
    }
    let rows = bench.rows();
    if rows.is_empty() {
        return;
    }
    let report = [pairs.report.clone(), workloads::references_made(&pairs)].concat().join("\n");
    println!("\n{report}\n\n{}\n\n{}", table::plain(&rows, &notes), table::markdown(&rows, &notes));
    let plot = env::var("RELREF_PLOT").unwrap_or_else(|_| format!("{}/target/speed.svg", env!("CARGO_MANIFEST_DIR")));
    if let Some(svg) = plot::svg(&rows) {
        fs::write(&plot, svg).unwrap_or_else(|error| panic!("{plot}: {error}"));
        println!("\nplot: {plot}");
    }
}
