//! `relref validate`: checks URIs against the grammars of the documents.

use std::io;

use relref::validate::validate;
use serde_json::json;

use crate::args::Validate;
use crate::lines::each_text;
use crate::output::{Output, safe};
use crate::quoting::Json;

/// Runs `relref validate`. Problems of inputs are reported in `out`. A returned error is about the output.
pub fn run(args: &Validate, out: &mut Output) -> io::Result<()> {
    each_text(&args.uris, out, |uri, out| {
        for &grammar in &args.grammar {
            let error = validate(uri, grammar).err();
            out.failed |= error.is_some();
            if args.json {
                let mut object = json!({ "uri": uri, "grammar": grammar.name(), "valid": error.is_none() });
                if let Some(error) = error {
                    object["error"] = error.to_string().into();
                    object["position"] = error.position().into();
                }
                serde_json::to_writer(Json(&mut *out), &object)?;
            } else {
                match error {
                    None => out.text.push_str(&format!("valid as {}", grammar.title())),
                    Some(error) => out.text.push_str(&safe(&error.to_string())),
                }
            }
            out.end_line()?;
        }
        Ok(())
    })
}
