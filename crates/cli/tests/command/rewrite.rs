//! `relref rewrite`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::archive::made::gzip;

use super::measure::watch_child;
use super::process::{expect, folder, relref};

/// Makes a small copy of the site `http://h/`, and returns its path.
fn site(name: &str) -> std::path::PathBuf {
    let site = folder(name).join("site");
    fs::create_dir_all(site.join("d")).unwrap();
    for (file, text) in [
        ("d/a.html", "<base href=/d/>\n<p><a href=x>\n<a href=http://h/d/a.html>\n<a href=\"/p.php?id=3\">"),
        ("p.php?id=3", "<a href=/d/a.html#f>"),
        ("s.css", "a{b:url(../i.png)}"),
        ("x.svg", "<svg xmlns='http://www.w3.org/2000/svg'><a xlink:href='/i.png'/></svg>"),
        ("i.png", "\u{89}PNG"),
        ("feed.xml", "<rss><channel><link>/x</link></channel></rss>"),
    ] {
        fs::write(site.join(file), text).unwrap();
    }
    fs::write(site.join("a.html.gz"), gzip(b"<a href=x>")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("d/a.html", site.join("link")).unwrap();
    site
}

fn text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

fn run(args: &[&str]) -> (String, String, i32) {
    let output = relref(&[&["rewrite"], args].concat(), b"");
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (stdout, stderr, output.status.code().unwrap())
}

/// In a terminal, and in the log of a build, both streams are one.
#[test]
fn totals_come_last() {
    let root = folder("totals-last");
    let (page, log) = (root.join("a.html"), root.join("log"));
    fs::write(&page, "<a href=x>\n".repeat(2_000)).unwrap();
    for args in [&["rewrite", "--diff", "--to=absolute", "--base=http://h/"][..], &["links", "--base=http://h/"]] {
        let file = fs::File::create(&log).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
        command.args(args).arg(&page).stdout(file.try_clone().unwrap()).stderr(file);
        assert!(command.status().unwrap().success());
        assert!(text(&log).lines().last().unwrap().starts_with("relref: 1 "), "{args:?}");
    }
}

#[test]
fn what_is_excluded_or_ignored_stays() {
    let root = folder("rewrite-excluded");
    for (file, text) in [
        (".git/HEAD", ""),
        (".gitignore", "/out/\n"),
        ("a.html", "<a href=x>"),
        ("out/b.html", "<a href=x>"),
        ("vendor/c/d.html", "<a href=x>"),
        ("vendor/own.html", "<a href=x>"),
    ] {
        fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
        fs::write(root.join(file), text).unwrap();
    }
    let path = root.to_str().unwrap();
    let to = ["--to=absolute", "--base=http://h/", path];
    let changed = |args: &[&str]| {
        let (stdout, stderr, code) = run(&[&["--dry-run"], args, &to].concat());
        assert_eq!(code, 0, "{stderr}");
        let page = |line: &str| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            line["page"].as_str().unwrap()[path.len() + 1..].to_owned()
        };
        stdout.lines().map(page).collect::<Vec<_>>()
    };
    assert_eq!(changed(&[]), ["a.html", "vendor/c/d.html", "vendor/own.html"]);
    assert_eq!(changed(&["--no-ignore"]), ["a.html", "out/b.html", "vendor/c/d.html", "vendor/own.html"]);
    assert_eq!(changed(&["--exclude", "vendor/*", "--exclude=!own.html"]), ["a.html", "vendor/own.html"]);

    let copy = folder("rewrite-excluded-copy");
    let (_, stderr, code) = run(&[&["--exclude=vendor/", "--output", copy.to_str().unwrap()][..], &to].concat());
    assert_eq!(
        (&*stderr, code),
        (
            "relref: 2 pages, 2 changed: 2 references rewritten, 0 right as they are, 2 other files, 2 files excluded\n",
            0
        )
    );
    assert_eq!(text(copy.join("vendor/c/d.html")), "<a href=x>");
    assert_eq!(text(copy.join("out/b.html")), "<a href=http://h/out/x>");
    let (_, stderr, code) = run(&[&["--exclude=a{b", "--dry-run"][..], &to].concat());
    assert!(stderr.starts_with("relref: --exclude: ") && code == 1, "{stderr}");
}

