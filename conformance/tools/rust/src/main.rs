//! Crates for HTML, with the URL parser of the crate url: reads a case a line from standard input, and prints its links.
//!
//! Neither crate has a function for links: the adapters are what their users write.

use std::cell::RefCell;
use std::io::{BufRead, stdin};
use std::{env, error, iter};

use data_encoding::BASE64;
use encoding_rs::{Encoding, UTF_8};
use lol_html::{AsciiCompatibleEncoding, HtmlRewriter, Settings, element};
use serde_json::{Value, json};
use url::Url;

/// A name, its attributes, and whether it is an element of HTML.
type Element = (String, Vec<(String, String)>, bool);

fn html5ever(page: &[u8]) -> Vec<Element> {
    let tree = scraper::Html::parse_document(&String::from_utf8_lossy(page));
    let elements = tree.root_element().descendants().filter_map(|node| node.value().as_element());
    elements
        .map(|element| {
            let attributes = element.attrs.iter().map(|(name, value)| {
                let prefix = if &*name.ns == "http://www.w3.org/1999/xlink" { "xlink:" } else { "" };
                (format!("{prefix}{}", name.local), value.to_string())
            });
            (element.name.local.to_string(), attributes.collect(), &*element.name.ns == "http://www.w3.org/1999/xhtml")
        })
        .collect()
}

fn lol_html(page: &[u8], charset: &'static Encoding) -> Result<Vec<Element>, Box<dyn error::Error>> {
    let elements = RefCell::new(Vec::new());
    let handler = element!("*", |element| {
        let attributes = element.attributes().iter().map(|attribute| (attribute.name(), attribute.value()));
        let is_html = element.namespace_uri() == "http://www.w3.org/1999/xhtml";
        elements.borrow_mut().push((element.tag_name(), attributes.collect(), is_html));
        Ok(())
    });
    let mut rewriter = HtmlRewriter::new(
        Settings {
            element_content_handlers: vec![handler],
            encoding: AsciiCompatibleEncoding::new(charset).ok_or("an encoding that is not ASCII-compatible")?,
            adjust_charset_on_meta_tag: true,
            ..Settings::new()
        },
        |_: &[u8]| {},
    );
    rewriter.write(page)?;
    rewriter.end()?;
    Ok(elements.into_inner())
}

fn links(elements: &[Element], url: &str, table: &Value) -> Result<Vec<[String; 3]>, Box<dyn error::Error>> {
    let page = Url::parse(url)?;
    let is_base = |(name, attributes, is_html): &&Element| {
        *is_html && name == "base" && attributes.iter().any(|(name, _)| name == "href")
    };
    let href = elements.iter().find(is_base).and_then(|(_, attributes, _)| {
        attributes.iter().find(|(name, _)| name == "href").map(|(_, value)| value.as_str())
    });
    let base = href.and_then(|href| page.join(href).ok()).unwrap_or(page);
    let mut links = Vec::new();
    for (name, attributes, is_html) in elements {
        for (attribute, value) in attributes {
            let sort = table[format!("{name} {attribute}")].as_str().unwrap_or_default();
            let in_place = *is_html != sort.contains("in SVG") || (name == "a" && attribute == "href");
            let is_link = sort.starts_with("URL") && in_place && (!value.is_empty() || sort.contains("also empty"));
            let is_image =
                || attributes.iter().any(|(name, value)| name == "type" && value.eq_ignore_ascii_case("image"));
            if !is_link || (name == "input" && attribute == "src" && !is_image()) {
                continue;
            }
            if let Ok(url) = base.join(value) {
                links.push([name.clone(), attribute.clone(), url.into()]);
            }
        }
    }
    Ok(links)
}

fn answer(tool: &str, table: &Value, case: &Value) -> Result<Vec<[String; 3]>, Box<dyn error::Error>> {
    let page = BASE64.decode(case["page"].as_str().ok_or("no page")?.as_bytes())?;
    let charset = case["charset"].as_str().and_then(|label| Encoding::for_label(label.as_bytes())).unwrap_or(UTF_8);
    let elements = if tool == "html5ever" { html5ever(&page) } else { lol_html(&page, charset)? };
    links(&elements, case["url"].as_str().ok_or("no URL")?, table)
}

fn main() -> Result<(), Box<dyn error::Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [tool, table] = &*arguments else { return Err("a tool and a table are needed".into()) };
    let table = serde_json::from_str(table)?;
    for line in stdin().lock().lines() {
        let case: Value = serde_json::from_str(&line?)?;
        let answer = match answer(tool, &table, &case) {
            Ok(links) => ("links", json!(links)),
            Err(error) => ("error", json!(error.to_string())),
        };
        let fields = iter::once(("id", case["id"].clone())).chain(iter::once(answer));
        println!("{}", Value::Object(fields.map(|(name, value)| (name.to_owned(), value)).collect()));
    }
    Ok(())
}
