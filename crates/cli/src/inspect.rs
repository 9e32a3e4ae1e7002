//! `relref inspect`: prints the components of each URI, the parts that its scheme defines, and warnings.

use std::io::{self, Write};

use relref::UriRef;
use relref::scheme::{Part, PartValue, View, view};
use serde::Serializer;
use serde::ser::SerializeMap;
use serde_json::{Map, Value, json};

use crate::args::Inspect;
use crate::lines::each_text;
use crate::output::Output;
use crate::quoting::{json_writer, write_shown};

/// Per URI. The others are counted.
const MAX_WARNINGS: usize = 1000;

pub fn run(args: &Inspect, out: &mut Output) -> io::Result<()> {
    let mut is_first = true;
    each_text(&args.uris, None, out, |uri, out| {
        let view = view(uri);
        if args.json {
            return write_object(&view, out).map(Ok);
        }
        if !std::mem::take(&mut is_first) {
            out.end_line()?;
        }
        write_lines(&view, out).map(Ok)
    })
}

pub fn components(uri: UriRef<&str>) -> [(&'static str, Option<&str>); 6] {
    [
        ("uri", Some(uri.as_str())),
        ("scheme", uri.scheme()),
        ("authority", uri.authority()),
        ("path", Some(uri.path())),
        ("query", uri.query()),
        ("fragment", uri.fragment()),
    ]
}

/// Writes names and values, without the last line end. A list has a line for each of its values.
fn write_lines(view: &View<'_>, out: &mut Output) -> io::Result<()> {
    let parts = view.parts();
    let warnings = view.warnings();
    let components = components(view.uri()).into_iter().filter_map(|(name, value)| Some((name, value?)));
    let names = components.clone().map(|(name, _)| name).chain(parts.iter().map(|part| part.name));
    let width = names.chain(warnings.first().map(|_| BEWARE)).map(str::len).max().unwrap_or(0);
    let mut is_first = true;
    let mut line = |name: &str, value: &str| {
        let end = if std::mem::take(&mut is_first) { "" } else { "\n" };
        write!(out, "{end}{name:width$}  ")?;
        write_shown(out, value)
    };
    for (name, value) in components {
        line(name, value)?;
    }
    for Part { name, value, .. } in parts {
        match value {
            PartValue::One(value) => line(name, &value)?,
            PartValue::Number(number) => line(name, &number.to_string())?,
            PartValue::Flag => line(name, "yes")?,
            PartValue::List { values, left_out } => {
                values.iter().try_for_each(|value| line(name, value))?;
                if left_out > 0 {
                    line(name, &and_more(left_out))?;
                }
            }
        }
    }
    for warning in warnings.iter().take(MAX_WARNINGS) {
        line(BEWARE, &warning.to_string())?;
    }
    match warnings.len().saturating_sub(MAX_WARNINGS) {
        0 => Ok(()),
        left_out => line(BEWARE, &and_more(left_out)),
    }
}

const BEWARE: &str = "beware";

fn and_more(left_out: usize) -> String {
    format!("and {left_out} more")
}

/// Writes a URI with its parts and warnings as a JSON object, without a line end. The field `left_out` has the numbers of values
/// and warnings that are left out, if there are any.
fn write_object(view: &View<'_>, out: &mut Output) -> io::Result<()> {
    let mut json = json_writer(out);
    let mut object = json.serialize_map(None)?;
    for (name, value) in components(view.uri()) {
        object.serialize_entry(name, &value)?;
    }
    let mut left_out = Map::new();
    let mut value = |name: &str, value| match value {
        PartValue::One(value) => Value::String(value),
        PartValue::Number(number) => json!(number),
        PartValue::Flag => json!(true),
        PartValue::List { values, left_out: count } => {
            if count > 0 {
                left_out.insert(name.into(), count.into());
            }
            json!(values)
        }
    };
    let parts: Map<_, _> =
        view.parts().into_iter().map(|part| (part.name.into(), value(part.name, part.value))).collect();
    object.serialize_entry("parts", &parts)?;
    let warnings = view.warnings();
    let listed = warnings.iter().take(MAX_WARNINGS).map(|warning| {
        let range = [warning.range.start, warning.range.end];
        json!({ "what": warning.kind.to_string(), "range": range })
    });
    object.serialize_entry("warnings", &listed.collect::<Value>())?;
    match warnings.len().saturating_sub(MAX_WARNINGS) {
        0 => {}
        count => drop(left_out.insert("warnings".into(), count.into())),
    }
    if !left_out.is_empty() {
        object.serialize_entry("left_out", &left_out)?;
    }
    Ok(SerializeMap::end(object)?)
}
