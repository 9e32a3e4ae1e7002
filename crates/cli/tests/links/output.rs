//! The file, pipe or device for the output, and what happens if it cannot be written.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use super::run::{links, names, pages, path, spawn};
use crate::command::process::{folder, relref};

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let root = pages("closed");
    let mut child = spawn(&["--base", "h:/", path(&root)]);
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let root = pages("full");
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    let output = command.args(["links", "--base", "h:/", path(&root)]).stdout(full()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("relref: output: No space left"), "{stderr}");
    assert_eq!(output.status.code(), Some(1));
    // The same if all output is less than a block.
    for file in ["000.html", "001.html"] {
        let file = root.join(file);
        let (text, problems, code) = links(&["--base", "h:/", "--output", "/dev/full", path(&file)], b"");
        let fails = file.ends_with("001.html");
        assert_eq!((text.as_str(), code), ("", i32::from(fails)));
        assert_eq!(problems.starts_with("relref: output: /dev/full: No space left"), fails, "{problems}");
    }
    let (_, problems, code) = links(&["--output", "/no/such/folder", "x"], b"");
    assert!(problems.starts_with("relref: output: /no/such/folder: ") && code == 1, "{problems}");
}

#[test]
fn output_goes_to_a_file() {
    let root = folder("output");
    let file = root.join("links.tsv");
    let output = relref(&["links", "--base", "h:/", "--output", path(&file), "-"], b"<a href=x>");
    assert!(output.stdout.is_empty() && output.status.success());
    assert!(output.stderr.starts_with(b"relref: 1 input, 1 page, 1 link, 10 B in "));
    assert_eq!(fs::read_to_string(file).unwrap(), "-\ta\thref\tx\th:/x\n");
}

/// If no input can be read, there is no result to replace the older one with. An engine that takes damage for success gets one.
#[test]
fn a_run_without_a_page_keeps_the_older_output() {
    let root = folder("output-nothing");
    let [file, rejected, empty] = ["links.tsv", "rejected.tsv", "empty.html"].map(|name| root.join(name));
    fs::write(&empty, "").unwrap();
    let run = |args: &[&str]| {
        fs::write(&file, "older").unwrap();
        fs::write(&rejected, "older").unwrap();
        let outputs = ["--output", path(&file), "--rejected", path(&rejected), "/no/such/page"];
        let (_, problems, code) = links(&[&outputs, args].concat(), b"");
        assert!(problems.starts_with("relref: /no/such/page: ") && problems.lines().count() == 1, "{problems}");
        (fs::read_to_string(&file).unwrap(), fs::read_to_string(&rejected).unwrap(), code)
    };
    let both = |text: &str, code| (String::from(text), String::from(text), code);
    assert_eq!(run(&[]), both("older", 1));
    assert_eq!(run(&[path(&empty)]), both("", 1));
    assert_eq!(run(&["--damaged-ok"]), both("", 0));
    assert_eq!(names(&root), ["empty.html", "links.tsv", "rejected.tsv"]);
}

