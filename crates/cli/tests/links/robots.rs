//! `--robots`: links that `robots.txt` disallows.

use std::fs;
use std::path::Path;

use super::run::{links, path};
use crate::command::process::{folder, relref};

/// Runs `relref links` on a page. Returns the lines that are printed, with spaces between them, the messages, and the exit code.
fn run(args: &[&str], page: &str) -> (String, String, i32) {
    let output = relref(&[&["links", "--base=http://h/d/", "--format=text"], args, &["-"]].concat(), page.as_bytes());
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (stdout.replace('\n', " "), stderr, output.status.code().unwrap())
}

/// Returns a page with links that have these references.
fn page_of(references: &[&str]) -> String {
    references.iter().map(|reference| format!("<a href='{reference}'>")).collect()
}

fn option(file: &Path) -> String {
    format!("--robots={}", path(file))
}

const RULES: &str = "user-agent: *\ndisallow: /d/\nallow: /d/путь\n\nuser-agent: exampleBot\ndisallow: /*?\n";

#[test]
fn a_file_is_for_the_host_of_the_base() {
    let root = folder("robots-file");
    let file = root.join("robots.txt");
    fs::write(&file, RULES).unwrap();
    let rejected = root.join("rejected.tsv");
    let page = page_of(&[
        "x",
        "путь",
        "/",
        "/?",
        "//h:80/d/",
        "//h:81/d/",
        "https://h/d/",
        "//other/d/",
        "http://H./d/",
        "mailto:a",
        "../robots.txt",
    ]);
    let (lines, messages, code) = run(&[&option(&file), &format!("--rejected={}", path(&rejected))], &page);
    let printed = "http://h/d/%D0%BF%D1%83%D1%82%D1%8C http://h/ http://h/? http://h:81/d/ https://h/d/ http://other/d/ http://h/robots.txt ";
    assert_eq!((&*lines, code), (printed, 0));
    assert!(messages.trim_end().ends_with(" s; 3 links disallowed by robots.txt (--robots)"), "{messages}");
    let why = "robots: disallowed by robots.txt, line 2";
    let expected = ["x", "//h:80/d/", "http://H./d/"].map(|reference| format!("-\ta\thref\t{reference}\t{why}\n"));
    assert_eq!(fs::read_to_string(&rejected).unwrap(), expected.concat());
    let (lines, ..) = run(&[&option(&file), "--user-agent=ExampleBot/2"], &page);
    let all = "http://h/d/x http://h/d/%D0%BF%D1%83%D1%82%D1%8C http://h/ http://h/d/ http://h:81/d/ https://h/d/ http://other/d/ http://h./d/ \
               http://h/robots.txt ";
    assert_eq!(lines, all);
    // From standard input, and for the printed form of a URI.
    let page_file = root.join("page.html");
    fs::write(&page_file, page_of(&["a", "/D/a", "/d/../b"])).unwrap();
    let args = ["--base=http://h/d/", "--format=text", "--robots=-", path(&page_file)];
    assert_eq!(links(&args, RULES.as_bytes()).0, "http://h/D/a\nhttp://h/b\n");
    let (lower, _, _) = links(&[&args[..], &["--normalize=crawl", "--with=lower-path"]].concat(), RULES.as_bytes());
    assert_eq!(lower, "http://h/b\n");
}

