//! The drawing of a resolution by the rules of a document.

use std::ops::Range;

use relref::{Action, Base, Step, UriRef};

use super::{Drawing, Mark, Origin, joined, marked};

/// The kept part of the base and then the reference, byte by byte.
struct Joined {
    text: String,
    marks: Vec<Mark>,
    /// The number of bytes of the base, and of the `/` that is written after a host.
    base_len: usize,
    written_len: usize,
}

pub fn draw(base: &Base, reference: &str) -> Option<Drawing> {
    let (text, rules) = (base.as_str(), base.rules());
    let mut drawing = Drawing::default();
    let (mut cut, mut missing, mut guard) = (None, "", "");
    let mut base_marks = vec![Mark::Kept; text.len()];
    let mut reference_marks = vec![Mark::Kept; reference.len()];
    let mut dots = Vec::new();
    let mut keeps_dots = false;
    let mut too_odd = false;
    base.explain_each(reference, |step| {
        if let Some(run) = step.action.run() {
            drawing.run = Some((text[..run.start].encode_utf16().count(), run.len()));
        }
        match step.action {
            Action::Absolute => cut = Some(0),
            Action::DotsKept => keeps_dots = true,
            Action::Guard => guard = "/.",
            Action::EmptyLeftOut => match (place(text, step.text), place(reference, step.text)) {
                (Some(range), _) => base_marks[range].fill(Mark::Changed),
                (None, Some(range)) => reference_marks[range].fill(Mark::Changed),
                (None, None) => too_odd = true,
            },
            Action::QueryLeftOut | Action::SchemeIgnored => {}
            Action::DotRemoved
            | Action::SegmentRemoved
            | Action::RootAdded
            | Action::SurplusKept
            | Action::SurplusDropped
            | Action::DotsAfterRun => dots.push(step),
            // All others keep a part of the base.
            action => {
                if action == Action::MissingPath {
                    missing = "/";
                }
                match place(text, step.text) {
                    Some(range) => cut = cut.max(Some(range.end)),
                    None => too_odd = true,
                }
            }
        }
    });
    let cut = cut.filter(|_| !too_odd)?;
    base_marks[cut..].fill(Mark::Cut);
    let mut both = Joined {
        text: [&text[..cut], missing, reference].concat(),
        marks: [&base_marks[..cut], &vec![Mark::Kept; missing.len()], &reference_marks].concat(),
        base_len: cut,
        written_len: missing.len(),
    };
    if !dots.is_empty() && !keeps_dots {
        both.follow_dots(dots, rules.params)?;
    }
    let reference_start = both.base_len + both.written_len;
    base_marks[..cut].copy_from_slice(&both.marks[..cut]);
    drawing.base = marked(text, &base_marks);
    drawing.reference = marked(reference, &both.marks[reference_start..]);
    let scheme_end = both.text.find(':').map_or(0, |colon| colon + 1);
    let mut result = Vec::new();
    for (at, c) in both.text.char_indices() {
        if at == scheme_end {
            result.extend(guard.chars().map(|c| (Origin::Written, c)));
        }
        if both.marks[at] == Mark::Kept {
            let origin = match at {
                _ if at < both.base_len => Origin::Base,
                _ if at < reference_start => Origin::Written,
                _ => Origin::Reference,
            };
            result.push((origin, c));
        }
    }
    drawing.result = joined(result);
    Some(drawing)
}

/// Returns the bytes of `text` that `part` is, if it is a slice of it and not only equal to one.
fn place(text: &str, part: &str) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    (start + part.len() <= text.len()).then_some(start..start + part.len())
}

impl Joined {
    /// Marks the dot segments, each of which has a step, and the segments that they removed.
    fn follow_dots(&mut self, steps: Vec<Step>, has_params: bool) -> Option<()> {
        let path = UriRef::new(self.text.as_str()).path();
        let path = if has_params { path.split(';').next()? } else { path };
        let Range { start, end } = place(&self.text, path)?;
        let mut steps = steps.into_iter().peekable();
        let mut segments: Vec<Range<usize>> = Vec::new();
        let mut at = start;
        for segment in path.split('/') {
            let range = at..at + segment.len();
            let with_slash = at..end.min(range.end + 1);
            at = range.end + 1;
            if !matches!(segment, "." | "..") {
                segments.push(range);
                continue;
            }
            let step = steps.next()?;
            match step.action {
                Action::SegmentRemoved => {
                    let removed = segments.pop().filter(|removed| self.text[removed.clone()] == *step.text)?;
                    let is_rooted = steps.next_if(|step| step.action == Action::RootAdded).is_some();
                    // The slash that makes the path rooted stays.
                    self.marks[removed.start..removed.end + usize::from(!is_rooted)].fill(Mark::Removed);
                    if is_rooted {
                        segments.push(removed.start..removed.start);
                    }
                    self.marks[with_slash].fill(Mark::Dots);
                }
                Action::SurplusKept | Action::DotsAfterRun => segments.push(range),
                _ => self.marks[with_slash].fill(Mark::Dots),
            }
        }
        steps.next().is_none().then_some(())
    }
}
