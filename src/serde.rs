//! Serialization of references, URIs and rule sets as strings (feature `serde`).

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::resolve::Resolved;
use crate::rules::Rules;
use crate::uri::{Text, Uri, UriRef};

impl<T: Text> Serialize for UriRef<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_ref())
    }
}

/// `UriRef<&str>` borrows from the input, so only from text without escapes that is in memory; `UriRef<String>` does not.
impl<'de, T: Text + Deserialize<'de>> Deserialize<'de> for UriRef<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(UriRef::new)
    }
}

impl<T: Text> Serialize for Uri<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_ref())
    }
}

/// Fails where [`Uri::parse`] does.
impl<'de, T: Text + Deserialize<'de>> Deserialize<'de> for Uri<T>
where
    T::Refused: core::fmt::Display,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Uri::parse(T::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Serialize for Resolved<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Writes the name. Rules whose fields were changed by hand have no name that could be read back, and are an error.
impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if (Rules { lenient: false, ..*self }) != self.document.rules() {
            return Err(serde::ser::Error::custom("a rule set that was changed by hand has no name"));
        }
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Rules;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("the name of a rule set")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Rules, E> {
                name.parse().map_err(|_| E::invalid_value(Unexpected::Str(name), &self))
            }
        }
        deserializer.deserialize_str(Name)
    }
}