#[test]
fn a_folder_has_a_file_for_each_host() {
    let root = folder("robots-folder");
    let write = |name: &str, text: &str| {
        let file = root.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    write("a/robots.txt", "user-agent: *\ndisallow: /1");
    write("a.txt", "user-agent: *\ndisallow: /2");
    write("b.txt", "user-agent: *\ndisallow: /2");
    write("a_81/robots.txt", "user-agent: *\ndisallow: /3");
    write("a+82.txt", "user-agent: *\ndisallow: /4");
    write("xn--e1afmkfd.xn--p1ai/robots.txt", "user-agent: *\ndisallow: /5");
    write("127.0.0.1.txt", "user-agent: *\ndisallow: /6");
    write("c", "no folder");
    write("robots.txt", "user-agent: *\ndisallow: /");
    let hosts = ["a", "A.", "b", "a:80", "a:81", "a:82", "пример.рф", "0x7f.1", "c", "d", "h", ".."];
    let mut expected = String::new();
    let disallowed = [1, 1, 2, 1, 3, 4, 5, 6];
    let mut references = Vec::new();
    for (at, host) in hosts.iter().enumerate() {
        for number in 1..=6 {
            references.push(format!("//{host}/{number}"));
            if disallowed.get(at) != Some(&number) && *host != ".." {
                let host =
                    ["a", "a.", "b", "a", "a:81", "a:82", "xn--e1afmkfd.xn--p1ai", "127.0.0.1", "c", "d", "h"][at];
                expected += &format!("http://{host}/{number} ");
            }
        }
    }
    let page = page_of(&references.iter().map(String::as_str).collect::<Vec<_>>());
    let (lines, messages, code) = run(&[&option(&root), "--threads=1"], &page);
    assert_eq!((&*lines, code), (&*expected, 0), "{messages}");
    assert!(messages.contains("; 8 links disallowed by robots.txt (--robots)"), "{messages}");
    // https has the same files. Files have none, and are not for pages of the web.
    let (lines, ..) = run(
        &[&option(&root)],
        &page_of(&["https://a/1", "https://a/2", "https://a:80/1", "ftp://b/2", "file:///2", "file://b/2"]),
    );
    assert_eq!(lines, "https://a/2 https://a:80/1 ");
    let of_files = ["links", "--base=file:///d", "--format=text", &option(&root), "-"];
    let output = relref(&of_files, page_of(&["//b/2", "/2"]).as_bytes());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "file://b/2\nfile:///2\n");
}

#[test]
fn files_that_cannot_be_read() {
    let root = folder("robots-wrong");
    fs::create_dir_all(root.join("a/robots.txt")).unwrap();
    fs::write(root.join("b.txt"), b"\x1f\x8b\x08\0").unwrap();
    let mut long = String::from("user-agent: *\ndisallow: /1\n");
    long.extend(std::iter::repeat_n("#\n", 256_000));
    fs::write(root.join("c.txt"), long + "disallow: /2\n").unwrap();
    let (lines, messages, code) =
        run(&[&option(&root)], &page_of(&["//a/1", "//a/2", "//b/1", "//c/1", "//c/2", "//d/1", "//a/3"]));
    assert_eq!((&*lines, code), ("http://c/2 http://d/1 ", 1));
    let name = |name: &str| root.join(name).display().to_string();
    let expected = format!(
        "relref: {}: not a regular file\nrelref: {}: it is compressed: robots.txt is uncompressed text\n\
         relref: {}: only the first 500 KiB of a robots.txt count\n",
        name("a/robots.txt"),
        name("b.txt"),
        name("c.txt")
    );
    assert!(messages.starts_with(&expected), "{messages}");
    assert!(messages.contains("; 5 links disallowed by robots.txt (--robots)"), "{messages}");
    for (args, start) in [
        (vec!["--robots=/no/such"], "relref: /no/such: No such file"),
        (vec![&*format!("--robots={}", name("b.txt"))], &*format!("relref: {}: it is compressed", name("b.txt"))),
        (
            vec![&*format!("--robots={}", name("c.txt")), "--base=mailto:a"],
            &*format!("relref: {}: --base has no host", name("c.txt")),
        ),
    ] {
        let base = if args.len() == 1 { "--base=http://h/" } else { args[1] };
        let (text, messages, code) = links(&[args[0], base, "--rules=rfc3986", "-"], b"<a href=x>");
        assert!(messages.starts_with(start) && text.is_empty() && code == 1, "{messages}");
    }
    for (args, why) in [
        (vec![&*format!("--robots={}", name("c.txt")), "-"], "--robots FILE needs --base"),
        (vec!["--robots=-", "--base=http://h/", "-"], "standard input can be read only once"),
    ] {
        let (text, messages, code) = links(&args, b"<a href=x>");
        assert!(messages.contains(why) && text.is_empty() && code == 2, "{messages}");
    }
    let file = name("c.txt");
    let (_, messages, code) =
        links(&["--base=http://h/", &format!("--robots={file}"), "--output", &file, "-"], b"<a href=x>");
    assert_eq!((messages, code), (format!("relref: output: {file}: it is also an input\n"), 1));
}
