//! The guides, whose commands print what they show.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::process::folder;

/// Runs the commands of a guide in a copy of its files, and compares what they print.
#[test]
fn the_commands_of_the_guide_for_crawlers_print_what_it_shows() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = folder("guide-crawling");
    for file in ["seeds.txt", "intro.html", "sitemap.xml", "robots/example.com.txt"] {
        let to = root.join(file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(source.join("examples/crawl").join(file), to).unwrap();
    }
    let command = Path::new(env!("CARGO_BIN_EXE_relref")).parent().unwrap();
    let path = format!("{}:{}", command.display(), std::env::var("PATH").unwrap());
    let guide = fs::read_to_string(source.join("guides/crawling.md")).unwrap();
    let mut count = 0;
    for block in guide.split("```text\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for part in format!("\n{block}").split("\n$ ").skip(1) {
            let (line, expected) = part.split_once('\n').unwrap_or((part, ""));
            let done = Command::new("sh").args(["-c", line]).current_dir(&root).env("PATH", &path).output().unwrap();
            let printed = String::from_utf8(done.stdout).unwrap();
            assert_eq!(printed.trim_end(), expected.trim_end(), "{line}");
            count += 1;
        }
    }
    assert_eq!(count, 9);
}
