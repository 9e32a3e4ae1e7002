//! The memory and the threads that `links` takes.

use std::fs;
use std::io::Write;
use std::process::{Child, Command};

use super::run::{links, page, path, spawn};
use crate::archive::made::{zip, zip_entry};
use crate::command::measure::{Watched, watch_child};
use crate::command::process::folder;

/// Runs `relref links` with a standard input, and measures it.
pub fn watch(args: &[&str], input: impl FnOnce(&mut dyn Write) + Send + 'static) -> Watched {
    watch_child(spawn(&[&["--quiet"], args].concat()), input)
}

/// Runs `relref links` with a standard input. Returns the most memory that it takes, in KiB, and the length of its output in bytes.
pub fn peak(args: &[&str], input: impl FnOnce(&mut dyn Write) + Send + 'static) -> (usize, u64) {
    let Watched { peak, written, problems, code, .. } = watch(args, input);
    assert_eq!((problems.as_str(), code), ("", Some(0)));
    (peak, written)
}

/// Memory stays within its limit for a folder with very many long names, and for a list with a line of 32 MiB.
#[test]
fn memory_of_inputs_is_bounded() {
    let root = folder("flat");
    for number in 0..100_000 {
        fs::File::create(root.join(format!("{number:0240}.html"))).unwrap();
    }
    let (most, _) = peak(&["--threads", "32", "--base", "h:/", path(&root)], |_| ());
    fs::remove_dir_all(&root).unwrap();
    assert!(most < 64 << 10, "folder: {most} KiB");
    let Watched { peak: most, problems, code, .. } = watch(&["--files-from", "-"], |stdin| {
        stdin.write_all(b"\r\n").unwrap();
        for _ in 0..32 {
            stdin.write_all(&[b'x'; 1 << 20]).unwrap();
        }
        stdin.write_all(b"\nno-such-file\n").unwrap();
    });
    let line = format!("relref: -: line 2 has more than 32768 bytes: {}…", "x".repeat(60));
    let problems: Vec<&str> = problems.lines().collect();
    assert!(problems[0] == line && problems[1].starts_with("relref: no-such-file: "), "{problems:?}");
    assert_eq!((problems.len(), code), (2, Some(1)));
    assert!(most < 16 << 10, "list: {most} KiB");
}

/// If the system starts no more threads, those that were started do all jobs.
#[test]
fn few_threads_do_all_jobs() {
    let root = folder("few-threads");
    for number in 0..99 {
        fs::write(root.join(format!("{number}.html")), page(number, 100)).unwrap();
    }
    let run = |stack: &str, limit: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v $0; exec \"$@\"", limit, env!("CARGO_BIN_EXE_relref"), "links", "-q"]);
        let args = ["--base=a:/", "--format=text", "--threads=4", path(&root)];
        let output = command.args(args).env("RUST_MIN_STACK", stack).output().unwrap();
        let [text, problems] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (text, problems, output.status.code())
    };
    let (expected, ..) = links(&["--base=a:/", "--format=text", path(&root)], b"");
    // There is no space for five stacks of 1 GiB.
    assert!(run(&(1 << 30).to_string(), "2900000") == (expected, String::new(), Some(0)));
    // No address space holds a stack of this size.
    let (text, problems, code) = run(&(usize::MAX / 16 * 15).to_string(), "unlimited");
    assert!(problems.starts_with("relref: cannot start threads: Resource temporarily unavailable"), "{problems}");
    assert_eq!((text.as_str(), problems.lines().count(), code), ("", 1, Some(1)));
}