#[test]
fn edits_have_their_lines_and_columns() {
    let root = folder("rewrite-lines");
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for (file, bytes) in [
        ("a.html", "<p>\r\n<a title=é href=x>".into()),
        ("b.md", "# é\n\ntext [a](\\_b)\n".into()),
        ("c.css", "a{}\nb{c:url(d)}".into()),
        ("d.html", utf16("\u{feff}<p>\n<a href=\"é\">")),
        ("e.xml", "<urlset>\n<url><loc>/x</loc></url></urlset>".into()),
    ] {
        let bytes: Vec<u8> = bytes;
        fs::write(root.join(file), bytes).unwrap();
    }
    let (stdout, _, _) = run(&["--dry-run", "--to=absolute", "--base=http://h/", root.to_str().unwrap()]);
    let lines = stdout.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let places = lines.map(|line| [line["line"].as_u64(), line["column"].as_u64()]).collect::<Vec<_>>();
    let at = |line, column| [Some(line), Some(column)];
    assert_eq!(places, [at(2, 17), at(3, 10), at(2, 9), at(2, 10), [None, None]]);
}

#[test]
fn sitemaps_of_robots_txt_are_mapped() {
    let root = folder("rewrite-robots");
    fs::create_dir(root.join("d")).unwrap();
    let robots = "User-agent: *\r\nDisallow: /é # http://h/\r\nSITEMAP : http://h/s.xml # all\rSitemap:/t.xml\nSitemap: http://other/";
    for file in ["robots.txt", "d/robots.txt"] {
        fs::write(root.join(file), robots).unwrap();
    }
    let path = root.to_str().unwrap();
    for to in ["absolute", "relative"] {
        let to = ["--to", to, "--base=http://h/", "--map=http://h/=https://new/"];
        let copy = folder("rewrite-robots-copy");
        let (_, stderr, code) = run(&[&to[..], &["--output", copy.to_str().unwrap(), path]].concat());
        assert_eq!(code, 0, "{stderr}");
        let expected = robots.replace("http://h/s", "https://new/s").replace("/t.xml", "https://new/t.xml");
        assert_eq!(text(copy.join("robots.txt")), expected);
        // It is that of no site.
        assert_eq!(text(copy.join("d/robots.txt")), robots);
    }
    let (stdout, ..) = run(&["--dry-run", "--to=absolute", "--base=http://h/", "--map=http://h/=https://new/", path]);
    assert!(stdout.contains("robots.txt\",\"line\":3,\"column\":11,\"start\":52"), "{stdout}");
}

