//! `relref resolve` and `relref relativize`: print URIs for references, and references for URIs.

mod browsers;
mod json;

use std::io::{self, Write};

use memchr::memchr;
use relref::{AnyBase, InnerBase, RuleSet, Source};
use serde::Serialize;
use serde_json::json;

use self::json::object;
use crate::args;
use crate::base::{new_base, relativize as reference_to};
use crate::lines::{ErrorObject, each_batch, each_text, lines_of, no_answer};
use crate::output::{Output, quoted, shown};
use crate::quoting::{percent, percent_from};

/// A function that writes the answer for one text, without the last line end. For `resolve`, the text is a reference and the answer
/// its URI. For `relativize`, the text is a URI and the answer a reference. With `--json`, the answer is an object. The inner error
/// is the reason why there is no answer. The outer error is about the output.
type WriteAnswer<'f> = &'f dyn Fn(&AnyBase, &str, &mut Output) -> io::Result<Result<(), String>>;

/// Runs `relref resolve`: writes the URI of each reference. A returned error is about the output.
pub fn resolve(args: &args::Resolve, out: &mut Output) -> io::Result<()> {
    let write_answer: WriteAnswer = match (args.json, args.explain) {
        (false, false) => &|base, reference, out| {
            let start = out.text.len();
            let done = base.resolve_into(reference, &mut out.text).map_err(|error| error.to_string());
            percent_from(&mut out.text, start);
            Ok(done)
        },
        (false, true) => &write_explained,
        (true, explain) => &move |base, reference, out| object(out, base, reference, explain),
    };
    answer_all(args.base.as_deref(), (args.rules, args.nested), &args.references, args.json, write_answer, out)
}

/// Writes a line for each step of the resolution of a reference, and then the URI without a line end. By browsers' rules, there is
/// also a line for each validation error; these lines stay if the reference has no URI. The inner error is the
/// reason why it has none. The outer error is about the output.
fn write_explained(base: &AnyBase, reference: &str, out: &mut Output) -> io::Result<Result<(), String>> {
    let (uri, prefix) = (base.innermost(), base.prefix());
    if !prefix.is_empty() {
        writeln!(out, "  {}", quoted(&format!("keep `{prefix}` before the result of `{uri}` ({NESTED})")))?;
    }
    let result = match base.inner() {
        InnerBase::Rules(base) => {
            let mut done = Ok(());
            let result = base.explain_each(reference, |step| {
                if done.is_ok() {
                    done = writeln!(out, "  {}", quoted(&step.to_string()));
                }
            });
            done?;
            Ok(result.to_string())
        }
        InnerBase::Whatwg(base) => browsers::lines(out, uri, base, reference)?,
    };
    match result {
        Ok(result) => percent(out, &[prefix, &result].concat()).map(Ok),
        Err(why) => Ok(Err(why)),
    }
}

/// Why the base is cut with `--nested`.
pub(crate) const NESTED: Source = Source::Decision {
    reason: "a reference in a page is about the page's own URI, which is the innermost; no document says where URIs are nested",
};

/// The JSON object that `relref relativize` prints for a URI.
#[derive(Serialize)]
struct Relativized<'r> {
    base: &'r str,
    rules: &'r str,
    uri: &'r str,
    reference: &'r str,
}

/// Runs `relref relativize`: writes the shortest reference to each URI. A returned error is about the output.
pub fn relativize(args: &args::Relativize, out: &mut Output) -> io::Result<()> {
    let json = args.json;
    let write_answer: WriteAnswer = &move |base, uri, out| {
        let reference = match reference_to(base, uri) {
            Ok(reference) => reference,
            Err(error) => return Ok(Err(error)),
        };
        if json {
            let rules = &base.rules().to_string();
            return out.json(&Relativized { base: base.uri(), rules, uri, reference: &reference }).map(Ok);
        }
        percent(out, &reference).map(Ok)
    };
    answer_all(args.base.as_deref(), (args.rules, args.nested), &args.uris, args.json, write_answer, out)
}

/// Writes a line with the answer for each of `texts` or, if there are none, for each line of standard input. A text that has no
/// answer is reported as a problem. Its line is empty or, with `json`, a JSON object. A `base` that is not valid is reported as a
/// problem, and nothing is written. Without a `base`, does what [`answer_pairs`] does. A returned error is about the output.
fn answer_all(
    base: Option<&str>,
    (rules, nested): (RuleSet, bool),
    texts: &[String],
    json: bool,
    write_answer: WriteAnswer,
    out: &mut Output,
) -> io::Result<()> {
    let object: ErrorObject = |_, why| json!({ "error": why });
    let object = json.then_some(object);
    let Some(base) = base else {
        return answer_pairs((rules, nested), object, write_answer, out);
    };
    match new_base(base, rules, nested) {
        Ok(base) => each_text(texts, object, out, |text, out| write_answer(&base, text, out)),
        Err(error) => {
            out.problem(shown(base), error);
            Ok(())
        }
    }
}

/// Reads lines `BASE<TAB>TEXT` from standard input. For each, writes a line with the answer for the text with that base. There is
/// no answer if a line has no tab or is not UTF-8, if its base is not valid, or if `write` returns the reason why there is none.
/// This is reported as a problem, and the line of output has the JSON object that `object` returns, or is empty without `object`.
/// Consecutive lines with the same base share one [`AnyBase`] if [`each_batch`] reads them in one batch. A returned error is
/// about the output.
fn answer_pairs(
    (rules, nested): (RuleSet, bool),
    object: Option<ErrorObject>,
    write: WriteAnswer,
    out: &mut Output,
) -> io::Result<()> {
    let mut number = 0;
    each_batch(out, |batch, out| {
        let mut ready: Option<AnyBase> = None;
        for line in lines_of(batch) {
            number += 1;
            let ready = &mut ready;
            let made = split_pair(line).and_then(|(base, text)| {
                let made = match ready.take() {
                    Some(made) if made.uri() == base => made,
                    _ => new_base(base, rules, nested).map_err(|error| format!("{}: {error}", shown(base)))?,
                };
                Ok((&*ready.insert(made), text))
            });
            let done = match made {
                Ok((base, text)) => write(base, text, out)?.map_err(|error| format!("{}: {error}", shown(text))),
                Err(why) => Err(why),
            };
            if let Err(why) = done {
                no_answer(format_args!("line {number}"), "", &why, object, out)?;
            }
            out.end_line()?;
        }
        out.flush()
    })
}

/// Splits a line at its first tab, into a base and a text. The error is the message that the line has no tab or is not UTF-8.
fn split_pair(line: &[u8]) -> Result<(&str, &str), String> {
    let line = std::str::from_utf8(line).map_err(|error| error.to_string())?;
    let tab = memchr(b'\t', line.as_bytes()).ok_or("no tab between a base and a reference")?;
    Ok((&line[..tab], &line[tab + 1..]))
}