/// Memory is bounded for a page of 40 MB, from a file and from a pipe. It has 600,000 different links, each of them
/// twice and far apart.
#[test]
fn memory_is_bounded() {
    let root = folder("memory");
    let file = path(&root.join("page.html")).to_owned();
    let mut page = std::io::BufWriter::new(fs::File::create(&file).unwrap());
    for link in (0..600_000).chain(0..600_000) {
        writeln!(page, "<p>some text <a href='{link}'>x</a>").unwrap();
    }
    drop(page);
    let args = ["--base", "h:/", "--unique", "--max-memory", "8M", "--format", "text"];
    let (from_file, written) = peak(&[&args[..], &[&file]].concat(), |_| ());
    assert_eq!(written, (0..600_000).map(|link| format!("h:/{link}\n").len() as u64).sum::<u64>());
    let piped = file.clone();
    let again = watch(&[&args[..], &["-"]].concat(), move |stdin| {
        std::io::copy(&mut fs::File::open(piped).unwrap(), stdin).unwrap();
    });
    assert_eq!((again.written, again.problems.as_str()), (written, ""));
    let from_pipe = again.peak;
    // Far fewer reads than lines.
    assert!(again.reads < 60_000, "{} reads", again.reads);
    assert!(from_file < 64 << 10 && from_pipe < 64 << 10, "{from_file} KiB, {from_pipe} KiB");
    // What fits in --max-memory is printed as it comes, and takes no temporary file.
    let (in_memory, again) = peak(&["--base=h:/", "--unique", "--format=text", &file], |_| ());
    assert_eq!(again, written);
    assert!(in_memory < 96 << 10, "{in_memory} KiB");
}

/// The lines of pages with a giant attribute are whole, in order, and printed once with `--unique`. No worker waits without end for
/// memory that the job whose output is next does not give back.
#[test]
fn giant_lines_are_whole() {
    let root = folder("giants");
    let names: Vec<String> = [7 << 20, 2_000_000, 70_000, 1 << 16, 6_000_000, 7 << 20]
        .iter()
        .enumerate()
        .map(|(number, len)| {
            let name = format!("{}/{number}.html", path(&root));
            let reference = "a\u{1}%7e".repeat(len / 5);
            fs::write(
                &name,
                format!("<a href='data:,{reference}'>x</a><a href=y{number}><img src='data:,{reference}'>"),
            )
            .unwrap();
            name
        })
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for threads in ["1", "16"] {
        let args = ["--base", "h:/", "--threads", threads, "--max-uri", "16M"];
        let (text, ..) = links(&[&args[..], &["--format", "text", "--unique"], &names, &names].concat(), b"");
        let lens: Vec<usize> = text.lines().map(str::len).collect();
        // The last page has the same links as the first.
        assert_eq!(lens.len(), 11);
        assert!(lens.chunks(2).take(5).all(|lines| lines[0] > 60_000 && lines[1] == "h:/y0".len()), "{lens:?}");
        // Five bytes become seven.
        assert_eq!(lens[0], "data:,".len() + (7 << 20) / 5 * 7);
    }
    let args = ["--base=h:/", "--threads=16", "--max-uri=16M", "--format=jsonl", "--key=surt", "--normalize=crawl"];
    let (most, written) = peak(&[&args[..], &["--root", path(&root)], &names].concat(), |_| ());
    // Four giants, each twice on its page. Five bytes become ten in a reference, and five in its URI and its key.
    assert!(written > 22_000_000 * 2 * (2 + 1 + 1), "{written}");
    // One giant at a time: its tag, its URI, the normalized URI and the key, in buffers that double when they grow.
    assert!(most < 80 << 10, "{most} KiB");
}