/// A message never stands in a line of the results.
/// Also in the page that comes after its style sheet, which is as it will be then.
#[test]
fn changed_sheets_have_no_integrity() {
    let pages = [
        ("a.html", "<link href=/n.css rel=stylesheet\n integrity=sha256-x>\n", "<link href=n.css rel=stylesheet>\n"),
        ("z.html", "<link integrity=sha256-x href=m.css?v=2#x />\n", "<link href=m.css?v=2#x />\n"),
        ("é.html", "<link href=o.css integrity='sha256-y'>\n", "<link href=o.css integrity='sha256-y'>\n"),
    ];
    let changed = ("a{b:url(/i.png)}\n", "a{b:url(i.png)}\n");
    let sheets = [("m.css", changed.0, changed.1), ("n.css", changed.0, changed.1), ("o.css", "a{b:c}\n", "a{b:c}\n")];
    let make = |name: &str| {
        let root = folder(name);
        pages.iter().chain(&sheets).for_each(|(file, old, _)| fs::write(root.join(file), old).unwrap());
        root
    };
    let relative = ["--to=relative", "--base=http://h/"];
    let root = make("integrity");
    let path = root.to_str().unwrap();
    let copy = folder("integrity-copy");
    let (_, stderr, _) = run(&[&relative[..], &["--output", copy.to_str().unwrap(), path]].concat());
    assert!(stderr.contains(", 2 integrity attributes of changed style sheets left out"), "{stderr}");
    let (diff, ..) = run(&[&relative[..], &["--diff", path]].concat());
    run(&[&relative[..], &["--in-place", path]].concat());
    for (file, _, new) in pages.iter().chain(&sheets) {
        assert_eq!([text(root.join(file)), text(copy.join(file))], [*new; 2]);
        assert!(diff.contains(&format!("+{}", new.lines().next().unwrap())) || file.starts_with(['é', 'o']), "{diff}");
    }
    // The neighbours of what is left out stay apart; and a sheet that git ignores is not rewritten.
    let root = folder("integrity-neighbours");
    // What git ignores is only looked for in a repository, as which this does.
    fs::create_dir(root.join(".git")).unwrap();
    fs::create_dir(root.join("v")).unwrap();
    for (file, text) in [("m.css", changed.0), ("v/m.css", changed.0), (".gitignore", "v/")] {
        fs::write(root.join(file), text).unwrap();
    }
    let page = "<link href=m.css integrity=\"x\"/><link href=m.css integrity='x'rel=y><link href=v/m.css integrity=x>\
        <link href=m.css integrity=x INTEGRITY='>' rel=z><link integrity=\"a'\" integrity href=m.css>";
    fs::write(root.join("a.html"), page).unwrap();
    run(&[&relative[..], &["--in-place", root.to_str().unwrap()]].concat());
    // Of several, the first counts.
    let expected = "<link href=m.css /><link href=m.css rel=y><link href=v/m.css integrity=x>\
        <link href=m.css integrity=\"\" INTEGRITY='>' rel=z><link integrity=\"\" integrity href=m.css>";
    assert_eq!(text(root.join("a.html")), expected);
    // An old host is that of the site, too.
    fs::write(root.join("a.html"), "<link href=http://old/m.css integrity=x>").unwrap();
    fs::write(root.join("m.css"), changed.0).unwrap();
    let args = ["--map", "http://old/=http://h/", "--in-place", root.to_str().unwrap()];
    run(&[&relative[..], &args].concat());
    assert_eq!(text(root.join("a.html")), "<link href=m.css>");
    // A sheet that stays still matches its attribute.
    let root = make("integrity-excluded");
    for args in [["--exclude=*.css", root.to_str().unwrap()], ["-q", root.join("a.html").to_str().unwrap()]] {
        let (diff, ..) = run(&[&relative[..], &["--diff"], &args].concat());
        assert!(!diff.contains("- integrity") && !diff.contains("-<link integrity"), "{diff}");
    }
}

#[test]
fn messages_have_lines_of_their_own() {
    let root = folder("messages-of-rewrite");
    let log = root.join("log");
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    command.args(["rewrite", "--quiet", "--diff", "--to=absolute", "--base=http://h/"]);
    for number in 0..400 {
        let page = root.join(format!("{number}.html"));
        fs::write(&page, format!("<a href=x{number}>{}", "y".repeat(1000))).unwrap();
        command.arg(page).arg(root.join("missing"));
    }
    let file = fs::File::create(&log).unwrap();
    command.stdout(file.try_clone().unwrap()).stderr(file);
    assert_eq!(command.status().unwrap().code(), Some(1));
    let messages: Vec<_> = text(&log).lines().filter_map(|line| line.find("relref: ")).collect();
    assert_eq!(messages, [0; 400]);
}

#[test]
fn one_page_goes_to_standard_output() {
    let totals = "relref: 1 page, 1 changed: 1 reference rewritten, 0 right as they are, 1 left (no-host)\n";
    let args = &["rewrite", "--to", "absolute", "--base", "http://h/a/b", "-"];
    expect(args, b"<a href=x>\xFF<a href=mailto:x@y>", "<a href=http://h/a/x>\u{fffd}<a href=mailto:x@y>", totals, 0);
    let args =
        &["rewrite", "--quiet", "--to", "relative", "--map", "http://h/=http://n/", "--base", "http://h/a/b", "-"];
    expect(args, b"<a href=http://h/a/x>", "<a href=x>", "", 0);
    let args = &["rewrite", "--quiet", "--to", "root", "--rules", "rfc3986", "--base", "http://h/a/b", "-"];
    expect(args, "<a href='é x#f'>".as_bytes(), "<a href='/a/é x#f'>", "", 0);
    let args = &["rewrite", "--quiet", "--to", "absolute", "--base", "http://h/a/b.css", "-"];
    expect(args, b"@import 'x'", "@import 'http://h/a/x'", "", 0);
    let args = &["rewrite", "--quiet", "--lazy", "--keep-fragments", "--to", "absolute", "--base", "http://h/", "-"];
    expect(args, b"<img data-src=x><a href=#f>", "<img data-src=http://h/x><a href=#f>", "", 0);
    let args = &["rewrite", "--quiet", "--normalize", "crawl", "--to", "absolute", "--base", "http://h/", "-"];
    expect(args, b"<a href='http://h/?utm_source=x&b&a#top'>", "<a href='http://h/?a&b'>", "", 0);
}

