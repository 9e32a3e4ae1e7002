//! The part of a body before its damage.

use std::io::{self, Read};

use super::body::Body;
use super::damage::is_damage;

/// A reader of a body that ends before its damage, if some bytes are there.
///
/// Reading fails if the body is damaged at its start, or the archive cannot be read. Cost: that of the [`Body`].
///
/// ```
/// use std::io::Read;
/// use relref_links::archive::{Body, UndamagedPart};
///
/// // Gzip, without its checksum.
/// let bytes = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x01\x04\0\xfb\xffpage";
/// let body = Body::new(&bytes[..], bytes.len() as u64, &["gzip"])?;
/// let (mut part, mut page) = (UndamagedPart::new(body), String::new());
/// part.read_to_string(&mut page)?;
/// assert_eq!(page, "page");
/// assert!(part.into_damage().is_some_and(|damage| damage.starts_with("its body is damaged: ")));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct UndamagedPart<'b> {
    body: Body<'b>,
    is_started: bool,
    damage: Option<String>,
}

impl<'b> UndamagedPart<'b> {
    /// Returns a reader of the rest of a body.
    #[must_use]
    pub fn new(body: Body<'b>) -> Self {
        UndamagedPart { body, is_started: false, damage: None }
    }

    /// Returns the damage at the end of the part, once it was read up to there.
    #[must_use]
    pub fn into_damage(self) -> Option<String> {
        self.damage
    }
}

impl Read for UndamagedPart<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.damage.is_some() {
            return Ok(0);
        }
        match self.body.read(into) {
            Ok(read) => {
                self.is_started |= read > 0;
                Ok(read)
            }
            Err(error) if !is_damage(&error) => Err(error),
            Err(error) => {
                let damage = format!("its body is damaged: {error}");
                if !self.is_started {
                    return Err(io::Error::new(error.kind(), damage));
                }
                self.damage = Some(damage);
                Ok(0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    /// Gives some bytes, then fails.
    struct Failing(&'static [u8], ErrorKind);

    impl Read for Failing {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            match self.0.read(into)? {
                0 => Err(io::Error::new(self.1, "why")),
                read => Ok(read),
            }
        }
    }

    #[test]
    fn only_damage_ends_a_body() {
        for (bytes, kind, expected) in [
            ("page", ErrorKind::InvalidData, Ok(Some("its body is damaged: why"))),
            ("", ErrorKind::InvalidData, Err("its body is damaged: why")),
            ("page", ErrorKind::ConnectionReset, Err("why")),
            ("page", ErrorKind::Other, Err("why")),
        ] {
            let mut part = UndamagedPart::new(Body::new(Failing(bytes.as_bytes(), kind), 0, &[""; 0]).unwrap());
            let read = part.read_to_end(&mut Vec::new()).map_err(|error| error.to_string());
            let found = read.map(|_| part.into_damage());
            let found = found.as_ref().map(Option::as_deref).map_err(String::as_str);
            assert_eq!(found, expected, "{bytes} {kind}");
        }
    }
}