/// Runs `relref links` with a standard input, and reads its output only when it has stopped reading its input. Returns the most
/// memory that it takes, in KiB, and its problems.
fn peak_of_blocked(args: &[&str], input: impl FnOnce(&mut dyn Write) + Send + 'static) -> (usize, String) {
    use std::io::Read;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    struct Counting<W>(W, Arc<AtomicU64>);
    impl<W: Write> Write for Counting<W> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let written = self.0.write(bytes)?;
            self.1.fetch_add(written as u64, Ordering::Relaxed);
            Ok(written)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            self.0.flush()
        }
    }

    let mut child = spawn(&[&["--quiet"], args].concat());
    let count = Arc::new(AtomicU64::new(0));
    let mut stdin = Counting(child.stdin.take().unwrap(), Arc::clone(&count));
    let writer = std::thread::spawn(move || input(&mut stdin));
    let mut stderr = child.stderr.take().unwrap();
    let problems = std::thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).unwrap();
        text
    });
    let peak = |child: &Child| {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap()
    };
    // Waits until neither input nor memory has changed for half a second.
    let mut last = (0, 0);
    let mut still = 0;
    while still < 5 {
        std::thread::sleep(Duration::from_millis(100));
        let now = (count.load(Ordering::Relaxed), peak(&child));
        still = if now == last { still + 1 } else { 0 };
        last = now;
    }
    assert!(!writer.is_finished(), "it has read all of its input");
    std::io::copy(&mut child.stdout.take().unwrap(), &mut std::io::sink()).unwrap();
    writer.join().unwrap();
    child.wait().unwrap();
    (last.1, problems.join().unwrap())
}

