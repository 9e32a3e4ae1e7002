//! `relref validate`: checks URIs against the grammars of the documents.

use std::io;

use serde_json::json;

use crate::args::Validate;
use crate::base::{missing_scheme, with_hint};
use crate::lines::each_text;
use crate::output::{Output, quoted};

pub fn run(args: &Validate, out: &mut Output) -> io::Result<()> {
    each_text(&args.uris, None, out, |uri, out| {
        for (number, &grammar) in args.grammar.iter().enumerate() {
            if number > 0 {
                out.end_line()?;
            }
            let error = grammar.validate(uri).err();
            out.exits_with_1 |= error.is_some();
            // A hint that would fail as well helps nobody.
            let why = error.map(|error| match missing_scheme(uri).filter(|meant| grammar.validate(meant).is_ok()) {
                Some(_) => with_hint(error, uri),
                None => error.to_string(),
            });
            if args.json {
                let mut object = json!({ "uri": uri, "grammar": grammar.name(), "valid": error.is_none() });
                if let Some(error) = error {
                    object["error"] = why.into();
                    object["position"] = error.position().into();
                }
                out.json(&object)?;
            } else {
                let line = why.map_or(format!("valid as {}", grammar.title()), |why| quoted(&why));
                out.text.push_str(&line);
            }
        }
        Ok(Ok(()))
    })
}
