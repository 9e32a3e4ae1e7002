//! Serialization of references, URIs and rule sets as strings (feature `serde`).

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::resolve::Resolved;
use crate::rules::Rules;
use crate::uri::UriRef;

impl Serialize for UriRef<&str> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Borrows from the input, so it needs an input in memory, and a string that contains no escapes of the input's format.
impl<'de: 'a, 'a> Deserialize<'de> for UriRef<&'a str> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&str>::deserialize(deserializer).map(UriRef::new)
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