/// While nobody reads the output, all that waits counts for the memory limit: pages and lines, and also URIs, charsets, codings and
/// problems. The number of threads does not matter (of 32, there is one for each core).
#[test]
fn memory_of_queues_is_bounded() {
    let long = "x".repeat(60_000);
    let codings = "gzip,x-gzip,".repeat(10_000);
    let heads = [
        format!("Content-Type: text/html; charset={long}\r\n"),
        format!("Content-Type: text/html\r\nContent-Encoding: {codings}\r\n"),
        format!("Content-Type: text/html\r\nContent-Encoding: {long}\r\n"),
        format!("Content-Type: text/html\r\nTransfer-Encoding: {codings}\r\nContent-Encoding: gzip\r\n"),
    ];
    let records = heads.map(|head| {
        let http = format!("HTTP/1.1 200 OK\r\n{head}\r\n<a href=x>");
        let head = "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\nWARC-Target-URI: http://h/";
        format!("{head}{long}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len())
    });
    for threads in ["4", "32"] {
        let records = records.clone();
        let (most, problems) = peak_of_blocked(&["--base=h:/", "--threads", threads, "-"], move |stdin| {
            for number in 0..1600 {
                stdin.write_all(records[number % 4].as_bytes()).unwrap();
            }
        });
        assert!(most < 64 << 10, "{threads} threads: {most} KiB");
        let why = |why: &str| problems.lines().filter(|line| line.contains(why)).count();
        assert_eq!(why("its body has more than 4 codings"), 100);
        assert!(problems.ends_with("relref: -: and 700 more problems\n"), "{problems}");
        assert_eq!(why("its content coding `xxx"), 0, "a page that has none of its codings is read as it is");
    }
    // Problems of inputs with long names, after a page whose lines fill the pipe.
    let root = folder("queues");
    let file = root.join("page.html");
    fs::write(&file, page(1, 20_000)).unwrap();
    let first = path(&file).to_owned();
    let (most, problems) = peak_of_blocked(&["--base=h:/", "--threads=32", "--files-from=-"], move |stdin| {
        writeln!(stdin, "{first}").unwrap();
        for _ in 0..4000 {
            writeln!(stdin, "{}", &long[..30_000]).unwrap();
        }
    });
    let last = problems.lines().last().unwrap();
    let untold = 4000 + 1 - problems.lines().count();
    assert_eq!(last, format!("relref: and {untold} more problems, after 1 MiB of messages"));
    assert!(problems.len() < (1 << 20) + 10_000, "{}", problems.len());
    assert!(most < 64 << 10, "{most} KiB");
    // As many with short names.
    let many = |stdin: &mut dyn Write| {
        let names: String = (0..100_000).map(|number| format!("missing-{number}\n")).collect();
        stdin.write_all(names.as_bytes()).unwrap();
    };
    for threads in ["1", "2", "16"] {
        let watched = watch(&["--base=h:/", "--threads", threads, "--files-from=-"], many);
        assert!(watched.peak < 40 << 10, "{threads} threads: {} KiB", watched.peak);
        assert!(watched.problems.len() < (1 << 20) + 10_000, "{}", watched.problems.len());
    }
}

/// Memory is bounded for pages whose text is three times as long in UTF-8: in one attribute, in many, in style sheets and in lists
/// of images; read from memory and as streams. There are as many threads as are started: 32, or one for each core.
#[test]
fn memory_of_pages_is_bounded() {
    let len = 255 << 10;
    let bytes = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let meta = "<meta charset=windows-1251>";
    let three = "\u{88}";
    let many = |part: String, len: usize| part.repeat(len / part.chars().count());
    let sheet = |url: String| bytes(&format!("{meta}<style>a{{b:url('{url}')}}</style><a href=x>"));
    let pages = [
        ("legacy", bytes(&format!("{meta}<a href='{}'><a href=x>", three.repeat(len)))),
        ("invalid", bytes(&format!("<a href='{}'><a href=x>", "\u{ff}".repeat(len)))),
        ("style", sheet(three.repeat(len))),
        ("srcset", bytes(&format!("<img srcset='{}'>", many(format!("{} 2x,", "\u{ff}".repeat(50)), len)))),
        ("stream", bytes(&format!("{meta}<a href='{}'><a href=x>", three.repeat(4 * len)))),
        ("links", bytes(&format!("{meta}{}", many(format!("<a href={0}>{0}</a>", three.repeat(40)), len)))),
        // The longest style sheet, with an escape, for which the tokenizer copies it.
        ("escape", sheet(format!("\\z{}", three.repeat((8 << 20) / 3 - 9)))),
    ];
    for (name, page) in pages {
        let root = folder(&format!("pages-{name}"));
        let count = if name == "escape" { 6 } else { 24 };
        for number in 0..count {
            fs::write(root.join(format!("{number}.html")), &page).unwrap();
        }
        // A URI longer than --max-uri is counted, but not printed.
        let least = if matches!(name, "links" | "srcset") { 500_000 } else { 50 };
        let args = ["--base=h:/", "--threads=32", "--format=jsonl", "--normalize=crawl", "--key=surt"];
        let (most, written) = peak(&[&args[..], &[path(&root)]].concat(), |_| ());
        assert!(written > count * least, "{name}: {written}");
        assert!(most < 64 << 10, "{name}: {most} KiB");
        fs::remove_dir_all(root).unwrap();
    }
}

/// Memory is bounded for 32,000 rejected links, each with a long reference, while nobody reads the output of links, and with 32
/// threads.
#[test]
fn memory_of_rejected_links_is_bounded() {
    let root = folder("rejected-memory");
    let unit = format!("<a href='//h:x/{}'>", "y".repeat(3_000));
    for number in 0..32 {
        fs::write(root.join(format!("{number}.html")), unit.repeat(1_000) + &page(number, 1_000)).unwrap();
    }
    let file = root.join("rejected.tsv");
    let (most, written) = peak(&["--base=http://h/", "--threads=32", "--rejected", path(&file), path(&root)], |_| ());
    assert!(written > 32 * 1_000 * 20, "{written}");
    assert!(fs::metadata(&file).unwrap().len() > 32 * 3_000_000);
    assert!(most < 64 << 10, "{most} KiB");
    // A long reference of which each byte takes more when it is quoted is written without a copy.
    let page = format!("<a href=\"//[{}\">", "\u{7f}".repeat(7 << 20));
    fs::remove_dir_all(&root).unwrap();
    fs::create_dir(&root).unwrap();
    let html = root.join("page.html");
    fs::write(&html, page).unwrap();
    for (format, bytes) in [("tsv", 3), ("jsonl", 6)] {
        let args = ["--base=http://h/", "--format", format, "--rejected", path(&file), path(&html)];
        let (most, _) = peak(&args, |_| ());
        assert!(fs::metadata(&file).unwrap().len() > bytes * (7 << 20), "{format}");
        assert!(most < 24 << 10, "{format}: {most} KiB");
    }
    fs::remove_dir_all(root).unwrap();
}

/// Memory is bounded for a list of 2.5 million lines, also a very long one, and for a link that is repeated without end.
#[test]
fn memory_of_lists_is_bounded() {
    let root = folder("seen-memory");
    let file = root.join("list");
    let mut list = std::io::BufWriter::new(fs::File::create(&file).unwrap());
    for number in 0..2_500_000 {
        writeln!(list, "http://h/{number}").unwrap();
    }
    for _ in 0..48 {
        list.write_all(&[b'x'; 1 << 20]).unwrap();
    }
    drop(list);
    let units: String = (0..50_000).map(|number| format!("<a href={}><a href=x>", number * 997)).collect();
    let page = move |stdin: &mut dyn Write| (0..16).for_each(|_| stdin.write_all(units.as_bytes()).unwrap());
    let args = ["--base=http://h/", "--format=text", "--threads=32", "--max-memory=8M", "--seen", path(&file), "-"];
    let (most, written) = peak(&args, page.clone());
    let x = "http://h/x\n".len() as u64 * 16 * 50_000;
    assert!(written > x && written < 2 * x + 16 * 50_000 * 20, "{written}");
    assert!(most < 48 << 10, "{most} KiB");
    let (most, written) = peak(&[&args[..], &["--unique=key", "--key=surt"]].concat(), page);
    assert!(written > 0 && most < 48 << 10, "{most} KiB");
}

/// Memory is bounded for long parts of mails, for parts in parts with long locations, and for a book whose pages inflate.
#[test]
fn memory_of_containers_is_bounded() {
    let head = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n";
    for (encoding, line) in [("base64", "PGEgaHJlZj14PiAg"), ("quoted-printable", "<a href=3Dx>=")] {
        let (most, written) = peak(&["--format=text", "-"], move |stdin| {
            write!(stdin, "{head}\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: {encoding}\n\n").unwrap();
            let lines = format!("{line}\n").repeat(1000);
            (0..1000).for_each(|_| stdin.write_all(lines.as_bytes()).unwrap());
            write!(stdin, "\n--b--\n").unwrap();
        });
        assert!(written > 0, "{encoding}");
        assert!(most < 20 << 10, "{encoding}: {most} KiB");
    }
    let long = "x/".repeat(15_000);
    let watched = watch(&["-"], move |stdin| {
        writeln!(stdin, "{head}Content-Location: http://h/{long}").unwrap();
        for at in 0..1_000 {
            write!(
                stdin,
                "\n--b{0}\nContent-Location: {long}\nContent-Type: multipart/mixed; boundary=b{1}\n",
                at % 40,
                at % 40 + 1
            )
            .unwrap();
        }
    });
    assert!(watched.peak < 32 << 10, "{} KiB", watched.peak);
    let root = folder("memory-book");
    let item = |at: usize| format!("<item href='{at}' media-type='text/html'/>");
    let package = format!("<manifest>{}</manifest>", (0..8000).map(item).collect::<String>());
    let mut entries = vec![
        zip_entry("META-INF/container.xml", b"<rootfile full-path='p.opf'/>"),
        zip_entry("p.opf", package.as_bytes()),
    ];
    for at in 0..8000 {
        let mut entry = zip_entry(&at.to_string(), &b"<a href=x>".repeat(if at < 2 { 3_000_000 } else { 1 }));
        entry.is_deflated = at < 2;
        entries.push(entry);
    }
    let file = root.join("a.epub");
    fs::write(&file, zip(&entries).0).unwrap();
    let (most, written) = peak(&["--format=text", "--base=h:/", path(&file)], |_| ());
    assert_eq!(written, (6_000_000 + 7998) * "h:/x\n".len() as u64);
    assert!(most < 48 << 10, "{most} KiB");
    fs::remove_dir_all(root).unwrap();
}