#[test]
fn wrong_usage_is_told() {
    let site = site("rewrite-usage");
    let site = site.to_str().unwrap();
    for args in [
        &["--to", "absolute", "-"] as &[_],
        &["--base", "http://h/", "-"],
        &["--to", "short", "--base", "http://h/", "-"],
        &["--to", "absolute", "--base", "http://h/", site],
        &["--to", "absolute", "--base", "http://h/", "--in-place", "-"],
        &["--to", "absolute", "--base", "http://h/", "--in-place", "--output", "x", site],
        &["--to", "absolute", "--base", "http://h/", "--map", "http://a/=http://b/", "--map", "http://b=http://c", "-"],
        &["--to", "absolute", "--base", "http://h/", "--map", "a", "-"],
        &["--mirror", "--base", "http://h/", "-"],
    ] {
        let (stdout, _, code) = run(args);
        assert_eq!((&*stdout, code), ("", 2), "{args:?}");
    }
    let (_, stderr, code) = run(&["--to", "absolute", "--base", "h", "-"]);
    assert!(stderr.starts_with("relref: --base h: missing-scheme"), "{stderr}");
    assert_eq!(code, 1);
    let inner = format!("{site}/d/new");
    let (_, stderr, code) = run(&["--to", "absolute", "--base", "http://h/", "--output", &inner, site]);
    assert!(stderr.contains("it is in the folder that is read"), "{stderr}");
    assert_eq!((code, Path::new(&inner).exists()), (1, false));
    let (_, stderr, code) = run(&["--to", "absolute", "--base", "http://h/", "--in-place", "none.html"]);
    assert!(stderr.starts_with("relref: none.html: "), "{stderr}");
    assert_eq!(code, 1);
}

#[test]
fn names_of_maps_stay() {
    let root = folder("rewrite-usemap");
    let page = root.join("a.html");
    fs::write(&page, "<base href=/d/><img usemap=#m src=i.png><map name=m>").unwrap();
    let (new, _, _) = run(&["--to=absolute", "--base=http://h/a.html", page.to_str().unwrap()]);
    assert_eq!(new, "<base href=/d/><img usemap=#m src=http://h/d/i.png><map name=m>");
}

#[test]
fn mapped_references_keep_their_form() {
    let root = folder("rewrite-as-written");
    let page = root.join("a.html");
    let old = "<a href=x><a href=/docs/y><a href=docs/z><a href=http://old.example/q#f><a href='HTTP://OLD.example'><a href=//old.example/r>";
    fs::write(&page, old).unwrap();
    let site = root.to_str().unwrap();
    let (_, totals, code) = run(&["--map", "http://old.example/=https://new.example/", "--in-place", site]);
    assert_eq!(code, 0, "{totals}");
    let new = "<a href=x><a href=/docs/y><a href=docs/z><a href=https://new.example/q#f><a href='https://new.example/'><a href=https://new.example/r>";
    assert_eq!(text(&page), new);

    fs::write(&page, "<img src=//old.example/i.png>").unwrap();
    for map in ["http://old.example=http://new.example", "http://new.example=http://last.example/shop"] {
        run(&["--map", map, "--in-place", site]);
    }
    assert_eq!(text(&page), "<img src=//last.example/shop/i.png>");
    fs::write(&page, new).unwrap();
    let map = ["--base", "http://h/", "--map", "http://h/docs/=http://h/guide/"];
    run(&[&map[..], &["--in-place", site]].concat());
    assert_eq!(text(&page), new.replace("docs/", "guide/"));
    let (_, why, code) = run(&["--to=relative", page.to_str().unwrap()]);
    assert!(code == 2 && why.contains("pages need --base URI"), "{why}");
}

