//! The check of a site of few files, in memory: threads do not matter, a check of one page finds its problems, and these have places in it.
//!
//! Input: options, files in the order of [`NAMES`], each ended by [`END`].

#![no_main]

use std::ops::ControlFlow;
use std::path::Path;

use libfuzzer_sys::{Corpus, fuzz_target};
use relref_fuzz::options;
use relref_links::check::{Options, Problem, ProblemKind, Site};

const NAMES: [&str; 8] = ["index.html", "d/a.html", "d/b.htm", "D/é x.html", "s.css", "d/i.svg", "page", "feed.xml"];
/// A file that is no page, in a folder without an index.
const OTHER: &str = "empty/x.txt";
const END: u8 = 0x1E;
const BASES: [Option<&str>; 3] = [None, Some("https://example.com/docs/"), Some("file:///srv/site")];

/// Returns the problems of a site, and what could not be read. Without a thread, which would take longer than the check.
fn found(site: &Site) -> (Vec<Problem>, Vec<String>) {
    let (mut problems, mut unread) = (Vec::new(), Vec::new());
    let done = site.each_problem(|found| {
        match found {
            Ok(problem) => problems.push(problem),
            Err(file) => unread.push(format!("{} {}", file.path.display(), file.why)),
        }
        ControlFlow::Continue(())
    });
    done.unwrap();
    (problems, unread)
}

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, rest)) = options(input) else { return Corpus::Reject };
    let mut parts = rest.split(|byte| *byte == END);
    let pages = NAMES.map(|name| (name, parts.next().unwrap_or_default()));
    let base = BASES[bits as usize % BASES.len()].map(str::to_owned);
    let try_ext = if bits & 0x100 == 0 { Vec::new() } else { vec!["html".to_owned(), "htm".to_owned()] };
    let structure = bits & 0x200 != 0;
    let options = Options { base, try_ext, structure, threads: 1, ..Options::default() };
    let site =
        |options: &Options| Site::in_memory(pages.into_iter().chain([(OTHER, &b""[..])]), options.clone()).unwrap();
    let (problems, unread) = found(&site(&options));
    // Threads take many times as long as the rest. A few bits would choose them for more: the fuzzer likes zeros.
    if (bits ^ 0x5BD1_E995).wrapping_mul(0x9E37_79B9) >> 26 == 0 {
        let more_threads = Options { threads: 2 + (bits >> 16) as usize % 3, ..options.clone() };
        assert_eq!(found(&site(&more_threads)), (problems.clone(), unread.clone()));
    }

    // One more check for each input: a check takes nearly all of the time.
    if bits & 0x400 == 0 {
        let name = NAMES[(bits >> 16) as usize % NAMES.len()];
        let expected: Vec<&Problem> = problems.iter().filter(|problem| problem.page == Path::new(name)).collect();
        let (alone, unread_alone) = found(&site(&options).only([name]).unwrap());
        assert_eq!(alone.iter().collect::<Vec<_>>(), expected);
        assert!(unread_alone.iter().all(|file| unread.contains(file)), "{unread_alone:?} {unread:?}");
    } else {
        let (without, _) = found(&site(&Options { fragments: false, ..options }));
        let is_other = |problem: &&Problem| problem.kind != ProblemKind::MissingFragment;
        assert!(without.iter().all(|problem| is_other(&problem)));
        // A folder without its slash is a problem of its own if the fragment is not looked for.
        let others = |problems: &[Problem]| {
            problems.iter().filter(|problem| problem.kind != ProblemKind::MissingSlash).filter(is_other).count()
        };
        assert_eq!(others(&without), others(&problems));
    }

    for problem in &problems {
        let Some(place) = problem.place else { continue };
        let (_, page) = pages.into_iter().find(|(name, _)| problem.page == Path::new(name)).unwrap();
        assert!(place.start <= place.end && place.end <= page.len() as u64 && place.line > 0 && place.column > 0);
        if let Some(target) = problem.target.as_ref().filter(|_| problem.kind == ProblemKind::Missing) {
            // Paths are compared as texts: a slash at the end asks for a folder.
            assert!(NAMES.iter().chain([&OTHER]).all(|name| target.as_os_str() != *name), "{problem:?}");
        }
    }
    Corpus::Keep
});
