//! `relref_links::check`, by the table of links and near misses in tests/vectors/check, and on sites made to be hard.

use std::fs::{self, create_dir_all, write};
use std::path::Path;
use std::time::{Duration, Instant};

use relref_links::check::{Options, Problem, ProblemKind, Site};
use relref_links::encoding_rs::{self, Encoding};
use relref_links::html::charset;

/// The page that has an element for each way in which a fragment may or may not be found.
const IDS: &str = r##"<!doctype html><meta charset=utf-8><title><p id=intitle></title>
<p id=x><p id=A><p id="%41"><p id="café"><p id=日本><p id=кот><a name=old>old</a><p name=notanchor>
<svg><g id=insvg></g></svg><math><mi id=in-math></mi></math><p ID=upper><p id="amp&amp;id"><p id='quot"id'>
<p id="nbsp&nbsp;id"><noscript><p id=innoscript></noscript><p id="sp ace"><p id="100%"><div><div><div><p id=deep></div></div></div>
<a id=12 href="#12">12</a><p id=1-2x-id><p id=unquoted class=y><a id=both name=other></a><p id="colon:id"><p id="dot.id">
<p id="slash/id"><p id="q?id"><table><tr><td id=in-cell></table><p id="😀">
<template><p id=intemplate></template><!-- <p id=incomment> --><script>"<p id=inscript>"</script>
<style>/*<p id=instyle>*/</style><textarea><p id=intextarea></textarea><p data-id=data-id>
<iframe srcdoc="<p id=insrcdoc>"></iframe><p title="<p id=inattr>"><img name=name-of-img><map name=name-of-map></map>"##;

fn encoded(text: &str, label: &str) -> Vec<u8> {
    match label {
        "utf-16le" => [&b"\xFF\xFE"[..], &text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()].concat(),
        "utf-16be" => [&b"\xFE\xFF"[..], &text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>()].concat(),
        label => {
            let (bytes, _, has_errors) = charset(label).unwrap().encode(text);
            assert!(!has_errors, "{label}: {text}");
            bytes.into_owned()
        }
    }
}

fn page_in(label: &str, body: &str) -> Vec<u8> {
    encoded(&format!("<meta charset={label}>{body}"), label)
}

