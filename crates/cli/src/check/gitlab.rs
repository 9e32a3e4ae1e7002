//! Problems as a report of GitLab's Code Quality ("Code Quality report format").

use std::collections::HashMap;
use std::io;
use std::path::MAIN_SEPARATOR;

use relref_links::check::{Problem, Totals};
use serde_json::json;

use super::report::{Report, message, shown_place};
use crate::output::Output;
use crate::quoting::path_name;

#[derive(Default)]
pub struct CodeQuality {
    has_problems: bool,
    /// The problems by the hashes of their pages, kinds and references, with how often each was seen.
    seen: HashMap<u128, u64>,
}

/// The most problems that are told apart by their number; others are by their place.
const MAX_SEEN: usize = 1 << 16;

impl Report for CodeQuality {
    fn problem(&mut self, problem: &Problem, out: &mut Output) -> io::Result<()> {
        out.text.push_str(if self.has_problems { ",\n" } else { "[\n" });
        self.has_problems = true;
        let path = path_name(&problem.page).replace(MAIN_SEPARATOR, "/");
        let path = path.strip_prefix("./").unwrap_or(&path);
        out.json(&json!({
            "description": message(problem),
            "check_name": problem.kind.name(),
            "fingerprint": self.fingerprint(path, problem),
            "severity": if problem.kind.is_note() { "info" } else { "major" },
            "location": { "path": path, "lines": { "begin": shown_place(problem).map_or(1, |place| place.line) } },
        }))
    }

    fn finish(&mut self, _: &Totals, out: &mut Output) -> io::Result<()> {
        out.text.push_str(if self.has_problems { "\n]" } else { "[]" });
        out.end_line()
    }
}

impl CodeQuality {
    /// It stays when lines move. No other problem has it, unless a page with very many comes twice.
    fn fingerprint(&mut self, path: &str, problem: &Problem) -> String {
        let hash = fnv(&[path, problem.kind.name(), &problem.reference].join("\n"));
        let number = if let Some(count) = self.seen.get_mut(&hash) {
            *count += 1;
            count.to_string()
        } else if self.seen.len() < MAX_SEEN {
            self.seen.insert(hash, 1);
            return format!("{hash:032x}");
        } else {
            format!("at {}", problem.place.map_or(0, |place| place.start))
        };
        format!("{:032x}", fnv(&format!("{hash:032x} {number}")))
    }
}

/// Returns the FNV-1a hash of 128 bits, which is the same in every version.
fn fnv(text: &str) -> u128 {
    const PRIME: u128 = (1 << 88) + 0x13b;
    let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    text.bytes().fold(start, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}
