//! Checks of inspections, which other crates share.

use relref::Source;
use relref::whatwg::{Action, Inspection, Step};

/// Follows the steps of an inspection as the docs of `Step` say: copies the input, and writes what the steps write in the place of
/// what they are about. Knows no rule of the URL Standard.
pub fn follow(input: &str, steps: &[Step]) -> String {
    let mut sorted: Vec<&Step> = steps.iter().collect();
    sorted.sort_by_key(|step| (step.range.start, step.range.end));
    let removes_tabs = steps.iter().any(|step| matches!(step.action, Action::TabsRemoved { .. }));
    let mut out = String::new();
    let mut at = 0;
    let copy = |out: &mut String, at: usize, end: usize| {
        out.extend(input[at..end].chars().filter(|c| !removes_tabs || !matches!(c, '\t' | '\r' | '\n')));
    };
    let mut before: Option<&Step> = None;
    let mut guard = "";
    for step in sorted {
        if matches!(step.action, Action::TabsRemoved { .. }) {
            continue;
        }
        if step.range.start >= at {
            copy(&mut out, at, step.range.start);
        } else if before.is_some_and(|before| before.range == step.range) {
            // About what the step before wrote.
            let written = &before.unwrap().written;
            assert_eq!(step.text, *written);
            assert!(out.ends_with(written));
            out.truncate(out.len() - written.len());
        }
        at = at.max(step.range.end);
        match &step.action {
            action if action.is_kept() => out.clear(),
            Action::SegmentRemoved => {
                let (segment, _) = step.text.rsplit_once('/').unwrap();
                let rest = out.strip_suffix('/').and_then(|out| out.strip_suffix(segment)).unwrap();
                out.truncate(rest.len());
            }
            Action::Guard => {
                guard = &step.written;
                continue;
            }
            _ => {}
        }
        out.push_str(&step.written);
        before = Some(step);
    }
    copy(&mut out, at, input.len());
    out.insert_str(out.find(':').map_or(0, |colon| colon + 1), guard);
    out
}

/// Checks that the steps lead to the URL if there is one, that their ranges are of the input, and that each has a source.
pub fn check(input: &str, inspection: &Inspection) {
    for step in &inspection.steps {
        assert!(input.get(step.range.clone()).is_some(), "{step:?} of {input:?}");
        assert!(matches!(step.source(), Source::Document { document: "URL Standard", .. }));
        let told = step.to_string();
        assert!(
            !["{text}", "{written}", "{range}", "{start}", "{detail}"].iter().any(|name| told.contains(name)),
            "{told}"
        );
        // Each says a change, or what becomes of the base.
        let is_change = step.text != step.written || matches!(step.action, Action::TabsRemoved { .. });
        assert!(is_change, "{step:?} of {input:?}");
    }
    let Ok(href) = &inspection.url else { return };
    assert_eq!(follow(input, &inspection.steps), *href, "{input:?} by {:#?}", inspection.steps);
}
