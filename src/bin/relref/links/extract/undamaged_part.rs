//! The part of a body before its damage.

use std::io::{self, Read};

use relref::archive::Body;

/// A body that ends before its damage, if some bytes are there.
pub struct UndamagedPart<'b> {
    body: Body<'b>,
    /// True if some bytes were read.
    is_started: bool,
    /// The damage at the end.
    pub damage: Option<String>,
}

impl<'b> UndamagedPart<'b> {
    pub fn new(body: Body<'b>) -> Self {
        UndamagedPart { body, is_started: false, damage: None }
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
