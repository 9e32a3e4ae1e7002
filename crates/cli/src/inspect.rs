//! `relref inspect`: prints the components of each URI, the parts that its scheme defines, and warnings.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use relref::UriRef;
use relref::percent;
use relref::scheme::{Authority, Part, PartValue, View, view};
use relref::whatwg::{self, Inspection, Url};
use serde::Serializer;
use serde::ser::SerializeMap;
use serde_json::{Map, Value, json};

use crate::args::{Inspect, Reading};
use crate::base::{missing_scheme, with_hint};
use crate::iri::to_iri;
use crate::lines::{ErrorObject, each_text};
use crate::output::Output;
use crate::quoting::{json_writer, write_shown};

/// Per URI. The others are counted.
const MAX_WARNINGS: usize = 1000;

pub fn run(args: &Inspect, out: &mut Output) -> io::Result<()> {
    let mut is_first = true;
    let object: ErrorObject = |uri, why| json!({ "uri": uri, "error": why });
    each_text(&args.uris, args.json.then_some(object), out, |input, out| {
        let found = match args.rules {
            Reading::Rfc3986 => None,
            Reading::Whatwg => Some(whatwg::inspect(input, None)),
        };
        let uri = match found.as_ref().map(|found| &found.url) {
            None => input,
            Some(Ok(url)) => url.as_str(),
            Some(Err(error)) => return Ok(Err(with_hint(error, input))),
        };
        let view = view(uri);
        let inspected = Inspected { input, found: &found, view, warnings: warnings(&view) };
        if args.json {
            return inspected.write_object(out).map(Ok);
        }
        if !std::mem::take(&mut is_first) {
            out.end_line()?;
        }
        inspected.write_lines(out).map(Ok)
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

struct Warning {
    what: String,
    range: Range<usize>,
}

/// Returns at most [`MAX_WARNINGS`] warnings of the view, then those about what people and browsers may read otherwise, and the number
/// of those that are left out.
fn warnings(view: &View<'_>) -> (Vec<Warning>, usize) {
    let by_scheme = view.warnings();
    let left_out = by_scheme.len().saturating_sub(MAX_WARNINGS);
    let by_scheme = by_scheme.into_iter().take(MAX_WARNINGS);
    let by_scheme = by_scheme.map(|warning| Warning { what: warning.kind.to_string(), range: warning.range });
    let uri = view.uri();
    let others = missing_scheme_warning(uri.as_str()).into_iter().chain(browsers_warning(uri.as_str()));
    (by_scheme.chain(others).collect(), left_out)
}

fn missing_scheme_warning(uri: &str) -> Option<Warning> {
    let meant = missing_scheme(uri)?;
    let (read, end) = match UriRef::new(uri).scheme() {
        None => ("no scheme, so this is a relative reference", 0),
        Some(scheme) => ("a host that is read as a scheme", scheme.len()),
    };
    Some(Warning { what: format!("{read} (did you mean {meant}?)"), range: 0..end })
}

/// Tells if browsers find another host in a URI of a special scheme, or none at all.
fn browsers_warning(uri: &str) -> Option<Warning> {
    let split = UriRef::new(uri);
    let special = ["http", "https", "ws", "wss", "ftp", "file"];
    let scheme = split.scheme().filter(|scheme| special.iter().any(|special| scheme.eq_ignore_ascii_case(special)))?;
    let url = match Url::parse(uri) {
        Ok(url) => url,
        Err(error) => {
            let what = format!("browsers refuse it ({}: {})", error.kind().name(), error.kind().description());
            return Some(Warning { what, range: error.position()..error.position() });
        }
    };
    let authority = split.authority();
    let written = authority.map_or("", |authority| Authority::new(authority, None).host);
    let host = url.host().filter(|host| !host.is_empty() && !is_same_name(written, host))?;
    let start = authority.map_or(scheme.len() + 1, |authority| authority.as_ptr().addr() - uri.as_ptr().addr());
    let range = start..start + authority.map_or(0, str::len);
    Some(Warning { what: format!("browsers find another host: {host}"), range })
}

/// Reports whether a host differs from that of browsers only by case, escapes, A-labels, and the zeros of an IPv6 address.
fn is_same_name(written: &str, host: &str) -> bool {
    let decoded = percent::decode_lossy(written).to_lowercase();
    decoded == host || host.starts_with('[') || decoded == idna::domain_to_unicode(host).0
}

struct Inspected<'a> {
    input: &'a str,
    /// The URL that browsers find in the input, by `--rules whatwg`.
    found: &'a Option<Inspection>,
    view: View<'a>,
    /// The listed ones, and the number of the others.
    warnings: (Vec<Warning>, usize),
}

impl Inspected<'_> {
    /// Returns the IRI of the URI if that is another text.
    fn iri(&self) -> Option<String> {
        let uri = self.view.uri();
        Some(to_iri(uri.as_str()).into_owned()).filter(|iri| iri != uri.as_str())
    }

    /// Writes names and values, without the last line end. A list has a line for each of its values.
    fn write_lines(&self, out: &mut Output) -> io::Result<()> {
        let mut lines: Vec<(&str, Cow<'_, str>)> = Vec::new();
        if let Some(found) = self.found {
            lines.push(("input", self.input.into()));
            lines.extend(found.errors.iter().map(|error| ("error", error.to_string().into())));
            lines.extend(and_more("error", found.left_out.errors));
        }
        let uri = self.view.uri();
        lines.extend(components(uri).into_iter().filter_map(|(name, value)| Some((name, value?.into()))));
        lines.extend(self.iri().map(|iri| ("iri", iri.into())));
        for Part { name, value, .. } in self.view.parts() {
            match value {
                PartValue::One(value) => lines.push((name, value.into())),
                PartValue::Number(number) => lines.push((name, number.to_string().into())),
                PartValue::Flag => lines.push((name, "yes".into())),
                PartValue::List { values, left_out } => {
                    lines.extend(values.into_iter().map(|value| (name, value.into())));
                    lines.extend(and_more(name, left_out));
                }
            }
        }
        let (warnings, left_out) = &self.warnings;
        lines.extend(warnings.iter().map(|Warning { what, range }| match range.len() {
            0 => ("beware", format!("{what} at byte {}", range.start).into()),
            _ => ("beware", format!("{what} at bytes {}..{}", range.start, range.end).into()),
        }));
        lines.extend(and_more("beware", *left_out));
        let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (number, (name, value)) in lines.iter().enumerate() {
            let end = if number == 0 { "" } else { "\n" };
            write!(out, "{end}{name:width$}  ")?;
            write_shown(out, value)?;
        }
        Ok(())
    }

    /// Writes a JSON object, without a line end. The field `left_out` has the numbers of values, warnings and errors that are left out,
    /// if there are any.
    fn write_object(&self, out: &mut Output) -> io::Result<()> {
        let mut json = json_writer(out);
        let mut object = json.serialize_map(None)?;
        let mut left_out = Map::new();
        if let Some(found) = self.found {
            object.serialize_entry("input", self.input)?;
            let errors =
                found.errors.iter().map(|error| json!({ "error": error.to_string(), "position": error.position() }));
            object.serialize_entry("errors", &errors.collect::<Value>())?;
            if found.left_out.errors > 0 {
                left_out.insert("errors".into(), found.left_out.errors.into());
            }
        }
        for (name, value) in components(self.view.uri()) {
            object.serialize_entry(name, &value)?;
        }
        if let Some(iri) = self.iri() {
            object.serialize_entry("iri", &iri)?;
        }
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
            self.view.parts().into_iter().map(|part| (part.name.into(), value(part.name, part.value))).collect();
        object.serialize_entry("parts", &parts)?;
        let (warnings, more) = &self.warnings;
        let warnings =
            warnings.iter().map(|Warning { what, range }| json!({ "what": what, "range": [range.start, range.end] }));
        object.serialize_entry("warnings", &warnings.collect::<Value>())?;
        if *more > 0 {
            left_out.insert("warnings".into(), (*more).into());
        }
        if !left_out.is_empty() {
            object.serialize_entry("left_out", &left_out)?;
        }
        Ok(SerializeMap::end(object)?)
    }
}

fn and_more(name: &str, left_out: usize) -> Option<(&str, Cow<'static, str>)> {
    (left_out > 0).then(|| (name, format!("and {left_out} more").into()))
}
