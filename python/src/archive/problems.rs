//! The problems of archives, of which a limited number is kept.

use std::sync::Arc;

/// A problem of an archive.
pub struct Damage {
    /// The name of the archive in a WACZ file; `None` if the archive is a file itself.
    pub archive: Option<Arc<str>>,
    /// The offset in the archive of the record that has the problem; `None` if it is not about a record.
    pub offset: Option<u64>,
    /// The message.
    pub reason: String,
}

/// Problems in their order. The problems of an archive come one after the other. After [`MAX_TOLD`](Self::MAX_TOLD) of an archive,
/// or [`MAX_LEN`](Self::MAX_LEN) bytes of messages, the others are one more problem, which says their number.
#[derive(Default)]
pub struct Problems {
    list: Vec<Damage>,
    /// The number of problems of the last archive that are in the list.
    told: usize,
    /// The number of problems that are only counted in the last one.
    further: u64,
    /// The number of bytes of the messages and names in the list.
    len: usize,
}

impl Problems {
    /// The most problems of an archive in the list.
    const MAX_TOLD: usize = 100;
    /// The number of bytes of messages after which problems of all archives are only counted.
    const MAX_LEN: usize = 1 << 20;

    /// Adds a problem, or counts it.
    pub fn add(&mut self, damage: Damage) {
        let is_over = self.len >= Self::MAX_LEN;
        if !is_over && self.list.last().is_some_and(|last| last.archive != damage.archive) {
            (self.told, self.further) = (0, 0);
        }
        if self.told < Self::MAX_TOLD && !is_over {
            self.told += 1;
            return self.push(damage);
        }
        self.further += 1;
        let reason = format!("and {} more problem{}", self.further, if self.further == 1 { "" } else { "s" });
        match self.list.last_mut().filter(|_| self.further > 1) {
            Some(last) => {
                last.reason = reason;
                if last.archive != damage.archive {
                    last.archive = None;
                }
            }
            None => self.push(Damage { archive: damage.archive, offset: None, reason }),
        }
    }

    fn push(&mut self, damage: Damage) {
        self.len += damage.reason.len() + damage.archive.as_ref().map_or(0, |name| name.len());
        self.list.push(damage);
    }

    /// Returns the problems.
    pub fn list(&self) -> &[Damage] {
        &self.list
    }
}
