//! `unwrap`.

use std::fs;

use super::process::{expect, folder, relref};

#[test]
fn unwraps() {
    let text = b"<URL:http://a/b\n c> \xff <a@b> <x:y\xfe> \xc3\xa9 <c:d-\n e>";
    expect(&["unwrap"], text, "0\thttp://a/bc\n38\tc:d-e\n38\tc:de\n", "", 0);
    let json = "{\"file\":\"-\",\"offset\":1,\"uri\":\"a:\\u009b\"}\n";
    expect(&["unwrap", "--json"], " <a:\u{9b}>".as_bytes(), json, "", 0);
    let folder = folder("unwrap");
    fs::write(folder.join("a"), "<a:b>").unwrap();
    let file = folder.join("a");
    let file = file.to_str().unwrap();
    expect(&["unwrap", file, "-"], b" <c:d>", &format!("{file}\t0\ta:b\n-\t1\tc:d\n"), "", 0);
    let name = folder.join("a%0Ab\nc\u{9b}");
    fs::write(&name, "<a:b\u{9b}\u{202e}>").unwrap();
    let names = [file, name.to_str().unwrap()];
    let stdout = format!("{file}\t0\ta:b\n{}/a%250Ab%0Ac%C2%9B\t0\ta:b%C2%9B%E2%80%AE\n", folder.to_str().unwrap());
    expect(&["unwrap", names[0], names[1]], b"", &stdout, "", 0);
    let output = relref(&["unwrap", "no-such-file", file], b"");
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{file}\t0\ta:b\n"));
    assert!(output.stderr.starts_with(b"relref: no-such-file: "));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn unwraps_links_of_redirectors() {
    let google = "https://www.google.com/url?q=https%3A%2F%2Fexample.com%2F";
    let facebook = "https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.com%2Fa%3Fb%26c&h=x";
    expect(&["unwrap", google, facebook], b"", "https://example.com/\nhttps://example.com/a?b&c\n", "", 0);
    let object = format!("{{\"link\":\"{google}\",\"uri\":\"https://example.com/\"}}\n");
    expect(&["unwrap", "--json", google], b"", &object, "", 0);
    let why = "not a link of a known redirector, or without a URL in it; nothing is fetched";
    let bad = "https://www.google.com/url?q=javascript:alert(1)";
    let stderr = format!("relref: http://h/?url=http://i/: {why}\nrelref: {bad}: {why}\n");
    expect(&["unwrap", "http://h/?url=http://i/", bad, google], b"", "https://example.com/\n", &stderr, 1);
}