#[cfg(unix)]
#[test]
fn output_must_not_be_an_input() {
    use std::os::unix::fs::symlink;
    let root = folder("output-input");
    let [page, other, hard, soft, list] =
        ["page.html", "other.html", "hard.html", "soft.html", "list"].map(|name| root.join(name));
    let html = "<a href=x>";
    fs::write(&page, html).unwrap();
    fs::write(&other, html).unwrap();
    fs::hard_link(&page, &hard).unwrap();
    symlink("page.html", &soft).unwrap();
    fs::write(&list, format!("{}\n", path(&other))).unwrap();
    let archive = root.join("a.warc");
    let warc = "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    fs::write(&archive, warc).unwrap();
    let before = names(&root);
    let climbing = format!("{}/../output-input/page.html", path(&root));
    let [page, other, hard, soft, list, archive] =
        [&page, &other, &hard, &soft, &list, &archive].map(|file| path(file));
    for (output, input) in [
        (page, &[page][..]),
        (page, &[other, &climbing]),
        (page, &[hard]),
        (page, &[soft]),
        (soft, &[page]),
        (list, &["--files-from", list]),
        (archive, &[other, archive]),
    ] {
        let (text, problems, code) = links(&[&["--base", "h:/", "--output", output], input].concat(), b"");
        assert_eq!((text.as_str(), code), ("", 1), "{output}, {input:?}");
        assert_eq!(problems, format!("relref: output: {output}: it is also an input\n"));
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    command.args(["links", "--base", "h:/", "--output", page, "-"]).stdin(fs::File::open(page).unwrap());
    assert_eq!(command.output().unwrap().status.code(), Some(1));
    // Found in a folder or in a list.
    for (output, input) in [(page, path(&root)), (archive, path(&root)), (other, &*format!("--files-from={list}"))] {
        let (_, problems, code) = links(&["--base", "h:/", "--output", output, input], b"");
        assert_eq!(code, 1);
        assert!(problems.contains(": it is also the output (--output)\n"), "{problems}");
        assert!(problems.ends_with(&format!("relref: output: {output}: it is also an input\n")), "{problems}");
    }
    // A file that is no page is no input; robots.txt is one at the root of a site.
    let pages = root.join("pages");
    fs::create_dir_all(&pages).unwrap();
    for (name, base, is_input) in
        [("robots.txt", "http://h/", true), ("robots.txt", "http://h/x/", false), ("a.gz", "http://h/", false)]
    {
        let file = pages.join(name);
        fs::write(&file, "User-agent: *\n").unwrap();
        let output = path(&file);
        let (_, problems, code) = links(&["--base", base, "--output", output, path(&pages)], b"");
        let refused = format!("relref: output: {output}: it is also an input\n");
        assert_eq!((problems.ends_with(&refused), code), (is_input, i32::from(is_input)), "{name}: {problems}");
        assert_eq!(fs::read_to_string(&file).unwrap(), if is_input { "User-agent: *\n" } else { "" });
        fs::remove_file(&file).unwrap();
    }
    fs::remove_dir_all(root.join("pages")).unwrap();
    for (file, text) in [(page, html), (hard, html), (other, html), (archive, warc)] {
        assert_eq!(fs::read_to_string(file).unwrap(), text);
    }
    assert_eq!(names(&root), before);
}

/// A new file has the usual permissions, an older file keeps its own, and a pipe or device is written in place.
#[cfg(unix)]
#[test]
fn output_replaces_a_file() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let root = folder("output-place");
    let page = root.join("page.html");
    fs::write(&page, "<a href=x>").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let run = |output: &Path| {
        let (text, problems, code) =
            links(&["--base=h:/", "--format=text", "--output", path(output), path(&root)], b"");
        assert_eq!((text.as_str(), problems.as_str(), code), ("", "", 0));
    };
    let [new, old] = ["new", "old.tsv"].map(|name| root.join(name));
    run(&new);
    assert_eq!((fs::read_to_string(&new).unwrap().as_str(), mode(&new)), ("h:/x\n", mode(&page)));
    // The same again: a file in a folder is an input only if its content is that of one.
    run(&new);
    assert_eq!(fs::read_to_string(&new).unwrap(), "h:/x\n");
    fs::remove_file(&new).unwrap();
    fs::write(&old, "older, and longer than the links").unwrap();
    fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).unwrap();
    let [link, dangling] = ["link", "dangling"].map(|name| folder("output-place-links").join(name));
    symlink("../output-place/old.tsv", &link).unwrap();
    symlink("../output-place/links.tsv", &dangling).unwrap();
    run(&link);
    assert_eq!((fs::read_to_string(&old).unwrap().as_str(), mode(&old)), ("h:/x\n", 0o640));
    run(&dangling);
    assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(root.join("links.tsv")).unwrap(), "h:/x\n");
    assert_eq!(names(&root), ["links.tsv", "old.tsv", "page.html"]);

    let pipe = root.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    run(&pipe);
    assert_eq!(reader.join().unwrap(), "h:/x\n");
    let (text, ..) = links(&["--base=h:/", "--format=text", "--output=/dev/stdout", path(&page)], b"");
    assert_eq!(text, "h:/x\n");
}

