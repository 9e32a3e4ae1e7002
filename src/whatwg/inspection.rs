//! The parser's result with its steps, all validation errors, percent-encoded parts and states.

use alloc::vec::Vec;

use super::encode_set::Encoded;
use super::error::Error;
use super::state::State;
use super::step::Step;
use super::url::Url;

/// The result of [`inspect`](super::inspect()): of a parsing, with its steps and all validation errors. Each list has the first
/// [`LIMIT`](Inspection::LIMIT) items at most, so that a long input takes little memory. `left_out` counts the others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Inspection {
    /// The URL, or the error with which the parser fails.
    pub url: Result<Url, Error>,
    /// The steps that changed the input or used the base, in the order in which they were made. Without steps, the URL is the
    /// input as it was given. If the parser fails, they are those up to the failure.
    pub steps: Vec<Step>,
    /// The validation errors that do not end the parsing, in ascending order of position. An author should correct them.
    pub errors: Vec<Error>,
    /// The parts of the input that were percent-encoded, in ascending order, with the sets that have them.
    pub encoded: Vec<Encoded>,
    /// The states that the parser went through.
    pub states: Vec<State>,
    /// The numbers of items that the lists lack.
    pub left_out: LeftOut,
}

/// How many items the lists of an [`Inspection`] lack, because there are more than [`Inspection::LIMIT`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LeftOut {
    /// The number of steps that are left out.
    pub steps: usize,
    /// The number of validation errors that are left out.
    pub errors: usize,
    /// The number of percent-encoded parts that are left out.
    pub encoded: usize,
}

impl Inspection {
    /// The number of items that each list has at most.
    pub const LIMIT: usize = 1000;

    pub(super) fn add_error(&mut self, error: Error) {
        push_within_limit(&mut self.errors, error, &mut self.left_out.errors);
    }

    /// A step that [joins](super::step::Action::joins) the one before it extends that.
    pub(super) fn add_step(&mut self, step: Step) {
        match self.steps.last_mut() {
            // `././././` and the like are one step, so that they do not use up the limit.
            Some(last) if step.action.joins() && last.action == step.action && last.range.end == step.range.start => {
                last.range.end = step.range.end;
                last.text.push_str(&step.text);
                last.written.push_str(&step.written);
            }
            _ => push_within_limit(&mut self.steps, step, &mut self.left_out.steps),
        }
    }
}

pub(super) fn push_within_limit<T>(list: &mut Vec<T>, item: T, left_out: &mut usize) {
    // A list of all steps could be many times as large as the input: two positions and two texts for each character.
    if list.len() < Inspection::LIMIT {
        list.push(item);
    } else {
        *left_out += 1;
    }
}