#[test]
fn a_folder_is_copied() {
    let site = site("rewrite-copy");
    let new = site.parent().unwrap().join("new");
    let (stdout, stderr, code) =
        run(&["--to", "absolute", "--base", "http://h", "--output", new.to_str().unwrap(), site.to_str().unwrap()]);
    let totals = "relref: 5 pages, 5 changed: 6 references rewritten, 1 right as it is, 1 other file, 1 compressed file not rewritten\n";
    assert_eq!((&*stdout, &*stderr, code), ("", totals, 0));
    let page =
        "<base href=/d/>\n<p><a href=http://h/d/x>\n<a href=http://h/d/a.html>\n<a href=\"http://h/p.php?id=3\">";
    assert_eq!(text(new.join("d/a.html")), page);
    assert_eq!(text(new.join("s.css")), "a{b:url(http://h/i.png)}");
    assert_eq!(text(new.join("p.php?id=3")), "<a href=http://h/d/a.html#f>");
    assert_eq!(text(new.join("i.png")), text(site.join("i.png")));
    assert_eq!(text(new.join("feed.xml")), "<rss><channel><link>http://h/x</link></channel></rss>");
    assert_eq!(fs::read(new.join("a.html.gz")).unwrap(), gzip(b"<a href=x>"));
    #[cfg(unix)]
    assert_eq!(fs::read_link(new.join("link")).unwrap(), Path::new("d/a.html"));
}

/// Nor one of two of the same name is lost.
#[test]
fn no_source_is_overwritten() {
    let site = site("rewrite-sources");
    let folder = site.parent().unwrap();
    fs::create_dir_all(site.join("site/d")).unwrap();
    fs::write(site.join("site/d/a.html"), "<a href=/inner>").unwrap();
    let (parent, site_name) = (folder.to_str().unwrap(), site.to_str().unwrap());
    let dots = format!("{site_name}/none/../new");
    let new_inside = folder.join("other/../site/e/new");
    fs::create_dir(folder.join("other")).unwrap();
    let rewrite = |output: &str, paths: &[&str]| {
        run(&[&["--to", "absolute", "--base", "http://h/", "--output", output], paths].concat())
    };
    for (output, why) in [
        (parent, "the folder that is read is in it"),
        (&dots, "its path cannot be followed"),
        (new_inside.to_str().unwrap(), "it is in the folder that is read"),
    ] {
        let (_, stderr, code) = rewrite(output, &[site_name]);
        assert!(code == 1 && stderr.contains(why), "{output}: {stderr}");
    }
    assert!(
        text(site.join("d/a.html")).contains("<a href=x>") && !site.join("e").exists() && !site.join("new").exists()
    );
    let (one, other) = (site.join("d/a.html"), site.join("site/d/a.html"));
    let copy = folder.join("copy");
    let (_, stderr, code) = rewrite(copy.to_str().unwrap(), &[one.to_str().unwrap(), other.to_str().unwrap()]);
    assert!(code == 1 && stderr.contains("another file was written to") && text(copy.join("a.html")).contains("base"));
}

