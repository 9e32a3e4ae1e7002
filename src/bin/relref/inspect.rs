//! `relref inspect`: prints the components of each URI, the parts that its scheme defines, and warnings.

use std::io;

use relref::UriRef;
use relref::scheme::{PartValue, View, view};
use serde_json::{Map, Value, json};

use crate::args::Inspect;
use crate::lines::each_text;
use crate::output::{Output, shown};

/// Runs `relref inspect`. Problems of inputs are reported in `out`. A returned error is about the output.
pub fn run(args: &Inspect, out: &mut Output) -> io::Result<()> {
    let mut is_first = true;
    each_text(&args.uris, None, out, |uri, out| {
        let view = view(UriRef::new(uri));
        if args.json {
            return out.json(&view_object(&view)).map(Ok);
        }
        if !std::mem::take(&mut is_first) {
            out.end_line()?;
        }
        let lines = view_lines(&view);
        let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let lines: Vec<_> = lines.iter().map(|(name, value)| format!("{name:width$}  {}", shown(value))).collect();
        out.text.push_str(&lines.join("\n"));
        Ok(Ok(()))
    })
}

/// Returns the names and texts of a URI and its components. The text is `None` if the URI does not have the component.
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

/// Returns a name and a value for each line to print: for the URI, each component that it has, each part that the scheme defines,
/// and each warning. A part with a list of values has a line for each of them.
fn view_lines(view: &View<'_>) -> Vec<(&'static str, String)> {
    let components = components(view.uri()).into_iter().filter_map(|(name, value)| Some((name, value?.to_string())));
    let parts = view.parts().into_iter().flat_map(|part| match part.value {
        PartValue::One(value) => vec![(part.name, value)],
        PartValue::Number(number) => vec![(part.name, number.to_string())],
        PartValue::Flag => vec![(part.name, String::from("yes"))],
        PartValue::List(values) => values.into_iter().map(|value| (part.name, value)).collect(),
    });
    let warnings = view.warnings().map(|warning| ("beware", warning.to_string()));
    components.chain(parts).chain(warnings).collect()
}

/// Returns the JSON object for a URI, with its components, the parts that the scheme defines, and warnings.
fn view_object(view: &View<'_>) -> Value {
    let mut object = Map::new();
    for (name, value) in components(view.uri()) {
        object.insert(name.into(), json!(value));
    }
    let value = |value| match value {
        PartValue::One(value) => json!(value),
        PartValue::Number(number) => json!(number),
        PartValue::Flag => json!(true),
        PartValue::List(values) => json!(values),
    };
    let parts = view.parts().into_iter().map(|part| (part.name.to_string(), value(part.value)));
    object.insert("parts".into(), parts.collect());
    let warnings = view.warnings().map(|warning| {
        let range = [warning.range.start, warning.range.end];
        json!({ "what": warning.kind.to_string(), "range": range })
    });
    object.insert("warnings".into(), warnings.collect());
    Value::Object(object)
}
