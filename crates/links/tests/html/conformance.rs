//! The cases of `conformance/`: the links of each page are those that it says, in their order.

use std::collections::HashSet;
use std::path::Path;

use data_encoding::BASE64;
use relref::whatwg::Base;
use relref_links::html::{Options, Pages, charset};
use serde_json::Value;

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("no {field} in {value}"))
}

/// Returns the links in a field of a case.
fn expected(case: &Value, field: &str) -> Vec<[String; 3]> {
    let links = case[field].as_array().into_iter().flatten();
    links.map(|link| [0, 1, 2].map(|i| link[i].as_str().unwrap().to_owned())).collect()
}

/// Reports whether the table of attributes has one.
fn is_counted(attributes: &HashSet<(&str, &str)>, element: &str, attribute: &str) -> bool {
    attributes.contains(&(element, attribute)) || attributes.contains(&("*", attribute))
}

/// The cases in which relref finds more than XML has, or less. It is lenient, so that nothing is lost: elements without a namespace are those
/// of HTML and SVG, names of elements may have any case, and those of HTML are known in SVG, too. It reads no declarations of attributes.
const OTHERS: [&str; 14] = [
    "svg-a-upper",
    "svg-foreign-without",
    "svg-gradient-case",
    "svg-img",
    "svg-link",
    "svg-no-namespace",
    "svg-script-src",
    "svg-video",
    "xhtml-attribute-default",
    "xhtml-case-element",
    "xhtml-no-namespace",
    "xhtml-undeclared-default",
    "xhtml-xlink-html",
    "xhtml-entity-markup",
];

#[test]
fn every_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let table = std::fs::read_to_string(folder.join("attributes.tsv")).unwrap();
    let attributes: HashSet<(&str, &str)> = table
        .lines()
        .skip(1)
        .map(|row| row.split('\t').collect::<Vec<_>>())
        .map(|fields| (fields[0], fields[1]))
        .collect();
    let mut files: Vec<_> =
        std::fs::read_dir(folder.join("cases")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut ids, mut wrong) = (HashSet::new(), Vec::new());
    for file in files {
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let page = match case.get("base64") {
                Some(data) => BASE64.decode(data.as_str().unwrap().as_bytes()).unwrap(),
                None => text(&case, "page").as_bytes().to_vec(),
            };
            // HTTP's charset counts only if it is a label that is known.
            let encoding = case["charset"].as_str().and_then(|label| charset(label).ok());
            if let (Some(reading), Some(encoding)) = (case["text"].as_str(), encoding) {
                assert_eq!(encoding.decode(&page).0, reading);
            }
            let may = expected(&case, "may");
            let mut found = Vec::new();
            // A page of another type than HTML is XML.
            let options = Options { xml: !case["type"].is_null(), ..Options::default() };
            Pages::with(options).links(&page, encoding, &Base::new(text(&case, "url")).unwrap(), |link| {
                if link.rejected.is_none() && is_counted(&attributes, link.element, link.attribute) {
                    found.push([link.element, link.attribute, link.uri].map(str::to_owned));
                }
            });
            found.retain(|link| !may.contains(link));
            let links = expected(&case, "links");
            for [element, attribute, uri] in &links {
                assert!(is_counted(&attributes, element, attribute), "{element} {attribute}");
                assert!(uri.is_ascii(), "{uri}");
            }
            let id = text(&case, "id");
            let is_other = found != links;
            if is_other != OTHERS.contains(&id) {
                wrong.push(format!(
                    "{id}\n  page: {}\n  expected: {links:?}\n  found:    {found:?}",
                    String::from_utf8_lossy(&page)
                ));
            }
            assert!(id.starts_with(&format!("{}-", text(&case, "group"))), "{id}");
            assert!(ids.insert(id.to_owned()), "twice: {id}");
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), ids.len(), wrong.join("\n"));
    assert!(ids.len() >= 400);
}