fn make_site(root: &Path) {
    for folder in ["docs/b", "docs/empty", "docs/e"] {
        create_dir_all(root.join(folder)).unwrap();
    }
    let save = |path: &str, content: &[u8]| write(root.join(path), content).unwrap();
    save("index.html", b"<p id=home>");
    save("docs/ids.html", IDS.as_bytes());
    save("docs/b/index.html", b"<p id=in-b>");
    save("docs/empty/x.txt", b"");
    save("docs/e/default.htm", b"");
    save("docs/p.php?id=3", b"<p id=x>");
    for name in [
        "b/c.html",
        "with space.html",
        "percent%.html",
        "semi;colon.html",
        "plus+.html",
        "日本.html",
        "кот.html",
        "amp&.html",
        "hash#.html",
        "quest?.html",
        "a@b.html",
        "café.html",
        "UPPER.html",
        "noext",
        "www.real.html",
        "a.png",
        "x.txt",
        "a.pdf",
        "style.css",
    ] {
        save(&format!("docs/{name}"), b"<p>");
    }
    save("docs/a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><g id='g' /></svg>");
    save("docs/redirect.html", b"<meta http-equiv=refresh content='0;url=ids.html'>");
    save("docs/redirect2.html", b"<meta http-equiv=refresh content='0;url=redirect.html'>");
    save("docs/redirect-loop.html", b"<meta http-equiv=refresh content='0;url=redirect-loop2.html'>");
    save("docs/redirect-loop2.html", b"<meta http-equiv=refresh content='0;url=redirect-loop.html'>");
    for (name, label) in
        [("cp1251", "windows-1251"), ("koi8", "koi8-r"), ("utf16", "utf-16le"), ("utf16be", "utf-16be")]
    {
        save(&format!("docs/{name}.html"), &page_in(label, "<p id=кот>"));
    }
    for (name, label) in
        [("sjis", "shift_jis"), ("eucjp", "euc-jp"), ("iso2022jp", "iso-2022-jp"), ("gbk", "gbk"), ("big5", "big5")]
    {
        save(&format!("docs/{name}.html"), &page_in(label, "<a name=日本></a>"));
    }
    save("docs/euckr.html", &page_in("euc-kr", "<p id=한국>"));
    save("docs/latin1.html", &page_in("windows-1252", "<p id=café>"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink("no-such.html", root.join("docs/broken-symlink.html")).unwrap();
        symlink("ids.html", root.join("docs/link.html")).unwrap();
        create_dir_all(root.join("real")).unwrap();
        save("real/ids.html", b"<p id=x>");
        symlink("../real", root.join("docs/linked")).unwrap();
    }
}

/// `base=…`, `index=…`, `ext=…` and `no-fragments`, separated by spaces.
fn options(text: &str) -> Options {
    let mut options = Options { threads: 1, ..Options::default() };
    for option in text.split(' ').filter(|option| !option.is_empty()) {
        match option.split_once('=').unwrap_or((option, "")) {
            ("base", uri) => options.base = Some(uri.to_owned()),
            ("index", name) => {
                if options.index == ["index.html"] && !text.contains("index=index.html") {
                    options.index.clear();
                }
                options.index.push(name.to_owned());
            }
            ("ext", ending) => options.try_ext.push(ending.trim_start_matches('.').to_owned()),
            ("no-fragments", _) => options.fragments = false,
            _ => panic!("{option}"),
        }
    }
    options
}

fn problems(site: Site) -> Vec<Problem> {
    site.problems().map(|problem| problem.unwrap()).collect()
}

#[cfg(unix)]
#[test]
fn the_table_of_links() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    make_site(root);
    let table = include_str!("../../../tests/vectors/check/links.tsv");
    let mut failed = Vec::new();
    for (number, row) in table.lines().enumerate().skip(1) {
        let [wanted, label, page, content, expected] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let bytes = match label {
            "utf-8" => [b"<meta charset=utf-8>", content.as_bytes()].concat(),
            label => page_in(label, content),
        };
        // An XML file or a style sheet starts as it is.
        let bytes = if page.ends_with("html") { bytes } else { content.into() };
        write(root.join(page), bytes).unwrap();
        let site = Site::open(root, options(wanted)).unwrap().only([root.join(page)]).unwrap();
        let shown = |problem: &Problem| {
            let target = problem.target.as_ref().map(|target| target.strip_prefix(root).unwrap());
            let target = match target {
                _ if problem.kind == ProblemKind::NotALink => "-".to_owned(),
                Some(target) => {
                    use std::os::unix::ffi::OsStrExt;
                    let chunks = target.as_os_str().as_bytes().utf8_chunks();
                    let texts = chunks.map(|chunk| {
                        let invalid: String = chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")).collect();
                        chunk.valid().replace('\\', "\\\\").replace('\0', "\\0") + &invalid
                    });
                    texts.collect()
                }
                None => "-".to_owned(),
            };
            format!("{} {target}", problem.kind)
        };
        let found = problems(site);
        let found = found.iter().map(shown).collect::<Vec<_>>().join("; ");
        if found != expected.replace("b\\c", "b\\\\c") {
            failed.push(format!("row {}: {content}\n  expected {expected:?}\n  found    {found:?}", number + 1));
        }
        fs::remove_file(root.join(page)).unwrap();
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn site_of(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path);
        create_dir_all(path.parent().unwrap()).unwrap();
        write(path, content).unwrap();
    }
    folder
}

