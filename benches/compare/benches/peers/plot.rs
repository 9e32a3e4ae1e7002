//! The plot: a panel of bars for each workload, as SVG that can be read on light and on dark pages.

use std::fmt::Write as _;

use crate::measure::{FLOOR, Row};
use crate::table::{digits, distinct, slowest};

const WORKLOADS: [&str; 5] = ["page", "page, new String", "one-shot", "relativize", "split"];
const TITLES: [&str; 5] = [
    "a page: one base, its references",
    "a page, each result a new string",
    "one shot: a new base each time",
    "back: URI to reference",
    "splitting alone",
];
/// The rule sets that the plot shows. The table also has the others.
const RELREF: [&str; 2] = ["relref rfc3986", "relref rfc1630"];

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#57606a}.t{font-weight:600;fill:#1f2328}.n{text-anchor:end}\
    .floor{fill:#afb8c1}.relref{fill:#0969da}.peer{fill:#8c7aa9}\
    @media(prefers-color-scheme:dark){text{fill:#9198a1}.t{fill:#f0f6fc}.floor{fill:#656c76}.relref{fill:#4493f8}.peer{fill:#a893cf}}";

/// Draws the plot, if every workload was measured.
pub fn svg(rows: &[Row]) -> Option<String> {
    let mut panels: Vec<(String, Vec<(&str, f64)>)> = Vec::new();
    for (workload, title) in WORKLOADS.into_iter().zip(TITLES) {
        let bars = rows.iter().filter(|row| row.workload == workload).map(|row| (&*row.contender, row.ns));
        panels.push((format!("{title} (ns)"), bars.collect()));
    }
    let long =
        distinct(rows, |row| &row.contender).into_iter().filter_map(|name| Some((name, slowest(rows, name)?.ns)));
    panels.push((
        String::from("2 MB, the slowest of 5 shapes (ns a kB)"),
        long.map(|(name, ns)| (name, ns * 1000.0)).collect(),
    ));
    for (_, bars) in &mut panels {
        bars.retain(|(name, _)| !name.starts_with("relref") || RELREF.contains(name));
        bars.iter().find(|(name, _)| *name == RELREF[0])?;
    }

    let (mut body, mut y) = (String::new(), 0);
    for pair in panels.chunks(2) {
        for (column, (title, bars)) in pair.iter().enumerate() {
            panel(&mut body, 440 * column, y, title, bars);
        }
        y += 42 + 18 * pair.iter().map(|(_, bars)| bars.len()).max().unwrap_or(0);
    }
    let _ = writeln!(
        body,
        "<text x=\"118\" y=\"{}\">Processor time: shorter is faster. The floor copies the output (splitting: reads once; 2 MB: copies the input).</text>",
        y + 10
    );
    y += 24;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"880\" height=\"{y}\" viewBox=\"0 0 880 {y}\" role=\"img\">\n\
         <title>Time of relref and its peers by workload; shorter is faster</title>\n<style>{STYLE}</style>\n{body}</svg>\n"
    ))
}

fn panel(body: &mut String, x: usize, y: usize, title: &str, bars: &[(&str, f64)]) {
    let _ = writeln!(body, "<text class=\"t\" x=\"{}\" y=\"{}\">{title}</text>", x + 118, y + 20);
    let longest = bars.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    for (index, (name, value)) in bars.iter().enumerate() {
        let class = match *name {
            FLOOR => "floor",
            name if name.starts_with("relref") => "relref",
            _ => "peer",
        };
        let (bar_x, bar_y) = (x + 118, y + 30 + 18 * index);
        let width = (260.0 * value / longest).max(1.0);
        let _ = writeln!(
            body,
            "<text class=\"n\" x=\"{}\" y=\"{}\">{name}</text>\
             <rect class=\"{class}\" x=\"{bar_x}\" y=\"{bar_y}\" width=\"{width:.1}\" height=\"14\" rx=\"2\"/>\
             <text x=\"{:.1}\" y=\"{}\">{}</text>",
            bar_x - 8,
            bar_y + 11,
            bar_x as f64 + width + 6.0,
            bar_y + 11,
            digits(*value),
        );
    }
}
