//! The ends that the text of a reference has in common with another one, which stay as they are written.

use std::ops::Range;

/// Returns the part of a `written` text that differs from `reference`, and the part of the reference that is to stand there. Escapes are
/// not divided: `unit` appends the text of the escape or character at the start of what is written, and returns its written length.
pub(crate) fn changed_part(
    written: &str,
    reference: &str,
    unit: impl Fn(&str, &mut String) -> usize,
) -> Option<(Range<usize>, Range<usize>)> {
    let (mut old, mut at, mut ends) = (String::new(), 0, vec![(0, 0)]);
    while at < written.len() {
        at += unit(&written[at..], &mut old);
        ends.push((at, old.len()));
    }
    let same = |(one, other): &(char, char)| one == other;
    let prefix = old.chars().zip(reference.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum::<usize>();
    let from_end = old[prefix..].chars().rev().zip(reference[prefix..].chars().rev());
    let suffix = from_end.take_while(same).map(|(c, _)| c.len_utf8()).sum::<usize>();
    let start = ends.iter().rev().find(|(_, len)| *len <= prefix)?;
    let end = ends.iter().find(|(at, len)| *at >= start.0 && *len >= old.len() - suffix)?;
    let middle = start.1..(reference.len() + end.1).checked_sub(old.len())?;
    reference.get(middle.clone())?;
    Some((start.0..end.0, middle))
}