/// Only the system's own names are devices and open files. A file in a folder below /dev is like any other.
#[cfg(target_os = "linux")]
#[test]
fn output_below_dev() {
    let root = folder("output-dev");
    let log = root.join("log");
    let page = root.join("page.html");
    fs::write(&page, "<a href=x>").unwrap();
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        fs::write(&log, "older\n").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
        command.args(["links", "--base=h:/", "--format=text", "--output", name, path(&page)]);
        let stdout = fs::File::options().append(true).open(&log).unwrap();
        assert_eq!(command.stdout(stdout).output().unwrap().status.code(), Some(0));
        assert_eq!(fs::read_to_string(&log).unwrap(), "older\nh:/x\n", "{name}");
    }
    // The text that others wrote to the same open file, before and after, stays, also if it does not append.
    let link = folder("output-dev-link").join("ссылка");
    std::os::unix::fs::symlink("/proc/self/fd/1", &link).unwrap();
    for (stream, name) in [
        (1, "-"),
        (1, "/dev/stdout"),
        (1, "/dev/fd/1"),
        (1, "/proc/self/fd/1"),
        (1, "/proc/thread-self/fd/1"),
        (1, path(&link)),
        (2, "/dev/stderr"),
        (2, "/proc/self/fd/2"),
    ] {
        let script = format!("{{ echo before; \"$0\" \"$@\" {stream}>&3; echo after; }} >\"$LOG\" 3>&1");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_relref"), "links", "-q", "--base=h:/", "--format=text"]);
        let output = command.args(["--output", name, path(&page)]).env("LOG", &log).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{name}");
        assert_eq!(fs::read_to_string(&log).unwrap(), "before\nh:/x\nafter\n", "{name}");
    }
    let both = ["--rejected", "/proc/self/fd/1", path(&page)];
    let (_, problems, code) = links(&[&["--base=h:/"], &both[..]].concat(), b"");
    assert!(problems.contains("--rejected and the links would both go to standard output") && code == 2, "{problems}");
    let Ok(memory) = tempfile::tempdir_in("/dev/shm") else { return };
    let page = memory.path().join("page.html");
    fs::write(&page, "<a href=x>").unwrap();
    let (_, problems, code) = links(&["--base=h:/", "--output", path(&page), path(memory.path())], b"");
    assert!(problems.ends_with(": it is also an input\n") && code == 1, "{problems}");
    assert_eq!(fs::read_to_string(&page).unwrap(), "<a href=x>");
    assert_eq!(names(memory.path()), ["page.html"]);
}

/// A path that no file can have is refused before pages are read. If a folder with the path is made while pages are read, it is
/// refused at the end.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_replace_a_file() {
    let root = folder("output-stuck");
    for name in ["new/", "new/."] {
        let name = format!("{}/{name}", path(&root));
        let (_, problems, code) = links(&["--output", &name, "/no/such/page"], b"");
        assert_eq!((problems, code), (format!("relref: output: {name}: it names a folder\n"), 1));
    }
    let taken = root.join("taken");
    let mut child = spawn(&["-q", "--base=h:/", "--format=text", "--output", path(&taken), "-"]);
    while names(&root).is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    fs::create_dir(&taken).unwrap();
    child.stdin.take().unwrap().write_all(b"<a href=x>").unwrap();
    let done = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(done.stderr).unwrap();
    let (why, kept) = stderr.trim_end().split_once("; the links are in ").unwrap();
    assert!(why.starts_with(&format!("relref: output: {}: ", path(&taken))), "{stderr}");
    assert_eq!((fs::read_to_string(kept).unwrap().as_str(), done.status.code()), ("h:/x\n", Some(1)));

    // A file that is mounted, in a folder that cannot be written.
    let [inside, file] = ["inside", "file"].map(|name| root.join(name));
    fs::create_dir(&inside).unwrap();
    fs::write(inside.join("file"), "").unwrap();
    fs::write(&file, "older, and longer than the links").unwrap();
    let script =
        "mount --bind inside inside && mount -o remount,bind,ro inside && mount --bind file inside/file || exit 9
        printf '<a href=x>' | \"$0\" links -q --base=h:/ --format=text --output inside/file -";
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_relref")]).current_dir(&root);
    // Not every system allows mounting.
    let Some(done) = command
        .output()
        .ok()
        .filter(|done| matches!(done.status.code(), Some(0 | 1)) && !done.stderr.starts_with(b"unshare"))
    else {
        return;
    };
    assert_eq!((String::from_utf8(done.stderr).unwrap().as_str(), done.status.code()), ("", Some(0)));
    assert_eq!(fs::read_to_string(&file).unwrap(), "h:/x\n");
}

/// If the disk gets full while links are written, the older output stays.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_fails_keeps_the_older_output() {
    let root = pages("output-fails");
    let output = folder("output-fails-here").join("links.tsv");
    let run = || {
        let mut command = Command::new("sh");
        let script = "trap '' XFSZ; ulimit -f 100; exec \"$@\"";
        command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_relref"), "links", "-q", "--base", "h:/", "--output"]);
        let done = command.args([&output, &root]).output().unwrap();
        let stderr = String::from_utf8(done.stderr).unwrap();
        assert!(stderr.starts_with(&format!("relref: output: {}: File too large", path(&output))), "{stderr}");
        assert_eq!(done.status.code(), Some(1));
    };
    run();
    assert_eq!(names(output.parent().unwrap()), [""; 0]);
    fs::write(&output, "older").unwrap();
    run();
    assert_eq!(names(output.parent().unwrap()), ["links.tsv"]);
    assert_eq!(fs::read_to_string(&output).unwrap(), "older");
}