#[test]
fn problems_have_the_place_of_their_reference() {
    let text = "<p>日本 кот</p>\r\n<a href=\"  no.html  \">x</a><img srcset='a.png, no.png 2x'>";
    for label in ["utf-8", "utf-16le", "shift_jis"] {
        let page = encoded(text, label);
        let folder = site_of(&[("a.html", &page), ("a.png", b"")]);
        let site = Site::open(folder.path(), Options::default()).unwrap();
        let found = problems(site);
        let places: Vec<_> = found.iter().map(|problem| problem.place.unwrap()).collect();
        let at = |place: relref_links::html::Place| &page[place.start as usize..place.end as usize];
        if label == "utf-16le" {
            assert_eq!(at(places[0]), "no.html".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
        } else if label == "utf-8" {
            assert_eq!((at(places[0]), at(places[1])), (&b"no.html"[..], &b"no.png"[..]));
            assert_eq!((places[0].line, places[0].column, places[1].column), (2, 12, 48));
        }
    }
}

/// Nor with the name of one in an encoded slash.
#[test]
fn no_file_that_exists_is_missing() {
    let folder = site_of(&[("a.html", b"<a href=d/b.html/></a><a href=d%2Fb.html></a>"), ("d/b.html", b"")]);
    let site = Site::open(folder.path(), Options::default()).unwrap();
    let root = folder.path().to_str().unwrap();
    let targets: Vec<_> = problems(site).into_iter().map(|problem| problem.target.unwrap()).collect();
    let expected =
        ["d/b.html/", "d%2Fb.html"].map(|path| format!("{root}/{path}").replace('/', std::path::MAIN_SEPARATOR_STR));
    assert_eq!(targets.iter().map(|path| path.to_str().unwrap()).collect::<Vec<_>>(), expected);
}

#[test]
fn suggestions_name_files_and_fragments() {
    let folder = site_of(&[
        ("a.html", b"<a href=intro.htm></a><a href=x/guide.html></a><a href=man.txt></a><a href='#Instalation'></a><a href=zzz></a>"),
        ("intro.html", b""),
        ("docs/guide.html", b""),
        ("man.txt.gz", b""),
        ("b.html", b"<p id=installation><a href='#get-started'></a><h2 id=get_started>"),
        ("c.html", b"<a href=b.html#Installation></a>"),
    ]);
    let site = Site::open(folder.path(), Options::default()).unwrap();
    let found: Vec<_> = problems(site).into_iter().map(|problem| problem.suggestion.unwrap_or_default()).collect();
    assert_eq!(found, ["intro.html", "docs/guide.html", "man.txt.gz", "", "", "#get_started", "b.html#installation"]);
}

/// Links are known by their numbers when their page is read again.
#[test]
fn a_page_that_is_read_again_has_the_same_links() {
    for (path, page, expected) in [
        (
            "a.html",
            "<form method=post></form><form id=y><button formaction=b.html></form><a href=gone></a><a href=b.html></a><a href=#lost>",
            &["gone", "#lost"][..],
        ),
        ("a.md", "    [code](b.html)\n\n[gone](gone) [fine](b.html) [lost](#lost)", &["gone", "#lost"]),
        ("a.md", "+++\n[x](b.html)\n+++\n\n[gone](gone) [lost](#lost)", &["gone", "#lost"]),
        (
            "a.xhtml",
            "<html xmlns='http://www.w3.org/1999/xhtml'><a href='gone'/><p id='a' id='b'/><a href='#lost'/></html>",
            &["gone", "unread"],
        ),
    ] {
        let config = if page.starts_with(' ') { "docusaurus.config.js" } else { "config" };
        let site = Site::in_memory([(path, page), ("b.html", ""), (config, "")], Options::default()).unwrap();
        let found: Vec<_> =
            site.problems().map(|found| found.map_or("unread".into(), |problem| problem.reference)).collect();
        assert_eq!(found, expected, "{path}");
    }
}

/// Many pages of random links, whose problems are the same with any number of threads, and by a slow and simple check.
#[test]
fn threads_do_not_matter_and_a_simple_check_finds_the_same() {
    let mut seed = 7_u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    let mut files = Vec::new();
    for page in 0..300 {
        let mut text = String::new();
        for id in 0..random(6) {
            text += &format!("<p id=i{id}>");
        }
        let mut links = Vec::new();
        for _ in 0..random(40) {
            let (other, id) = (random(330), random(8));
            links.push((other, id));
            text += &format!("<a href='../{}/p{other}.html#i{id}'>x</a>", other % 7);
        }
        files.push((page, text, links));
    }
    let made: Vec<(String, &[u8])> =
        files.iter().map(|(page, text, _)| (format!("{}/p{page}.html", page % 7), text.as_bytes())).collect();
    let made: Vec<(&str, &[u8])> = made.iter().map(|(path, text)| (&**path, *text)).collect();
    let folder = site_of(&made);
    let run = |threads| {
        let site = Site::open(folder.path(), Options { threads, ..Options::default() }).unwrap();
        problems(site)
    };
    let found = run(1);
    for threads in [2, 5, 16] {
        assert!(run(threads) == found, "{threads}");
    }
    let mut expected = 0;
    for (_, _, links) in &files {
        for (other, id) in links {
            let has_id = files.get(*other as usize).is_some_and(|(_, text, _)| text.contains(&format!("<p id=i{id}>")));
            expected += usize::from(!has_id);
        }
    }
    assert_eq!(found.len(), expected);
    assert!(found.len() > 1000);
}

#[test]
fn a_page_of_very_many_ids_and_links() {
    let mut page = String::new();
    for number in 0..600_000 {
        page += &format!("<a id=i{number} href=#i{}></a>", number * 7 % 600_001);
    }
    let folder =
        site_of(&[("a.html", page.as_bytes()), ("b.html", b"<a href=a.html#i599999></a><a href=a.html#i600000></a>")]);
    let start = Instant::now();
    let found = problems(Site::open(folder.path(), Options::default()).unwrap());
    let fragments: Vec<_> = found.iter().map(|problem| problem.uri.as_deref().unwrap()).collect();
    assert_eq!(fragments, ["/a.html#i600000", "/a.html#i600000"]);
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_check_can_be_repeated_and_knows_the_structure() {
    use std::ops::ControlFlow;

    let folder = site_of(&[
        ("index.html", b"<a href=a/x.html#i></a><a href=a/x.html#no></a>"),
        ("a/x.html", b"<p id=i><a href=../b/y.html>"),
        ("a/z.html", b"<a href=z.html>"),
        ("b/y.html", b""),
    ]);
    let options = Options { structure: true, ..Options::default() };
    let site = Site::open(folder.path(), options)
        .unwrap()
        .only([folder.path().join("index.html"), folder.path().join("a/z.html")]);
    let site = site.unwrap();
    for _ in 0..2 {
        let totals = site.each_problem(|problem| {
            assert_eq!(problem.unwrap().reference, "a/x.html#no");
            ControlFlow::Continue(())
        });
        let totals = totals.unwrap();
        assert_eq!((totals.pages, totals.links, totals.internal, totals.problems), (2, 3, 3, 1));
        let structure = site.structure();
        let names: Vec<_> = structure.sections.iter().map(|section| (&*section.name, section.pages)).collect();
        assert_eq!((names, &structure.links[..]), (vec![("", 1), ("a", 1)], &[(0, 1, 2)][..]));
        assert_eq!((&structure.unlinked[..], structure.unlinked_count), (&[folder.path().join("a/z.html")][..], 1));
    }
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_followed_once() {
    use std::os::unix::fs::symlink;

    let folder = site_of(&[(
        "a/x.html",
        b"<a href=../b/x.html></a><a href=back/a/x.html></a><a href=out/y.html#i></a><a href=out/no></a>",
    )]);
    let outside = site_of(&[("y.html", b"<p id=i><a href=no>")]);
    symlink("a", folder.path().join("b")).unwrap();
    symlink("..", folder.path().join("a/back")).unwrap();
    symlink(outside.path(), folder.path().join("a/out")).unwrap();
    symlink(outside.path(), folder.path().join("a/out2")).unwrap();
    symlink("self", folder.path().join("self")).unwrap();
    let found = problems(Site::open(folder.path(), Options::default()).unwrap());
    let shown: Vec<_> = found
        .iter()
        .map(|problem| (problem.page.strip_prefix(folder.path()).unwrap().to_str().unwrap(), &*problem.reference))
        .collect();
    assert_eq!(shown, [("a/out/y.html", "no"), ("a/x.html", "out/no")]);
}

#[test]
fn what_cannot_be_read_is_told() {
    let long = ["<a href=\"", &"x".repeat(9 << 20), "\"><a href=no>"].concat();
    let folder = site_of(&[
        ("a.html", b"\x7fELF\0\0\0\0"),
        ("b.html", long.as_bytes()),
        ("c.html", b"<a href=no2><a href=a.html#x>"),
    ]);
    let found: Vec<_> = Site::open(folder.path(), Options::default()).unwrap().problems().collect();
    let shown = found.iter().map(|found| match found {
        Ok(problem) => problem.reference.clone(),
        Err(unread) => unread.why.clone(),
    });
    assert_eq!(
        shown.collect::<Vec<_>>(),
        ["binary data, not a page", "no", "links in a tag or a style sheet of more than 8 MiB", "no2"]
    );
    assert!(Site::open(folder.path().join("none"), Options::default()).is_err());
    assert!(Site::open(folder.path().join("a.html"), Options::default()).is_err());
    for base in ["", "a", "mailto:a@b", "http://", "data:,x"] {
        let site = Site::open(folder.path(), Options { base: Some(base.into()), ..Options::default() });
        assert_eq!(site.unwrap_err().kind(), std::io::ErrorKind::InvalidInput, "{base}");
    }
    let _: &Encoding = encoding_rs::UTF_8;
}

#[test]
fn more_problems_than_are_kept_have_their_places() {
    let lines = |page: usize| if page == 7 { 5000 } else { 600 };
    let pages: Vec<_> = (0..40).map(|page| (format!("{page:02}.html"), "<a href=no>\n".repeat(lines(page)))).collect();
    let files: Vec<_> = pages.iter().map(|(name, text)| (&**name, text.as_bytes())).collect();
    let folder = site_of(&files);
    let found = problems(Site::open(folder.path(), Options::default()).unwrap());
    let places = found.iter().map(|found| {
        let place = found.place.unwrap();
        (found.page.file_name().unwrap().to_str().unwrap(), place.line, place.column)
    });
    let expected = pages.iter().enumerate();
    let expected = expected.flat_map(|(page, (name, _))| (1..=lines(page) as u64).map(|line| (&**name, line, 9)));
    assert!(places.eq(expected));
}

#[test]
fn links_after_the_limit_of_their_page_are_counted() {
    let base = format!("http://other/{}/", "x".repeat(100_000));
    let count_and_why = |links: usize| {
        let page = format!("<base href={base}>{}", "<a href=a>".repeat(links));
        let limit = (1 << 20) + 256 * page.len();
        let folder = site_of(&[("a.html", page.as_bytes())]);
        let found: Vec<_> = Site::open(folder.path(), Options::default()).unwrap().problems().collect();
        let told: Vec<_> = found.into_iter().map(|found| found.unwrap_err().why).collect();
        (links - links.min(limit / (base.len() + 1)), told)
    };
    let (count, told) = count_and_why(300);
    assert!((1..64).contains(&count), "{count}");
    assert_eq!(told, [format!("{count} links are not checked: their URIs are too long")]);
    assert_eq!(count_and_why(200), (0, vec![]));
}

#[test]
fn problems_that_nobody_reads_end_the_check() {
    let page = "<a href=no>".repeat(100_000);
    let folder = site_of(&[("a.html", page.as_bytes()), ("b.html", page.as_bytes())]);
    let mut found = Site::open(folder.path(), Options::default()).unwrap().problems();
    assert!(found.next().is_some());
    drop(found);
}

/// A configuration counts as it is given, and none that stands in the current folder.
#[test]
fn files_in_memory_have_their_own_configuration() {
    let page = ("docs/a.md", "# A {#own}\n\n[own](#own)");
    let problems = |configuration: &str| {
        let site = Site::in_memory([page, ("mkdocs.yml", configuration)], Options::default()).unwrap();
        site.problems().count()
    };
    assert_eq!((problems("markdown_extensions: [attr_list]"), problems("site_name: x")), (0, 1));
}

#[test]
fn of_ids_that_are_as_similar_the_first_of_a_tag_is_suggested() {
    let page = "<a name=Foo-bar id=foo-bar>x</a><a href=#FOO-BAR>y</a>";
    let site = Site::in_memory([("a.html", page)], Options::default()).unwrap();
    let suggestions: Vec<_> = site.problems().map(|problem| problem.unwrap().suggestion).collect();
    assert_eq!(suggestions, [Some("#foo-bar".to_owned())]);
}
