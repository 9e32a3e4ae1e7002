//! The check of a site of few files: threads do not matter, a check of one page finds its problems, and these have places in it.
//!
//! Input: options, files in the order of [`NAMES`], each ended by [`END`].

#![no_main]

use std::cell::RefCell;
use std::fs;

use libfuzzer_sys::{Corpus, fuzz_target};
use relref_fuzz::options;
use relref_links::check::{Options, Problem, ProblemKind, Site, Unread};
use tempfile::TempDir;

const NAMES: [&str; 8] = ["index.html", "d/a.html", "d/b.htm", "D/é x.html", "s.css", "d/i.svg", "page", "feed.xml"];
const END: u8 = 0x1E;
const BASES: [Option<&str>; 3] = [None, Some("https://example.com/docs/"), Some("file:///srv/site")];

thread_local! {
    static FOLDER: RefCell<TempDir> = RefCell::new(make_folder());
}

fn make_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["d", "D", "empty"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    folder
}

fn split(found: Vec<Result<Problem, Unread>>) -> (Vec<Problem>, Vec<String>) {
    let (mut problems, mut unread) = (Vec::new(), Vec::new());
    for found in found {
        match found {
            Ok(problem) => problems.push(problem),
            Err(file) => unread.push(format!("{} {}", file.path.display(), file.why)),
        }
    }
    (problems, unread)
}

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, rest)) = options(input) else { return Corpus::Reject };
    FOLDER.with_borrow(|folder| {
        let root = folder.path();
        let mut files = rest.split(|byte| *byte == END);
        for name in NAMES {
            fs::write(root.join(name), files.next().unwrap_or_default()).unwrap();
        }
        let base = BASES[bits as usize % BASES.len()].map(str::to_owned);
        let try_ext = if bits & 0x100 == 0 { Vec::new() } else { vec!["html".to_owned(), "htm".to_owned()] };
        let structure = bits & 0x200 != 0;
        let options = Options { base, try_ext, structure, threads: 1, ..Options::default() };
        let check = |options: &Options| Site::open(root, options.clone()).unwrap();
        let found = split(check(&options).problems().collect());
        let more_threads = Options { threads: 2 + (bits >> 16) as usize % 3, ..options.clone() };
        assert_eq!(split(check(&more_threads).problems().collect()), found);

        let (problems, unread) = found;
        for name in NAMES {
            let path = root.join(name);
            let of_page = check(&options).only([&path]).unwrap().problems().collect();
            let expected: Vec<&Problem> = problems.iter().filter(|problem| *problem.page == *path).collect();
            let (alone, unread_alone) = split(of_page);
            assert_eq!(alone.iter().collect::<Vec<_>>(), expected);
            assert!(unread_alone.iter().all(|file| unread.contains(file)), "{unread_alone:?} {unread:?}");
        }
        let without = Options { fragments: false, ..options };
        let (without, _) = split(check(&without).problems().collect());
        let is_other = |problem: &&Problem| problem.kind != ProblemKind::MissingFragment;
        assert!(without.iter().all(|problem| is_other(&problem)));
        // A folder without its slash is a problem of its own if the fragment is not looked for.
        let others = |problems: &[Problem]| {
            problems.iter().filter(|problem| problem.kind != ProblemKind::MissingSlash).filter(is_other).count()
        };
        assert_eq!(others(&without), others(&problems));

        for problem in &problems {
            let Some(place) = problem.place else { continue };
            let page = fs::read(&*problem.page).unwrap();
            assert!(place.start <= place.end && place.end <= page.len() as u64 && place.line > 0 && place.column > 0);
            if let Some(target) = problem.target.as_ref().filter(|_| problem.kind == ProblemKind::Missing) {
                assert!(!target.is_file(), "{problem:?}");
            }
        }
    });
    Corpus::Keep
});
