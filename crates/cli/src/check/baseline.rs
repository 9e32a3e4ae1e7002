//! Problems that are known already, in a file.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufRead, ErrorKind, Write};
use std::path::{Path, PathBuf};

use relref_links::check::Problem;
use serde::{Deserialize, Serialize};

use crate::args::Check;
use crate::lines::open_list;
use crate::links::OutputFile;
use crate::quoting::{json_writer, path_name};

/// A problem without its place, which other changes of the page move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct KnownProblem {
    page: String,
    problem: String,
    reference: String,
}

impl KnownProblem {
    /// Names the page from `root`, if there is one.
    fn new(problem: &Problem, root: Option<&Path>) -> Self {
        let page = root.and_then(|root| problem.page.strip_prefix(root).ok()).unwrap_or(&problem.page);
        KnownProblem {
            page: path_name(page),
            problem: problem.kind.name().to_owned(),
            reference: problem.reference.clone(),
        }
    }

    fn size(&self) -> usize {
        self.page.len() + self.reference.len() + 100
    }
}

pub struct Baseline {
    /// The known problems, and whether each was found.
    known: HashMap<KnownProblem, bool>,
    /// The file to write.
    path: Option<PathBuf>,
    new: BTreeSet<KnownProblem>,
    size: usize,
}

/// The start of each file that is not empty.
pub const START: &str = "{\"page\":";

/// The most bytes of the known problems, and of the other problems that are to be written.
const MAX_SIZE: usize = 64 << 20;

fn too_large() -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, "a baseline has at most 64 MiB")
}

impl Baseline {
    /// Reads the file of `--baseline`. An error is about this file.
    pub fn new(args: &Check) -> Result<Self, (&Path, io::Error)> {
        let known =
            args.baseline.as_deref().map_or(Ok(HashMap::new()), |path| read(path).map_err(|error| (path, error)))?;
        Ok(Baseline { known, path: args.write_baseline.clone(), new: BTreeSet::new(), size: 0 })
    }

    /// Reports whether a problem is known, and keeps it for the file to write. Fails if that file is too large.
    pub fn has(&mut self, problem: &Problem, root: Option<&Path>) -> io::Result<bool> {
        if self.known.is_empty() && self.path.is_none() {
            return Ok(false);
        }
        let problem = KnownProblem::new(problem, root);
        let is_known = self.known.get_mut(&problem).map(|is_found| *is_found = true).is_some();
        if self.path.is_some() {
            self.size += if is_known { 0 } else { problem.size() };
            if self.size > MAX_SIZE {
                return Err(too_large());
            }
            self.new.insert(problem);
        }
        Ok(is_known)
    }

    /// Returns the number of known problems that were not found.
    pub fn unused(&self) -> usize {
        self.known.values().filter(|is_found| !**is_found).count()
    }

    /// Writes the file of `--write-baseline`, sorted.
    pub fn finish(&self) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let mut file = OutputFile::new(path)?;
        for known in &self.new {
            known.serialize(&mut json_writer(&mut file))?;
            file.write_all(b"\n")?;
        }
        file.finish()
    }
}

fn read(path: &Path) -> io::Result<HashMap<KnownProblem, bool>> {
    let mut lines = open_list(path)?;
    let (mut known, mut size, mut line) = (HashMap::new(), 0, String::new());
    for number in 1.. {
        line.clear();
        if io::Read::take(&mut lines, MAX_SIZE as u64).read_line(&mut line)? == 0 {
            break;
        }
        if line.trim().is_empty() {
            continue;
        }
        let problem: KnownProblem = serde_json::from_str(&line)
            .map_err(|_| io::Error::other(format!("line {number} is not one that --write-baseline writes")))?;
        size += problem.size();
        if size > MAX_SIZE {
            return Err(too_large());
        }
        known.insert(problem, false);
    }
    Ok(known)
}
