//! `relref resolve` and `relref relativize`: print URIs for references, and references for URIs.

mod json;

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use memchr::memchr;
use relref::support::InnerBase;
use relref::whatwg::{self, Action, Inspection, inspect};
use relref::{AnyBase, RuleSet, Rules, Source};
use serde::Serialize;
use serde_json::json;

use self::json::object;
use crate::args;
use crate::base::{new_base, relativize as reference_to};
use crate::lines::{ErrorObject, each_line, each_text, no_answer, not_utf8};
use crate::output::{Output, quoted, shown};
use crate::quoting::{percent, percent_from};

/// Writes the answer for one text, without the last line end. The inner error is the reason why there is none, the outer error
/// is about the output.
type WriteAnswer<'f> = &'f dyn Fn(&AnyBase, &str, &mut Output) -> io::Result<Result<(), String>>;

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
    let rules = args.rules.unwrap_or(RuleSet::Rules(Rules::RFC1630));
    // For people: a program reads the documentation once.
    if args.rules.is_none() && io::stderr().is_terminal() {
        out.note("by the rules of RFC 1630; browsers' are --rules whatwg");
    }
    answer_all(args.base.as_deref(), (rules, args.nested), &args.references, args.json, write_answer, out)
}

/// Writes the steps and then the URI. By browsers' rules, the lines of validation errors stay if there is no URI.
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
        InnerBase::Whatwg(base) => write_inspected(out, uri, base, reference)?,
    };
    match result {
        Ok(result) => percent(out, &[prefix, &result].concat()).map(Ok),
        Err(why) => Ok(Err(why)),
    }
}

/// Writes the steps and validation errors of a base and of a reference, by browsers' rules. The inner error says why the reference
/// has no URI.
fn write_inspected(
    out: &mut Output,
    uri: &str,
    base: &whatwg::Base,
    reference: &str,
) -> io::Result<Result<String, String>> {
    let of_base = inspect(uri, None);
    write_inspection(out, "base: ", &of_base)?;
    if !of_base.steps.is_empty() {
        writeln!(out, "  base: this is `{}`", base.as_str())?;
    }
    let inspection = inspect(reference, Some(base));
    write_inspection(out, "", &inspection)?;
    Ok(inspection.url.map(String::from).map_err(|error| error.to_string()))
}

/// Writes each step with its errors after it. Each line starts with `of`.
fn write_inspection(out: &mut Output, of: &str, inspection: &Inspection) -> io::Result<()> {
    let mut line = |what: &dyn Display, source: &str| writeln!(out, "  {of}{}{source}", quoted(&what.to_string()));
    let mut errors = inspection.errors.iter().peekable();
    let section = " (URL Standard §1.1)";
    for step in &inspection.steps {
        line(step, "")?;
        let is_in_step = |error: &&whatwg::Error| match step.action {
            // Done at both ends, and everywhere inside, before the parser starts.
            Action::Trimmed | Action::TabsRemoved { .. } => error.position() == step.range.start,
            _ => error.position() < step.range.end,
        };
        while let Some(error) = errors.next_if(is_in_step) {
            line(error, section)?;
        }
    }
    errors.try_for_each(|error| line(error, section))?;
    let left_out = inspection.left_out;
    for (count, what) in [(left_out.steps, "steps"), (left_out.errors, "validation errors")] {
        if count > 0 {
            line(&format_args!("and {count} more {what}"), "")?;
        }
    }
    Ok(())
}

const NESTED: Source = Source::Decision {
    reason: "a reference in a page is about the page's own URI, which is the innermost; no document says where URIs are nested",
};

#[derive(Serialize)]
struct Relativized<'r> {
    base: &'r str,
    rules: &'r str,
    uri: &'r str,
    reference: &'r str,
}

pub fn relativize(args: &args::Relativize, out: &mut Output) -> io::Result<()> {
    let json = args.json;
    let write_answer: WriteAnswer = &move |base, uri, out| {
        let reference = match reference_to(base, uri) {
            Ok(reference) => reference,
            Err(error) => return Ok(Err(error)),
        };
        if json {
            let rules = &base.rules().to_string();
            return out.json(&Relativized { base: base.as_str(), rules, uri, reference: &reference }).map(Ok);
        }
        percent(out, &reference).map(Ok)
    };
    answer_all(args.base.as_deref(), (args.rules, args.nested), &args.uris, args.json, write_answer, out)
}

/// Answers `texts` or, if there are none, the lines of standard input; without a `base`, pairs of lines (see [`answer_pairs`]).
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

/// Answers lines `BASE<TAB>TEXT` of standard input. Consecutive lines with the same base share one [`AnyBase`].
fn answer_pairs(
    (rules, nested): (RuleSet, bool),
    object: Option<ErrorObject>,
    write: WriteAnswer,
    out: &mut Output,
) -> io::Result<()> {
    let mut ready: Option<AnyBase> = None;
    each_line(out, |number, line, out| {
        let made = split_pair(line).and_then(|(base, text)| {
            let made = match ready.take() {
                Some(made) if made.as_str() == base => made,
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
        out.end_line()
    })
}

/// Splits a line at its first tab into a base and a text.
fn split_pair(line: &[u8]) -> Result<(&str, &str), String> {
    let line = std::str::from_utf8(line).map_err(|error| not_utf8(&error))?;
    let tab = memchr(b'\t', line.as_bytes()).ok_or("no tab between a base and a reference")?;
    Ok((&line[..tab], &line[tab + 1..]))
}
