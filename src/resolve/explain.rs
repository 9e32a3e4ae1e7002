//! Explanations: a result with the steps that led to it.

use alloc::vec::Vec;
use core::fmt;

use super::base::Base;
use super::resolved::Resolved;
use super::step::{Action, Step, Trace};
use crate::rules::Document;
use crate::uri::UriText;

/// A result and the steps that led to it. Made by [`Base::explain`].
///
/// [`Display`](fmt::Display) prints a line for each step, then the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation<'a> {
    /// The result that [`Base::resolve`] returns.
    pub result: Resolved<'a>,
    /// The steps, in their order.
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

/// A receiver of the steps of a resolution that calls the function `each` with each of them.
struct CallEach<F> {
    /// The document of the rule set: the steps cite its sections.
    document: Document,
    each: F,
}

impl<'a, F: FnMut(Step<'a>)> Trace<'a> for CallEach<F> {
    fn step(&mut self, action: Action, text: &'a str) {
        let source = action.source(self.document);
        (self.each)(Step { action, text, source });
    }
}

impl<T: UriText> Base<T> {
    /// Resolves a reference as [`resolve`](Base::resolve) does, by the same code, and returns the steps with the result.
    ///
    /// ```
    /// use relref::{Base, Rules};
    ///
    /// let base = Base::new("magic://a/b/c//d/e/f", Rules::RFC1630)?;
    /// let why = base.explain("/g");
    /// assert_eq!(why.result, "magic://a/b/c//d/g");
    /// assert_eq!(why.steps[0].text, "magic://a/b/c//d");
    /// assert_eq!(why.steps[0].action.run(), Some(16..17));
    /// assert_eq!(why.steps[0].source, "RFC 1630, Partial (relative) form");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn explain<'b>(&'b self, reference: &'b str) -> Explanation<'b> {
        let mut steps = Vec::new();
        let result = self.explain_each(reference, |step| steps.push(step));
        Explanation { result, steps }
    }

    /// Resolves a reference as [`explain`](Base::explain) does, but calls `each` with each step and keeps none: a long reference
    /// can have very many.
    ///
    /// ```
    /// use relref::{Base, Rules};
    ///
    /// let base = Base::new("http://h/a/b", Rules::RFC3986)?;
    /// let reference = "./".repeat(1000);
    /// let mut removed = 0;
    /// let result = base.explain_each(&reference, |step| removed += usize::from(step.action.name() == "dot-removed"));
    /// assert_eq!((result.into_string(), removed), (String::from("http://h/a/"), 1000));
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn explain_each<'b>(&'b self, reference: &'b str, each: impl FnMut(Step<'b>)) -> Resolved<'b> {
        self.borrowed().resolve_traced(reference, &mut CallEach { document: self.rules().document, each })
    }
}
