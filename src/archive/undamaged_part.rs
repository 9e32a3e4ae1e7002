//! The part of a body before its damage.

use std::io::{self, Read};

use super::body::Body;

/// A reader of a body that ends before its damage, if some bytes are there.
///
/// Reading fails if the body is damaged at its start, or the archive cannot be read. Cost: that of the [`Body`].
///
/// ```
/// use std::io::{Cursor, Read};
/// use relref::archive::{Body, UndamagedPart};
///
/// // Gzip, without its checksum.
/// let bytes = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x01\x04\0\xfb\xffpage";
/// let body = Body::new(Box::new(Cursor::new(bytes)), bytes.len() as u64, &["gzip".to_owned()])?;
/// let (mut part, mut page) = (UndamagedPart::new(body), String::new());
/// part.read_to_string(&mut page)?;
/// assert_eq!(page, "page");
/// assert!(part.into_damage().is_some_and(|damage| damage.starts_with("its body is damaged: ")));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct UndamagedPart<'b> {
    body: Body<'b>,
    /// True if some bytes were read.
    is_started: bool,
    /// The damage at the end.
    damage: Option<String>,
}

impl<'b> UndamagedPart<'b> {
    /// Reads a body from where it is.
    pub fn new(body: Body<'b>) -> Self {
        UndamagedPart { body, is_started: false, damage: None }
    }

    /// Returns the damage before which it ended, once it was read to its end.
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
            Err(error) if error.raw_os_error().is_some() => Err(error),
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
