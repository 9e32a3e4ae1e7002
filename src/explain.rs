//! Explanations: a result with the steps that led to it.

use alloc::vec::Vec;
use core::fmt;

use crate::base::Base;
use crate::resolved::Resolved;
use crate::rules::Document;
use crate::step::{Action, Step, Trace};

/// A result and the steps that led to it. Made by [`Base::explain`].
///
/// [`Display`](fmt::Display) prints a step a line, then the result.
#[derive(Clone, Debug)]
pub struct Explanation<'a> {
    /// What [`Base::resolve`] gives.
    pub result: Resolved<'a>,
    /// What was done, in order.
    pub steps: Vec<Step<'a>>,
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            writeln!(f, "{step}")?;
        }
        write!(f, "{}", self.result)
    }
}

struct Recorder<'a> {
    document: Document,
    steps: Vec<Step<'a>>,
}

impl<'a> Trace<'a> for Recorder<'a> {
    fn step(&mut self, action: Action, text: &'a str) {
        let source = action.source(self.document);
        self.steps.push(Step { action, text, source });
    }
}

impl Base<'_> {
    /// Resolves a reference as [`resolve`](Base::resolve) does, by the same code, and says how.
    ///
    /// ```
    /// use relref::{Base, Rules};
    ///
    /// let base = Base::new("magic://a/b/c//d/e/f", Rules::RFC1630)?;
    /// let why = base.explain("/g");
    /// assert_eq!(why.result.to_string(), "magic://a/b/c//d/g");
    /// assert_eq!(why.steps[0].text, "magic://a/b/c//d");
    /// assert_eq!(why.steps[0].action.run(), Some(16..17));
    /// assert_eq!(why.steps[0].source, "RFC 1630, Partial (relative) form");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn explain<'b>(&'b self, reference: &'b str) -> Explanation<'b> {
        let mut trace = Recorder { document: self.rules().document, steps: Vec::new() };
        let result = self.resolve_traced(reference, &mut trace);
        Explanation { result, steps: trace.steps }
    }
}