/// A path that was a symbolic link in an earlier copy, and is none any more, leads to no other file.
#[cfg(unix)]
#[test]
fn a_second_copy_follows_no_symbolic_links_of_the_first() {
    use std::os::unix::fs::symlink;

    let root = folder("rewrite-second-copy");
    let (site, copy) = (root.join("site"), root.join("copy"));
    for folder in [&site.join("v1"), &site.join("v0"), &copy] {
        fs::create_dir_all(folder).unwrap();
    }
    fs::write(root.join("victim.html"), "victim").unwrap();
    fs::write(site.join("v1/a.html"), "<a href=1>").unwrap();
    symlink("../victim.html", site.join("l.html")).unwrap();
    symlink("v1", site.join("latest")).unwrap();
    let args = [
        "--to",
        "absolute",
        "--quiet",
        "--base",
        "http://h/",
        "--output",
        copy.to_str().unwrap(),
        site.to_str().unwrap(),
    ];
    assert_eq!(run(&args), (String::new(), String::new(), 0));
    assert!(copy.join("latest").is_symlink() && copy.join("l.html").is_symlink());
    for link in ["l.html", "latest"] {
        fs::remove_file(site.join(link)).unwrap();
    }
    fs::write(site.join("l.html"), "<a href=l>").unwrap();
    fs::create_dir(site.join("latest")).unwrap();
    fs::write(site.join("latest/a.html"), "<a href=latest>").unwrap();
    assert_eq!(run(&args), (String::new(), String::new(), 0));
    assert_eq!(text(root.join("victim.html")), "victim");
    assert_eq!(text(copy.join("l.html")), "<a href=http://h/l>");
    assert_eq!(text(copy.join("latest/a.html")), "<a href=http://h/latest/latest>");
    assert_eq!(text(copy.join("v1/a.html")), "<a href=http://h/v1/1>");
    assert!(!copy.join("latest").is_symlink() && !copy.join("l.html").is_symlink());
}

#[test]
fn a_copy_works_where_it_is() {
    let site = site("rewrite-mirror");
    let new = site.parent().unwrap().join("new");
    let args =
        ["--mirror", "--quiet", "--base", "http://h/", "--output", new.to_str().unwrap(), site.to_str().unwrap()];
    assert_eq!(run(&args), (String::new(), String::new(), 0));
    let page = "<base href=\"\">\n<p><a href=http://h/d/x>\n<a href=\"\">\n<a href=\"../p.php%3Fid=3\">";
    assert_eq!(text(new.join("d/a.html")), page);
    assert_eq!(text(new.join("s.css")), "a{b:url(i.png)}");
    assert_eq!(text(new.join("p.php?id=3")), "<a href=d/a.html#f>");
    // Once more changes nothing.
    let args = ["--mirror", "--quiet", "--base", "http://h/", "--dry-run", new.to_str().unwrap()];
    assert_eq!(run(&args), (String::new(), String::new(), 0));
}

#[cfg(unix)]
/// On another level, each name would be a host.
#[test]
fn hosts_have_folders() {
    let root = folder("rewrite-hosts");
    fs::create_dir_all(root.join("h+81/d")).unwrap();
    fs::write(root.join("h+81/d/a.html"), "<a href=/d/>").unwrap();
    let path = root.join("h+81");
    let args =
        |path: &Path| ["--mirror", "-q", "--base=http://h:81/", "--dry-run", path.to_str().unwrap()].map(str::to_owned);
    let run_with = |path: &Path, more: &[&str]| {
        let args = args(path);
        run(&args.iter().map(String::as_str).chain(more.iter().copied()).collect::<Vec<_>>())
    };
    let (stdout, stderr, code) = run_with(&path, &["--hosts"]);
    assert!(stdout.is_empty() && stderr.contains("has no folder h: give the folder above it") && code == 1, "{stderr}");
    assert_eq!(run_with(&root, &["--hosts"]).1, "");
    assert!(run_with(&root, &[]).1.contains("if it has one for each host, add --hosts"));
    assert_eq!(run_with(&path, &[]).1, "");
}

