//! Serialization of normalizers (feature `serde`): the name of a preset, or a preset and what differs from it.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::{Change, Normalizer};
use crate::names::ValueNames;

/// In the order of [`presets`].
const PRESET_NAMES: &ValueNames = &ValueNames { noun: "a preset", all: &["safe", "crawl"], ending: None };

fn presets() -> Vec<Normalizer> {
    // In the order of `PRESET_NAMES`.
    vec![Normalizer::safe(), Normalizer::crawl()]
}

fn preset(name: &str) -> Result<Normalizer, crate::error::Error> {
    let index = PRESET_NAMES.find(name).map_err(crate::error::Error::unknown_name)?;
    Ok(presets().swap_remove(index))
}

/// The differences from a preset; a field with an empty list or `None` holds none.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Normalizer", deny_unknown_fields)]
struct Written {
    preset: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    with: Vec<Change>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    without: Vec<Change>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tracking: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    keep_only: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    keep_illegal_escapes: Option<bool>,
}

impl Written {
    fn new(normalizer: &Normalizer, name: &str, preset: &Normalizer) -> Self {
        let missing = |from: &Normalizer, other: &Normalizer| -> Vec<Change> {
            Change::ALL.iter().copied().filter(|&change| from.has(change) && !other.has(change)).collect()
        };
        let texts = |names: &mut dyn Iterator<Item = &str>| names.map(ToOwned::to_owned).collect::<Vec<_>>();
        let Normalizer { lists, keeps_illegal_escapes: keeps, .. } = normalizer;
        let keep_only = texts(&mut lists.names_to_keep());
        let mut written = Written {
            preset: name.to_owned(),
            with: missing(normalizer, preset),
            without: Vec::new(),
            tracking: (lists.tracking != preset.lists.tracking).then(|| texts(&mut lists.tracking())),
            keep_only: (normalizer.has(Change::KeepOnly) || !keep_only.is_empty()).then_some(keep_only),
            keep_illegal_escapes: (*keeps != preset.keeps_illegal_escapes).then_some(*keeps),
        };
        // The list `keep_only` adds this change.
        written.with.retain(|&change| change != Change::KeepOnly);
        let described = written.to_normalizer(preset.clone());
        written.without = missing(&described, normalizer);
        written
    }

    fn differences(&self) -> usize {
        let Written { with, without, tracking, keep_only, keep_illegal_escapes, .. } = self;
        let others = [tracking.is_some(), keep_only.is_some(), keep_illegal_escapes.is_some()];
        with.len() + without.len() + others.into_iter().filter(|&differs| differs).count()
    }

    /// `preset` must be the one whose name is in the field `preset`.
    fn to_normalizer(&self, preset: Normalizer) -> Normalizer {
        let mut normalizer = self.with.iter().copied().fold(preset, Normalizer::with);
        if let Some(names) = &self.tracking {
            normalizer = normalizer.tracking(names);
        }
        if let Some(names) = &self.keep_only {
            normalizer = normalizer.keep_only(names);
        }
        if let Some(keep) = self.keep_illegal_escapes {
            normalizer = normalizer.keep_illegal_escapes(keep);
        }
        self.without.iter().copied().fold(normalizer, Normalizer::without)
    }
}

/// Writes the name of a preset, or a struct for any other normalizer: in `preset` the preset with the fewest differences, and those
/// in `with`, `without`, `tracking`, `keep_only` and `keep_illegal_escapes`, as far as they hold any.
impl Serialize for Normalizer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let of = |(name, preset): (&&str, &Normalizer)| Written::new(self, name, preset);
        let all = PRESET_NAMES.all.iter().zip(&presets()).map(of).collect::<Vec<_>>();
        let written = all.into_iter().min_by_key(Written::differences).expect("there are presets");
        if written.differences() == 0 {
            return serializer.serialize_str(&written.preset);
        }
        written.serialize(serializer)
    }
}

/// Reads the name of a preset, or the struct that `Serialize` writes. The format must say the types of its values, as JSON does.
/// The changes in `without` are removed after all other fields are applied.
impl<'de> Deserialize<'de> for Normalizer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PresetOrStruct;

        impl<'de> Visitor<'de> for PresetOrStruct {
            type Value = Normalizer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a preset, or a struct with a field `preset`")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Normalizer, E> {
                preset(name).map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Normalizer, A::Error> {
                let written = Written::deserialize(MapAccessDeserializer::new(map))?;
                preset(&written.preset).map(|preset| written.to_normalizer(preset)).map_err(A::Error::custom)
            }
        }

        deserializer.deserialize_any(PresetOrStruct)
    }
}
