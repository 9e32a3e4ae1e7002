//! `relref normalize`: prints the normal form or the sort key of each URI.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use relref::crawl::{Change, Effect, Normalizer};
use relref::scheme::Authority;
use relref::{Source, UriRef, whatwg};
use serde::Serialize;
use serde_json::json;

use crate::args::{Normalize, Preset, Reading};
use crate::base::{note_missing_scheme, with_hint};
use crate::iri::to_iri;
use crate::lines::{ErrorObject, each_text};
use crate::output::{Output, quoted, shown};
use crate::quoting::percent;

pub fn run(args: &Normalize, out: &mut Output) -> io::Result<()> {
    let normalizer = args.changes.apply(normalizer(args.preset));
    let object: ErrorObject = |uri, why| json!({ "uri": uri, "error": why });
    // As for commands that read files.
    let uris = if args.uris == ["-"] { &[] } else { &*args.uris };
    match uris {
        [uri] if !uri.contains(':') && Path::new(uri).is_file() => {
            let uri = shown(uri);
            out.note(format_args!("{uri} is also a file: to read the lines in it, add `<` before its name"));
        }
        _ if matches!(args.rules, Reading::Rfc3986) => uris.iter().for_each(|uri| note_missing_scheme(uri, out)),
        _ => {}
    }
    let is_for_people = matches!(args.rules, Reading::Rfc3986) && !args.iri && io::stderr().is_terminal();
    let mut tells_idna = is_for_people && !args.changes.without.contains(&Change::Idna);
    each_text(uris, args.json.then_some(object), out, |uri, out| {
        let normalized = match Normalized::new(uri, &normalizer, args) {
            Ok(normalized) => normalized,
            Err(why) => return Ok(Err(why)),
        };
        let host = if tells_idna && !uri.is_ascii() { a_labels(&normalized, &normalizer) } else { None };
        if let Some(host) = host {
            tells_idna = false;
            let host = shown(&host);
            out.note(format_args!("the host has escapes, by RFC 3986; --with idna writes {host}, as browsers do"));
        }
        if args.json {
            return out.json(&normalized).map(Ok);
        }
        for Explained { change, before, after, sources } in normalized.changes.iter().flatten() {
            let (before, after, sources) = (quoted(before), quoted(after), listed(sources));
            writeln!(out, "  {change}: {before} becomes {after} ({sources})")?;
        }
        let result = normalized.iri.or(normalized.normal).or(normalized.key).unwrap_or_default();
        percent(out, &result).map(Ok)
    })
}

pub fn normalizer(preset: Preset) -> Normalizer {
    match preset {
        Preset::Safe => Normalizer::safe(),
        Preset::Crawl => Normalizer::crawl(),
        Preset::None => Change::ALL.iter().fold(Normalizer::safe(), |normalizer, change| normalizer.without(*change)),
    }
}

/// Returns the host that the change `idna` would write, if the normal form has escapes instead.
fn a_labels(normalized: &Normalized<'_>, normalizer: &Normalizer) -> Option<String> {
    let host = |uri: &str| UriRef::new(uri).authority().map(|text| Authority::new(text, None).host.to_owned());
    let written = host(normalized.normal.as_deref()?).filter(|host| host.contains('%'))?;
    let with_idna = normalizer.clone().with(Change::Idna).normalize(normalized.uri).ok()?;
    host(&with_idna).filter(|host| *host != written)
}

/// The result for one URI, which is also the JSON object that is printed.
#[derive(Serialize)]
struct Normalized<'u> {
    uri: &'u str,
    #[serde(skip_serializing_if = "Option::is_none")]
    normal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// The changes that had an effect on the normal form, also with a key, in their order. `None` without `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<Explained>>,
}

#[derive(Serialize)]
struct Explained {
    /// `whatwg` for the parser of `--rules whatwg`.
    change: &'static str,
    before: String,
    after: String,
    sources: Vec<Source>,
}

impl<'u> Normalized<'u> {
    fn new(uri: &'u str, normalizer: &Normalizer, args: &Normalize) -> Result<Self, String> {
        let read = match args.rules {
            Reading::Rfc3986 => Cow::Borrowed(uri),
            Reading::Whatwg => {
                Cow::Owned(whatwg::Url::parse(uri).map_err(|error| with_hint(error, uri))?.into_string())
            }
        };
        let make = || {
            let changes = if args.explain { Some(effects_on(uri, &read, normalizer)?) } else { None };
            let mut text = String::new();
            let (normal, key) = match args.key {
                Some(key) => {
                    key.kind().append(normalizer, &read, &mut text)?;
                    (None, Some(text))
                }
                None => {
                    normalizer.normalize_into(&read, &mut text)?;
                    (Some(text), None)
                }
            };
            let iri = normal.as_deref().filter(|_| args.iri).map(|normal| to_iri(normal).into_owned());
            Ok(Normalized { uri, normal, iri, key, changes })
        };
        make().map_err(|error: relref::Error| error.to_string())
    }
}

/// `read` is `uri` after the parser of `--rules whatwg`, if that is asked for.
fn effects_on(uri: &str, read: &str, normalizer: &Normalizer) -> Result<Vec<Explained>, relref::Error> {
    let (before, after) = (String::from(uri), String::from(read));
    let sources =
        vec![Source::Decision { reason: "--rules whatwg: the URL is parsed as browsers do (URL Standard §4.4)" }];
    let parsing = (read != uri).then_some(Explained { change: "whatwg", before, after, sources });
    let effects = normalizer.explain(read)?.into_iter().map(|effect| {
        let sources = effect.sources();
        let Effect { change, before, after, .. } = effect;
        Explained { change: change.name(), before, after, sources }
    });
    Ok(parsing.into_iter().chain(effects).collect())
}

fn listed(sources: &[Source]) -> String {
    sources.iter().map(Source::to_string).collect::<Vec<_>>().join("; ")
}
