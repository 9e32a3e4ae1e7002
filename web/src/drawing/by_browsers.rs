//! The drawing of a resolution by browsers' rules.

use relref::whatwg::{Action, Base, Step, inspect};

use super::{Drawing, Mark, Origin, joined, marked};

/// A character of the result, and the byte at which it is in its origin.
type Drawn = (Origin, usize, char);

pub fn draw(base: &Base, reference: &str) -> Option<Drawing> {
    let href = base.as_str();
    let inspection = inspect(reference, Some(base));
    let mut steps: Vec<&Step> = inspection.steps.iter().collect();
    steps.sort_by_key(|step| (step.range.start, step.range.end));
    let removes_tabs = steps.iter().any(|step| matches!(step.action, Action::TabsRemoved { .. }));
    let mut base_marks = vec![Mark::Cut; href.len()];
    let mut reference_marks = vec![Mark::Kept; reference.len()];
    if removes_tabs {
        for (mark, byte) in reference_marks.iter_mut().zip(reference.bytes()) {
            if matches!(byte, b'\t' | b'\r' | b'\n') {
                *mark = Mark::Changed;
            }
        }
    }
    let mut out: Vec<Drawn> = Vec::new();
    let (mut at, mut last_written, mut guard) = (0, 0, "");
    let mut before: Option<&Step> = None;
    for step in steps {
        if matches!(step.action, Action::TabsRemoved { .. }) {
            continue;
        }
        if step.range.start >= at {
            copy(reference, at..step.range.start, removes_tabs, &mut out);
        } else if before.is_some_and(|before| before.range == step.range) {
            // About what the step before wrote.
            out.truncate(out.len().checked_sub(last_written)?);
        }
        at = at.max(step.range.end);
        let mark = match step.action {
            Action::DotRemoved | Action::SegmentRemoved | Action::SurplusDropped => Mark::Dots,
            _ => Mark::Changed,
        };
        reference_marks[step.range.clone()].fill(mark);
        let mut origin = Origin::Written;
        match step.action {
            Action::SegmentRemoved => {
                let segment = step.text.rsplit_once('/')?.0;
                for expected in ['/'].into_iter().chain(segment.chars().rev()) {
                    let (origin, at, c) = out.pop()?;
                    if c != expected {
                        return None;
                    }
                    match origin {
                        Origin::Base => base_marks[at] = Mark::Removed,
                        Origin::Reference => reference_marks[at] = Mark::Removed,
                        Origin::Written => {}
                    }
                }
            }
            Action::Guard => {
                guard = "/.";
                continue;
            }
            _ if step.action.is_kept() => {
                out.clear();
                let kept = base_marks.get_mut(..step.written.len()).filter(|_| href.starts_with(&step.written))?;
                kept.fill(Mark::Kept);
                origin = Origin::Base;
            }
            _ => {}
        }
        last_written = step.written.chars().count();
        out.extend(step.written.char_indices().map(|(at, c)| (origin, at, c)));
        before = Some(step);
    }
    copy(reference, at..reference.len(), removes_tabs, &mut out);
    let after_scheme = out.iter().position(|&(_, _, c)| c == ':').map_or(0, |colon| colon + 1);
    out.splice(after_scheme..after_scheme, guard.chars().map(|c| (Origin::Written, 0, c)));
    Some(Drawing {
        base: marked(href, &base_marks),
        reference: marked(reference, &reference_marks),
        result: joined(out.into_iter().map(|(origin, _, c)| (origin, c))),
        run: None,
    })
}

/// Copies a part of the reference.
fn copy(reference: &str, range: std::ops::Range<usize>, removes_tabs: bool, out: &mut Vec<Drawn>) {
    let chars =
        reference[range.clone()].char_indices().filter(|(_, c)| !removes_tabs || !matches!(c, '\t' | '\r' | '\n'));
    out.extend(chars.map(|(at, c)| (Origin::Reference, range.start + at, c)));
}
