//! JSON of results and steps.

use relref::{Resolved, Step};
use serde_json::{Value, json};

/// Adds a URI and its components to an object.
pub fn components(object: &mut Value, uri: &Resolved<'_>) {
    object["uri"] = json!(uri.to_string());
    object["scheme"] = json!(uri.scheme());
    object["authority"] = json!(uri.authority());
    object["path"] = json!(uri.path());
    object["query"] = json!(uri.query());
    object["fragment"] = json!(uri.fragment());
}

/// The steps of an explanation; a run is its first byte in the base and the one behind it.
pub fn steps(steps: &[Step<'_>]) -> Value {
    let step = |step: &Step<'_>| {
        let run = step.action.run().map(|run| [run.start, run.end]);
        json!({ "action": step.action.name(), "text": step.text, "run": run, "source": step.source })
    };
    steps.iter().map(step).collect()
}
