//! The messages about problems: they are bounded, for each input and for the whole run, and what is left out is counted.

use std::fs;

use super::run::path;
use crate::archive::made::{file, gzip, response};
use crate::command::process::{folder, relref};

/// Runs `relref links`. Returns the lines of its standard error, and the exit code.
fn messages(args: &[&str], input: &[u8]) -> (Vec<String>, Option<i32>) {
    let output = relref(&[&["links"], args].concat(), input);
    let text = String::from_utf8(output.stderr).unwrap();
    (text.lines().map(str::to_owned).collect(), output.status.code())
}

/// An archive in which every 10 bytes are a damaged record, alone, between others, and in a folder, where workers find it.
#[test]
fn an_input_has_at_most_100_messages() {
    let damaged = b"WARC/1.0\r\n".repeat(100_000);
    let archive = file("повреждён.warc", &damaged);
    let name = path(&archive);
    let few = file("few.warc", &damaged[..1010]);
    let folder = path(archive.parent().unwrap());
    for (inputs, before, after, failed) in [
        (&[name][..], 0, 0, "1 input failed"),
        (&["/нет", name, "/no"], 1, 1, "3 inputs failed"),
        (&[folder], 0, 0, "1 input failed"),
        (&[name, path(&few)], 0, 101, "2 inputs failed"),
    ] {
        for quiet in [false, true] {
            let args = [if quiet { &["-q"][..] } else { &[] }, &["--threads=16", "--base=h:/"], inputs].concat();
            let (mut lines, code) = messages(&args, b"");
            assert_eq!(code, Some(1));
            if !quiet {
                let totals = lines.pop().unwrap();
                let untold = if after > 1 { 99_901 } else { 99_900 };
                assert!(totals.ends_with(&format!("; {untold} problems not shown; {failed}")), "{totals}");
            }
            assert_eq!(lines.len(), before + 101 + after, "{args:?}");
            let of_archive = &lines[before..];
            assert_eq!(of_archive[0], format!("relref: {name}: record at byte 0: its header has no end"));
            assert_eq!(of_archive[99], format!("relref: {name}: record at byte 990: its header has no end"));
            assert_eq!(of_archive[100], format!("relref: {name}: and 99900 more problems"));
            if after > 1 {
                assert_eq!(*lines.last().unwrap(), format!("relref: {}: and 1 more problem", path(&few)));
            }
        }
    }
}

/// Pages of an archive, whose problems workers find, and damage of its records, which the reader finds, count together.
#[test]
fn problems_of_pages_and_records_count_together() {
    let page = gzip(&b"<a href=x>".repeat(99));
    let bad = response("a", "Content-Encoding: gzip\r\n", &page[..page.len() - 9]);
    let both = [&bad[..], b"WARC/1.0\r\n\r\n"].concat();
    let archive = file("both.warc", &both.repeat(150));
    for threads in ["1", "16"] {
        let (lines, _) = messages(&["--threads", threads, path(&archive)], b"");
        let problems: Vec<&str> = lines.iter().filter_map(|line| line.split(" at byte ").nth(1)).collect();
        assert_eq!(problems.len(), 100, "{lines:?}");
        for (number, pair) in problems.chunks(2).enumerate() {
            assert!(pair[0].starts_with(&format!("{}: its body is damaged", number * both.len())), "{pair:?}");
            assert!(
                pair[1].starts_with(&format!("{}: its header has no", number * both.len() + bad.len())),
                "{pair:?}"
            );
        }
        assert_eq!(lines[100], format!("relref: {}: and 200 more problems", path(&archive)));
        assert!(lines[101].ends_with("; 200 problems not shown; 1 input failed"), "{lines:?}");
    }
}

/// Missing files, as arguments and in a list: after 1 MiB of messages, they are counted.
#[test]
fn a_run_has_at_most_1_mib_of_messages() {
    let folder = folder("many-missing");
    let good = folder.join("good.html");
    fs::write(&good, "<a href=x>").unwrap();
    let names: Vec<String> = (0..20_000).map(|number| format!("нет такого файла {number}")).collect();
    let list = names.join("\n") + "\n" + path(&good) + "\n";
    let args: Vec<&str> = names.iter().map(String::as_str).chain([path(&good)]).collect();
    for (args, input) in [(&["--files-from=-"][..], list.as_bytes()), (&args, b"")] {
        for quiet in [false, true] {
            let all = [if quiet { &["-q"][..] } else { &[] }, &["--base=h:/"], args].concat();
            let (mut lines, code) = messages(&all, input);
            assert_eq!(code, Some(1));
            let len: usize = lines.iter().map(|line| line.len() + 1).sum();
            assert!((1 << 20..(1 << 20) + 500).contains(&len), "{len}");
            let totals = if quiet { None } else { lines.pop() };
            let more = lines.pop().unwrap();
            let untold = 20_000 - lines.len();
            assert!((1000..19_000).contains(&untold), "{untold}");
            assert_eq!(more, format!("relref: and {untold} more problems, after 1 MiB of messages"));
            assert!(lines[0].starts_with("relref: нет такого файла 0: "), "{}", lines[0]);
            if let Some(totals) = totals {
                assert!(totals.starts_with("relref: 20001 inputs, 1 page, 1 link, "), "{totals}");
                assert!(totals.ends_with(&format!("; {untold} problems not shown; 20000 inputs failed")), "{totals}");
            }
        }
    }
}

/// One message does not grow with the text that it shows.
#[test]
fn a_message_has_a_bounded_length() {
    for text in ["x".repeat(1 << 20), "д\u{9b}".repeat(1 << 18), "%zz\u{202e}".repeat(1 << 18)] {
        let pair = format!("{text}\t{text}");
        for (args, input) in [
            (&["normalize"][..], &text),
            (&["validate"], &text),
            (&["resolve", "--pairs"], &pair),
            (&["resolve", "--rules=whatwg", "--pairs"], &pair),
            (&["links", "-q", "--base=h:/", "--files-from=-"], &text),
        ] {
            let output = relref(args, input.as_bytes());
            let problems = String::from_utf8(output.stderr).unwrap();
            assert!(problems.len() < 10_000 && problems.lines().count() <= 1, "{args:?}: {}", problems.len());
        }
        let output = relref(&["normalize"], text.as_bytes());
        let has_problem = text.starts_with('%');
        assert_eq!(String::from_utf8(output.stderr).unwrap().contains('…'), has_problem);
    }
}
