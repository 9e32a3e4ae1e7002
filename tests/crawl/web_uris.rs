//! Random URIs that have what a normalizer changes.

use quickcheck::{Arbitrary, Gen};

/// A random text, most often the URI of a page, that has many things which a normalizer changes.
#[derive(Clone, Debug)]
pub struct WebUri(pub String);

/// Returns a random one of these texts.
fn pick<'a>(g: &mut Gen, from: &[&'a str]) -> &'a str {
    g.choose(from).unwrap()
}

/// Appends up to `most` random texts of `from` to `out`.
fn several(g: &mut Gen, most: usize, from: &[&str], out: &mut String) {
    for _ in 0..usize::arbitrary(g) % (most + 1) {
        out.push_str(pick(g, from));
    }
}

impl Arbitrary for WebUri {
    fn arbitrary(g: &mut Gen) -> Self {
        let schemes = [
            "http:", "http:", "https:", "HTTP:", "ftp:", "ws:", "wss:", "file:", "gopher:", "mailto:", "x-y:", "",
            "%61:",
        ];
        let hosts = [
            "www.",
            "WWW.",
            "%77ww.",
            "example",
            "Ex%41mple",
            ".com",
            ".",
            "ü",
            "%C3%BC",
            "%c3%9c",
            "%FC",
            "%21",
            "!",
            "xn--a",
            "ß",
            "。",
            "\u{ad}",
            "１",
            "℀",
            "localhost",
            "[::1]",
            "127.0.0.1",
            "0x7f",
            ".1",
            ".0X1.",
            "256",
            "[0:0::1]",
            "[::FFFF:1.2.3.4]",
            "\"",
            " ",
            "a",
            "%2F",
            "ｗ",
            "www",
            "{ü",
        ];
        let ports = ["", "", "", ":", ":80", ":443", ":%38%30", ":8080", ":080", ":80:80"];
        let segments = [
            "/",
            "/",
            "/",
            "//",
            "a",
            ".",
            "..",
            "%2e",
            "%2E%2e",
            ".%2E",
            ";jsessionid=1",
            ";sid",
            ";x",
            ";",
            "%3Bsid=1",
            "index.html",
            "INDEX.%70hp",
            "/index.html",
            "http:",
            "http://",
            "HTTP%3A//",
            "x-1:",
            "é",
            "%C3",
            "%2F",
            " ",
            "%7E",
            "~",
            ":",
            "=",
            "\"",
            "/..;sid=1",
            "/.;a;sid",
            "/../",
            "/./",
        ];
        let params = [
            "&",
            "&",
            "&",
            "&&",
            "=",
            "a",
            "b",
            "a=1",
            "a=",
            "b=2",
            "utm_source=x",
            "utm%5Fa",
            "UTM_b=",
            "fbclid",
            "fb%63lid=1",
            "sid=1",
            "PHPSESSID=2",
            "%26",
            "%3D",
            ";",
            "+",
            "%20",
            "é",
            "%E9",
            "?",
            "/",
            "%75tm_c",
            "~",
            "%",
            "[]",
        ];
        let mut out = String::new();
        out.push_str(pick(g, &schemes));
        if u8::arbitrary(g) % 8 > 0 {
            out.push_str("//");
            out.push_str(pick(g, &["", "", "", "u@", "u:p@", "@", "u@v@", "%40@", "www.@", ":@", "%3A@"]));
            several(g, 4, &hosts, &mut out);
            out.push_str(pick(g, &ports));
        }
        if u8::arbitrary(g) % 8 > 0 {
            out.push_str(pick(g, &["/", "/", "/", "//", "", "/web/2020/http://h/", "/./", "/.."]));
            several(g, 6, &segments, &mut out);
        }
        if u8::arbitrary(g) % 3 > 0 {
            out.push('?');
            // A lone `%` is an error, which is not to happen to most.
            let known = if u8::arbitrary(g) % 16 == 0 { params.len() } else { params.len() - 5 };
            if bool::arbitrary(g) {
                several(g, 12, &params[..known], &mut out);
            } else {
                let list: Vec<&str> = (0..usize::arbitrary(g) % 8).map(|_| pick(g, &params[4..known])).collect();
                out.push_str(&list.join("&"));
            }
        }
        if u8::arbitrary(g) % 4 == 0 {
            out.push_str(pick(g, &["#", "#x", "#/../a", "#a?b&a", "#%7e"]));
        }
        if u8::arbitrary(g) % 8 == 0 {
            for _ in 0..3 {
                let places: Vec<usize> = out.char_indices().map(|(at, _)| at).chain([out.len()]).collect();
                out.insert_str(
                    *g.choose(&places).unwrap(),
                    pick(g, &["%", "%4", "%%34", "%31", "%%41", "%4%31", "%zz", "%B"]),
                );
            }
        }
        WebUri(out)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let text = self.0.clone();
        let less = text.char_indices().map(|(at, c)| format!("{}{}", &text[..at], &text[at + c.len_utf8()..]));
        Box::new(less.map(WebUri).collect::<Vec<_>>().into_iter())
    }
}
