//! Explanations: a result with the steps that led to it.

use alloc::vec::Vec;
use core::fmt;

use super::base::Base;
use super::partial;
use super::resolved::Resolved;
use super::sources::{DotsOf, source};
use super::step::{Action, Listener, Place, Step};
use crate::rules::Document;

/// A result and its steps, made by [`Base::explain`]. [`Display`](fmt::Display) prints a line for each step, then the result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation<'a> {
    /// The URI that [`Base::resolve`] returns.
    #[doc(alias = "result")]
    pub uri: Resolved<'a>,
    /// The steps, in their order.
    pub steps: Vec<Step<'a>>,
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            writeln!(f, "{step}")?;
        }
        write!(f, "{}", self.uri)
    }
}

struct CallEach<F> {
    document: Document,
    /// The kind of reference whose dot segments the next steps are about.
    dots_of: DotsOf,
    each: F,
}

impl<'a, F: FnMut(Step<'a>)> Listener<'a> for CallEach<F> {
    fn dots(&mut self, action: Action, text: &'a str, place: Place) {
        match action {
            Action::Absolute => self.dots_of = DotsOf::Absolute,
            Action::Directory | Action::WholePath | Action::MissingPath => self.dots_of = DotsOf::Relative,
            _ => {}
        }
        let source = source(&action, self.document, text, place, self.dots_of);
        (self.each)(Step { action, text, source });
    }
}

impl Base {
    /// Resolves a reference as [`resolve`](Base::resolve) does, by the same code, and returns the steps with the result.
    ///
    /// ```
    /// use relref::{Base, Rules};
    ///
    /// let base = Base::new("magic://a/b/c//d/e/f", Rules::RFC1630)?;
    /// let why = base.explain("/g");
    /// assert_eq!(why.uri, "magic://a/b/c//d/g");
    /// assert_eq!(why.steps[0].text, "magic://a/b/c//d");
    /// assert_eq!(why.steps[0].action.run(), Some(16..17));
    /// assert!(why.steps[0].source.to_string().starts_with("RFC 1630, Partial (relative) form: \"the first occurrence of"));
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn explain<'b>(&'b self, reference: &'b (impl AsRef<str> + ?Sized)) -> Explanation<'b> {
        let mut steps = Vec::new();
        let uri = self.explain_each(reference, |step| steps.push(step));
        Explanation { uri, steps }
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
    pub fn explain_each<'b>(
        &'b self,
        reference: &'b (impl AsRef<str> + ?Sized),
        each: impl FnMut(Step<'b>),
    ) -> Resolved<'b> {
        let mut listener = CallEach { document: self.rules().document, dots_of: DotsOf::Slashed, each };
        partial::resolve(self.borrowed(), reference.as_ref(), &mut listener)
    }
}