#[test]
fn files_are_replaced_if_they_change() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    let site = site("rewrite-in-place");
    let page = site.join("d/a.html");
    fs::set_permissions(&page, fs::Permissions::from_mode(0o640)).unwrap();
    let inode = |name: &str| fs::metadata(site.join(name)).unwrap().ino();
    let before = ["d/a.html", "s.css", "i.png"].map(inode);
    let args = ["--to", "root", "--quiet", "--base", "http://h/", "--in-place", site.to_str().unwrap()];
    assert_eq!(run(&args), (String::new(), String::new(), 0));
    assert_eq!(text(&page), "<base href=/d/>\n<p><a href=/d/x>\n<a href=/d/a.html>\n<a href=\"/p.php?id=3\">");
    assert_eq!(fs::metadata(&page).unwrap().permissions().mode() & 0o777, 0o640);
    let after = ["d/a.html", "s.css", "i.png"].map(inode);
    assert!(before[0] != after[0] && before[1] != after[1] && before[2] == after[2]);
    assert_eq!(run(&args), (String::new(), String::new(), 0));
    assert_eq!(["d/a.html", "s.css", "i.png"].map(inode), after);
    assert!(fs::symlink_metadata(site.join("link")).unwrap().is_symlink());
    // A given symbolic link is followed, and stays.
    let link = site.join("link");
    let args = ["--to", "absolute", "--quiet", "--base", "http://h/d/a.html", "--in-place", link.to_str().unwrap()];
    assert_eq!(run(&args), (String::new(), String::new(), 0));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink() && text(&page).contains("http://h/d/x"));
    assert_eq!(fs::read_dir(&site).unwrap().count(), 8);
}

/// Killed at any moment, each file is the old or the new one, and the next run removes what is left.
#[test]
fn a_killed_run_leaves_whole_files() {
    let site = folder("rewrite-killed").join("site");
    let [old, new]: [fn(usize) -> String; 2] = [
        |file| "<p>текст <a href=http://h/x>日本</a>\n".repeat(1 + 200 * file),
        |file| "<p>текст <a href=/x>日本</a>\n".repeat(1 + 200 * file),
    ];
    let name = |file: usize| site.join(format!("{}/{file}.html", file % 3));
    let write_old = || {
        for file in 0..30 {
            fs::create_dir_all(name(file).parent().unwrap()).unwrap();
            fs::write(name(file), old(file)).unwrap();
        }
    };
    let args = ["rewrite", "--to", "root", "--base", "http://h/", "--in-place", site.to_str().unwrap()];
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
        command.args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    write_old();
    let begun = Instant::now();
    assert!(start().wait().unwrap().success());
    let whole_time = begun.elapsed();
    let mut interrupted = 0;
    for moment in 0..40 {
        write_old();
        let mut child = start();
        std::thread::sleep(whole_time * moment / 40);
        child.kill().unwrap();
        child.wait().unwrap();
        let is_new: Vec<bool> = (0..30)
            .map(|file| {
                let found = text(name(file));
                assert!(found == old(file) || found == new(file), "{file} after {moment}: {} bytes", found.len());
                found == new(file)
            })
            .collect();
        interrupted += usize::from(is_new.contains(&true) && is_new.contains(&false));
        let names = (0..3).flat_map(|folder| fs::read_dir(site.join(folder.to_string())).unwrap());
        for entry in names {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(name.ends_with(".html") || (name.starts_with(".relref-") && name.ends_with(".tmp")), "{name}");
        }
    }
    assert!(interrupted > 3, "{interrupted}");
    // At least one, whenever the kills came.
    fs::write(site.join("1/.relref-Ab3dEf_h.tmp"), "<p>te").unwrap();
    let (_, stderr, code) = run(&args[1..]);
    assert!(stderr.contains(" of a killed run removed"), "{stderr}");
    assert_eq!(code, 0);
    assert!((0..30).all(|file| text(name(file)) == new(file)));
    assert_eq!((0..3).map(|folder| fs::read_dir(site.join(folder.to_string())).unwrap().count()).sum::<usize>(), 30);
}

#[test]
fn edits_are_shown() {
    let site = site("rewrite-dry-run");
    let page = site.join("d/a.html");
    let page = page.to_str().unwrap();
    let (stdout, _, code) = run(&["--to", "absolute", "--base", "http://h/d/a.html", "--dry-run", page]);
    let lines: Vec<serde_json::Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), code), (2, 0));
    let expected = serde_json::json!({ "page": page, "line": 2, "column": 12, "start": 27, "end": 28, "old": "x", "new": "http://h/d/x" });
    assert_eq!(lines[0], expected);
    let (stdout, _, code) = run(&["--to", "absolute", "--base", "http://h/d/a.html", "--diff", page]);
    let changes: Vec<_> = stdout.lines().filter(|line| line.starts_with(['-', '+'])).collect();
    let expected = [
        &format!("--- a{page}"),
        &format!("+++ b{page}"),
        "-<p><a href=x>",
        "+<p><a href=http://h/d/x>",
        "-<a href=\"/p.php?id=3\">",
        "+<a href=\"http://h/p.php?id=3\">",
    ];
    assert_eq!((&changes[..], code), (&expected[..], 0));
    assert!(text(page).contains("href=x>"));
}

