//! `relref normalize`: the normal form of URIs.

use std::borrow::Cow;
use std::io::{self, Write};

use relref::crawl::{Effect, Normalizer, cdx_key};
use relref::whatwg;

use crate::args::{Key, Normalize, Preset, Reading};
use crate::json::object;
use crate::lines::{batches, lines};
use crate::output::{Output, quoted, safe};
use crate::quoting::{json, percent_from};

/// Runs `relref normalize`. Problems of inputs are reported in `out`. A returned error is about the output.
pub fn run(args: &Normalize, out: &mut Output) -> io::Result<()> {
    let normalizer = normalizer(args);
    for uri in &args.uris {
        if let Err(why) = one(uri.as_bytes(), &normalizer, args, out)? {
            out.problem(quoted(uri), why);
        }
        out.end_line()?;
    }
    if !args.uris.is_empty() {
        return Ok(());
    }
    let mut number = 0;
    batches(out, |batch, out| {
        for line in lines(batch) {
            number += 1;
            if let Err(why) = one(line, &normalizer, args, out)? {
                let text = String::from_utf8_lossy(line);
                out.problem(format_args!("line {number}: {}", quoted(&text)), why);
            }
            out.end_line()?;
        }
        out.flush()
    })
}

/// Returns the normalizer of the preset, with the changes of the arguments.
fn normalizer(args: &Normalize) -> Normalizer {
    args.changes.apply(match args.preset {
        Preset::Safe => Normalizer::safe(),
        Preset::Crawl => Normalizer::crawl(),
    })
}

/// Writes the lines for a URI, without the last line end. The inner error is about the URI: then nothing is written or, with
/// `--json`, an object with the error. The outer error is about the output.
fn one(uri: &[u8], normalizer: &Normalizer, args: &Normalize, out: &mut Output) -> io::Result<Result<(), String>> {
    let done = match std::str::from_utf8(uri) {
        Ok(uri) => Answer::new(uri, normalizer, args),
        Err(error) => Err(error.to_string()),
    };
    match done {
        Ok(answer) if args.json => answer.write_json(out)?,
        Ok(answer) => {
            let lines = answer.effects.iter().map(|effect| format!("  {}\n", safe(&effect.to_string())));
            out.text.extend(answer.parsing().into_iter().chain(lines));
            let start = out.text.len();
            out.text.push_str(&answer.text);
            percent_from(&mut out.text, start);
        }
        Err(why) => {
            if args.json {
                object(out, &[("uri", &*String::from_utf8_lossy(uri)), ("error", &why)])?;
            }
            return Ok(Err(why));
        }
    }
    Ok(Ok(()))
}

/// The normal form or the sort key of a URI, and how it was reached.
struct Answer<'u> {
    /// The URI as it was given.
    uri: &'u str,
    /// The URI that is normalized: as it was given, or as the URL Standard serializes it.
    read: Cow<'u, str>,
    /// The effects of the changes, in the order in which they were made. Empty without `--explain`.
    effects: Vec<Effect>,
    /// True with `--explain`.
    explains: bool,
    /// The JSON name of the field for `text`: `normal` or `key`.
    name: &'static str,
    /// The normal form or the sort key.
    text: String,
}

impl<'u> Answer<'u> {
    /// Normalizes a URI, or makes its sort key. The error is the message.
    fn new(uri: &'u str, normalizer: &Normalizer, args: &Normalize) -> Result<Self, String> {
        let read = match args.rules {
            Reading::Rfc3986 => Cow::Borrowed(uri),
            Reading::Whatwg => Cow::Owned(whatwg::parse(uri).map_err(|error| error.to_string())?),
        };
        let answer = || {
            let effects = if args.explain { normalizer.explain(&read)? } else { Vec::new() };
            let (name, text) = match args.key {
                Some(Key::Surt) => ("key", normalizer.surt(&read)?),
                Some(Key::Cdx) => ("key", cdx_key(&read)?),
                None => ("normal", normalizer.normalize(&read)?),
            };
            Ok((effects, name, text))
        };
        let (effects, name, text) = answer().map_err(|error: relref::Error| error.to_string())?;
        Ok(Answer { uri, read, effects, explains: args.explain, name, text })
    }

    /// Returns a line that says how the URL Standard's parser changed the URI. Returns `None` if it changed nothing, or without
    /// `--explain`.
    fn parsing(&self) -> Option<String> {
        (self.explains && self.read != self.uri)
            .then(|| format!("  whatwg: {} becomes {} ({PARSER})\n", safe(self.uri), safe(&self.read)))
    }

    /// Writes the answer as a JSON object.
    fn write_json(&self, out: &mut Output) -> io::Result<()> {
        out.write_all(b"{\"uri\":")?;
        json(out, self.uri)?;
        write!(out, ",\"{}\":", self.name)?;
        json(out, &self.text)?;
        if self.explains {
            out.write_all(b",\"changes\":[")?;
            let parsing = (self.read != self.uri).then_some(("whatwg", self.uri, &*self.read, PARSER));
            let effects = self.effects.iter().map(|Effect { change, before, after, .. }| {
                (change.name(), before.as_str(), after.as_str(), change.source())
            });
            for (number, (name, before, after, source)) in parsing.into_iter().chain(effects).enumerate() {
                out.write_all(if number == 0 { b"" } else { b"," })?;
                object(out, &[("change", name), ("before", before), ("after", after), ("source", source)])?;
            }
            out.write_all(b"]")?;
        }
        out.write_all(b"}")
    }
}

/// The document and section of the parser of `--rules whatwg`.
const PARSER: &str = "URL Standard §4.4";
