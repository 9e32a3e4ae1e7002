//! `relref equal`: compares two URIs.

use std::io;

use relref::canon::{Comparison, Rung, compare, normalize_at};
use relref::whatwg::Url;
use relref::{RuleSet, Rules, Source, UriRef};
use serde_json::{Value, json};

use crate::args::Equal;
use crate::base::{note_missing_scheme, with_hint};
use crate::inspect::components;
use crate::output::{Output, shown};
use crate::quoting::write_shown;

pub fn run(args: &Equal, out: &mut Output) -> io::Result<()> {
    let given = [&*args.left, &*args.right];
    let uris = given.map(|uri| match args.no_fragment {
        true => UriRef::new(uri).without_fragment().into_inner(),
        false => uri.to_owned(),
    });
    let answer = match args.rules {
        RuleSet::Rules(rules) => {
            given.iter().for_each(|uri| note_missing_scheme(uri, out));
            by_document(&uris, rules)
        }
        RuleSet::Whatwg => by_browsers(&uris),
    };
    match answer {
        Ok(EqualAnswer { is_equal, text, object }) => {
            out.exits_with_1 |= !is_equal;
            if args.json {
                out.json(&object)?;
            } else {
                write_shown(out, &text)?;
            }
        }
        Err(Bad { index, why }) => {
            out.problem(shown(given[index]), &why);
            if !args.json {
                return Ok(());
            }
            out.json(&json!({ "uri": given[index], "error": why }))?;
        }
    }
    out.end_line()
}

struct EqualAnswer {
    is_equal: bool,
    text: String,
    object: Value,
}

/// The first of the two URIs that cannot be compared.
struct Bad {
    index: usize,
    why: String,
}

fn by_document([left, right]: &[String; 2], rules: Rules) -> Result<EqualAnswer, Bad> {
    let comparison = compare(left, right, rules).map_err(|error| {
        let index = usize::from(normalize_at(left, Rung::Encoding).is_ok());
        Bad { index, why: error.to_string() }
    })?;
    let (is_equal, text) = (comparison.is_equal(), comparison.to_string());
    let object = match comparison {
        Comparison::Equal { rung, sources, .. } => json!({ "equal": true, "rung": rung.name(), "sources": sources }),
        Comparison::Different { component, left, right, .. } => different(component, left.as_deref(), right.as_deref()),
    };
    Ok(EqualAnswer { is_equal, text, object })
}

fn by_browsers([left, right]: &[String; 2]) -> Result<EqualAnswer, Bad> {
    let read = |index, uri: &str| Url::parse(uri).map_err(|error| Bad { index, why: with_hint(error, uri) });
    let (left, right) = (read(0, left)?, read(1, right)?);
    let [both, other] = [&left, &right].map(|url| components(UriRef::new(url.as_str())));
    // The first component is the whole.
    let differs = both.into_iter().zip(other).skip(1).find(|((_, left), (_, right))| left != right);
    Ok(match differs {
        None => {
            let source = Source::Decision { reason: "browsers make the same URL of both (URL Standard §4.6)" };
            let object = json!({ "equal": true, "rung": "whatwg", "sources": [source] });
            EqualAnswer { is_equal: true, text: format!("same URL ({source})"), object }
        }
        Some(((component, left), (_, right))) => {
            let [one, other] = [left, right].map(|text| text.map_or(String::from("none"), shown));
            let text = format!("different {component}: {one} and {other}");
            EqualAnswer { is_equal: false, text, object: different(component, left, right) }
        }
    })
}

fn different(component: &str, left: Option<&str>, right: Option<&str>) -> Value {
    json!({ "equal": false, "component": component, "left": left, "right": right })
}
