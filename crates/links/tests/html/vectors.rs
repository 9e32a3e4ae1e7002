//! Tests `srcset` and `meta http-equiv=refresh` in pages, with the values in tables.

use relref_links::html::links;

use super::markup::{base, escaped};

/// Returns the rows of a table, without its header, and with escapes like `\t` decoded.
fn rows(table: &str) -> impl Iterator<Item = [String; 3]> {
    table.lines().skip(1).map(|line| {
        let fields: Vec<String> = line.split('\t').map(unescape).collect();
        fields.try_into().unwrap_or_else(|_| panic!("not three fields: {line}"))
    })
}

fn unescape(field: &str) -> String {
    let mut out = field.replace("\\t", "\t").replace("\\n", "\n").replace("\\r", "\r").replace("\\\\", "\\");
    while let Some((before, (code, after))) = out.split_once("\\u{").map(|(a, b)| (a, b.split_once('}').unwrap())) {
        let c = char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap();
        out = format!("{before}{c}{after}");
    }
    out
}

#[test]
fn srcset_candidates() {
    let mut count = 0;
    for [value, urls, why] in rows(include_str!("../../../../tests/vectors/html/srcset.tsv")) {
        for (element, attribute) in [("img", "srcset"), ("link", "imagesrcset")] {
            let page = format!("<{element} {attribute}=\"{}\">", escaped(&value));
            let found = links(page, &base()).unwrap();
            let found: Vec<&str> = found.iter().map(|link| &*link.reference).collect();
            assert_eq!(found, urls.split(' ').filter(|url| !url.is_empty()).collect::<Vec<_>>(), "{value:?}: {why}");
        }
        count += 1;
    }
    assert_eq!(count, 78);
}

#[test]
fn refreshes() {
    let base = base();
    let mut count = 0;
    for [content, reference, why] in rows(include_str!("../../../../tests/vectors/html/refresh.tsv")) {
        let page = format!("<meta http-equiv=refresh content=\"{}\">", escaped(&content));
        let found = links(page, &base).unwrap();
        let found: Vec<_> = found.iter().map(|link| (&*link.reference, &*link.uri)).collect();
        let uri = base.resolve(&reference).to_string();
        let expected = if reference == "-" { Vec::new() } else { vec![(&*reference, &*uri)] };
        assert_eq!(found, expected, "{content:?}: {why}");
        count += 1;
    }
    assert_eq!(count, 45);
}
