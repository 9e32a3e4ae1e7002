//! relref as a contender: by each rule set, and by browsers' rules.

use std::borrow::Cow;

use relref::{Base, Rules, UriRef, whatwg};

use super::{Contender, Relativizer};

/// relref with a rule set. `RULES` is its index in `Rules::ALL`.
pub struct Relref<const RULES: usize>;

pub type Rfc1630 = Relref<2>;
pub type Rfc3986 = Relref<5>;
const _: () = assert!(matches!(Rules::ALL[2].document, ::relref::Document::Rfc1630));
const _: () = assert!(matches!(Rules::ALL[5].document, ::relref::Document::Rfc3986));

impl<const RULES: usize> Contender for Relref<RULES> {
    const FILLS_BUFFERS: bool = true;
    type Base<'a> = Base;
    type Resolved = String;
    type Split<'a> = UriRef<&'a str>;

    fn name() -> String {
        format!("relref {}", Rules::ALL[RULES])
    }

    fn base(text: &str) -> Option<Base> {
        Base::new(text, Rules::ALL[RULES]).ok()
    }

    fn resolve_into(base: &Base, reference: &str, out: &mut String) -> Option<()> {
        base.resolve_into(reference, out);
        Some(())
    }

    fn resolve(base: &Base, reference: &str) -> Option<String> {
        Some(base.resolve(reference).into())
    }

    fn text(resolved: &String) -> &str {
        resolved
    }

    fn split(text: &str) -> Option<UriRef<&str>> {
        Some(UriRef::new(text))
    }

    fn resolve_once_into(base: &str, reference: &str, out: &mut String) -> Option<()> {
        relref::resolve_into(base, reference, Rules::ALL[RULES], out).ok()
    }
}

impl<const RULES: usize> Relativizer for Relref<RULES> {
    type Reference<'t> = Cow<'t, str>;

    fn relativize<'t>(base: &Base, target: &'t str) -> Option<Self::Reference<'t>> {
        Some(base.relativize(target))
    }
}

/// relref by browsers' rules.
pub struct Whatwg;

impl Contender for Whatwg {
    const FILLS_BUFFERS: bool = true;
    type Base<'a> = whatwg::Base;
    type Resolved = String;
    type Split<'a> = whatwg::Url;

    fn name() -> String {
        String::from("relref whatwg")
    }

    fn base(text: &str) -> Option<whatwg::Base> {
        whatwg::Base::new(text).ok()
    }

    fn resolve_into(base: &whatwg::Base, reference: &str, out: &mut String) -> Option<()> {
        base.resolve_into(reference, out).ok()
    }

    fn resolve(base: &whatwg::Base, reference: &str) -> Option<String> {
        base.resolve(reference).ok()
    }

    fn text(resolved: &String) -> &str {
        resolved
    }

    fn split(text: &str) -> Option<whatwg::Url> {
        whatwg::Url::parse(text).ok()
    }
}

impl Relativizer for Whatwg {
    type Reference<'t> = Cow<'t, str>;

    fn relativize<'t>(base: &whatwg::Base, target: &'t str) -> Option<Self::Reference<'t>> {
        Some(base.relativize(target))
    }
}

/// relref by browsers' rules, but without the fast path: always by the Standard's state machine.
pub struct StateMachine;

impl Contender for StateMachine {
    const FILLS_BUFFERS: bool = true;
    type Base<'a> = whatwg::Base;
    type Resolved = String;
    type Split<'a> = whatwg::Url;

    fn name() -> String {
        String::from("relref whatwg, all states")
    }

    fn base(text: &str) -> Option<whatwg::Base> {
        whatwg::Base::new(text).ok()
    }

    fn resolve_into(base: &whatwg::Base, reference: &str, out: &mut String) -> Option<()> {
        base.resolve_by_states(reference, out).ok()
    }

    fn resolve(base: &whatwg::Base, reference: &str) -> Option<String> {
        let mut out = String::new();
        base.resolve_by_states(reference, &mut out).ok()?;
        Some(out)
    }

    fn text(resolved: &String) -> &str {
        resolved
    }

    fn split(text: &str) -> Option<whatwg::Url> {
        whatwg::Url::parse(text).ok()
    }
}
