//! Serialization (feature `serde`): URIs, browsers' bases, rule sets and names as strings, bases by a document as structs.

use alloc::string::String;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::canon::Rung;
use crate::crawl::Change;
use crate::resolve::{Base, Resolved};
use crate::rule_set::RuleSet;
use crate::rules::{Document, Rules};
use crate::source::Source;
use crate::uri::{Uri, UriRef, UriText};
use crate::validate::Grammar;
use crate::whatwg::{self, Url};

macro_rules! serialize_text {
    ($($type:ident),*) => {$(
        impl<T: UriText> Serialize for $type<T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_ref())
            }
        }
    )*};
}

serialize_text!(UriRef, Uri, Url);

/// Reads a string as the text of type `T`. Any string is a reference, so only reading the text can fail. A `UriRef<&str>` borrows
/// the text: the input must be in memory, and the string must have no escapes of the input's format. A `UriRef<String>` is read
/// from any string. `UriRef<Arc<str>>` and `UriRef<Rc<str>>` need serde's feature `rc`, and each read allocates a new text.
impl<'de, T: UriText + Deserialize<'de>> Deserialize<'de> for UriRef<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(UriRef::new)
    }
}

/// Reads a string. Fails if it has no scheme, as [`Uri::parse`] does.
impl<'de, T: UriText + Deserialize<'de>> Deserialize<'de> for Uri<T>
where
    T::Refused: fmt::Display,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Uri::new(T::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Serialize for Resolved<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Writes the name of the rule set, with `+lenient` if it is non-strict. Fails for a mix: rules that differ from those of their
/// `document` in a field other than `lenient` have no name that can be read again.
impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if (Rules { lenient: false, ..*self }) != self.document.rules() {
            return Err(serde::ser::Error::custom("a rule set that was changed by hand has no name"));
        }
        serializer.collect_str(self)
    }
}

/// Writes the name, as that of [`Rules`] is written.
impl Serialize for RuleSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            RuleSet::Rules(rules) => rules.serialize(serializer),
            RuleSet::Whatwg => serializer.serialize_str(self.name()),
        }
    }
}

/// Writes a map of the fields: `document`, `section` and `words`, or `decision` with the reason.
impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Source::Document { document, section, words } => {
                serializer.collect_map([("document", document), ("section", section), ("words", words)])
            }
            Source::Decision { reason } => serializer.collect_map([("decision", reason)]),
        }
    }
}

macro_rules! deserialize_by_parsing {
    ($($type:ty),*) => {$(
        /// Reads a string, and parses it as its `FromStr` does. Fails if that fails.
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

macro_rules! serialize_name {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    )*};
}

deserialize_by_parsing!(Rules, RuleSet, Document, Change, Grammar, Rung, Url, whatwg::Base);
serialize_name!(Document, Change, Grammar, Rung);

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Base")]
struct SerializedBase<T> {
    uri: T,
    rules: Rules,
}

/// Writes a struct of the URI and the rules. Fails if the rules are a mix, as their serialization does.
impl Serialize for Base {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SerializedBase { uri: self.as_str(), rules: self.rules() }.serialize(serializer)
    }
}

/// Reads a struct of a URI and its rules. Fails if the URI has no scheme, as [`Base::new`] does, or if no rule set has the name.
impl<'de> Deserialize<'de> for Base {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SerializedBase { uri, rules } = SerializedBase::<Uri>::deserialize(deserializer)?;
        Ok(Base::from_uri(uri, rules))
    }
}

/// Writes the URL. Fails if the base has a character encoding for queries, which the URL cannot say.
impl Serialize for whatwg::Base {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.charset_name().is_some() {
            return Err(serde::ser::Error::custom("a base with a character encoding is more than its URL"));
        }
        serializer.serialize_str(self.as_str())
    }
}