/// Also with lines that end by CR LF or not at all, references of several lines, any encoding and any name.
#[test]
fn diffs_apply() {
    let root = folder("rewrite-diff");
    let many: String =
        (0..200).map(|n| if n % 7 < 2 { format!("<a href={n}>\r\n") } else { "text\n".into() }).collect();
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let pages: [(&str, Vec<u8>); 5] = [
        ("a.html", [many.as_bytes(), b"\xE9<a href=z>"].concat()),
        ("b \"é c\\.html", b"\n\n<a href=x>\n".repeat(4)),
        (
            "utf-16.html",
            utf16(&["\u{FEFF}", &"<p>\n".repeat(9), "<a href=x\u{A0A}>\n", &"<p>\n".repeat(20), "<a href=y>"].concat()),
        ),
        ("s/lines.html", b"<a href='a\nb'>x\n<p>\n<a href=c>".to_vec()),
        ("none.html", b"<p>".to_vec()),
    ];
    fs::create_dir(root.join("s")).unwrap();
    for (name, page) in pages {
        fs::write(root.join(name), &page).unwrap();
        let rewrite = |options: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
            command.args(["rewrite", "--quiet", "--to=absolute", "--base=http://h/é"]).args(options).arg(name);
            command.current_dir(&root).output().unwrap().stdout
        };
        let new = rewrite(&[]);
        fs::write(root.join("diff"), rewrite(&["--diff"])).unwrap();
        let applied = Command::new("git").args(["apply", "--allow-empty", "diff"]).current_dir(&root).status().unwrap();
        assert!(applied.success() && fs::read(root.join(name)).unwrap() == new, "{name}");
    }
}

/// A long base, and references that are short before it is written into them.
#[test]
fn long_bases_take_little_memory() {
    let root = folder("rewrite-memory");
    let base = format!("<base href=\"http://h/{}/\">", "a".repeat(60_000));
    for (name, text, count) in [
        ("links.html", "<a href=x>", 6000),
        ("style.html", "<style>a{b:url(x)}</style>", 6000),
        ("list.html", "<img srcset='x 1x, y 2x'>", 3000),
        ("feed.xml", "<link>x</link>", 3000),
        ("page.xml", "&lt;a href=x&gt;", 3000),
    ] {
        let content = match name {
            "feed.xml" | "page.xml" => {
                let base = format!("http://h/{}/", "a".repeat(60_000));
                let (start, end) =
                    if name == "feed.xml" { ("", "") } else { ("<item><description>", "</description></item>") };
                format!("<rss><channel xml:base=\"{base}\">{start}{}{end}</channel></rss>", text.repeat(count))
            }
            _ => base.clone() + &text.repeat(count),
        };
        let page = root.join(name);
        fs::write(&page, content).unwrap();
        for form in ["--lazy", "--diff", "--dry-run"] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
            command.args(["rewrite", "--quiet", form, "--to=absolute", "--base=http://h/"]).arg(&page);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let watched = watch_child(command.spawn().unwrap(), |_| {});
            assert_eq!(watched.code, Some(0), "{name}, {form}");
            assert!(watched.peak < 64 << 10, "{name}, {form}: {} KiB", watched.peak);
        }
    }
}

/// As in memory, the page is read first for its base.
#[test]
fn a_long_page_is_read_in_parts() {
    let page = folder("rewrite-long").join("long.html");
    let links = "<p>text <a href=x>more</a>\n".repeat(400_000);
    fs::write(&page, format!("{links}<base href=/b/>")).unwrap();
    let output =
        relref(&["rewrite", "--quiet", "--to", "absolute", "--base", "http://h/", page.to_str().unwrap()], b"");
    let expected = format!("{}<base href=/b/>", links.replace("href=x", "href=http://h/b/x"));
    assert!(output.stdout == expected.as_bytes() && output.status.success());
}
