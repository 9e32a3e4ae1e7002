//! `OpenElements`: the names and the number of the open elements of a feed.

const MAX_NAMES: usize = 64;
const MAX_NAMES_LEN: usize = 64 << 10;

/// The open elements of a feed, each inside of the one before. Only the names of the outermost ones are kept.
#[derive(Default)]
pub(super) struct OpenElements {
    names: String,
    starts: Vec<usize>,
    /// The number of elements whose names are not kept, inside of the others.
    unnamed: u64,
}

impl OpenElements {
    pub(super) fn depth(&self) -> u64 {
        self.starts.len() as u64 + self.unnamed
    }

    pub(super) fn open(&mut self, name: &str) {
        if self.unnamed > 0 || self.starts.len() == MAX_NAMES || self.names.len() + name.len() > MAX_NAMES_LEN {
            self.unnamed += 1;
            return;
        }
        self.starts.push(self.names.len());
        self.names.push_str(name);
    }

    /// Closes the innermost open element with this name, and the elements inside of it, whose end tags are missing.
    pub(super) fn close(&mut self, name: &str) {
        if self.unnamed > 0 {
            // Names that are not kept cannot be compared. The root is in no other element.
            if self.names[..self.starts.get(1).copied().unwrap_or(self.names.len())] == *name {
                *self = Self::default();
            } else {
                self.unnamed -= 1;
            }
            return;
        }
        let mut end = self.names.len();
        for (depth, &start) in self.starts.iter().enumerate().rev() {
            if self.names[start..end] == *name {
                self.names.truncate(start);
                self.starts.truncate(depth);
                return;
            }
            end = start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn end_tags_close_the_elements_of_their_name() {
        let mut open = OpenElements::default();
        for (tag, depth) in [
            ("rss", 1),
            ("item", 2),
            ("br", 3),
            ("b", 4),
            ("/br", 2),
            ("/b", 2),
            ("/br", 2),
            ("link", 3),
            ("/item", 1),
            ("/rss", 0),
            ("/rss", 0),
        ] {
            match tag.strip_prefix('/') {
                Some(name) => open.close(name),
                None => open.open(tag),
            }
            assert_eq!(open.depth(), depth, "{tag}");
        }
        let deep = 3 * MAX_NAMES as u64;
        open.open("rss");
        (0..deep).for_each(|_| open.open("x"));
        open.close("rss");
        assert_eq!(open.depth(), 0);
        open.open("rss");
        (0..deep).for_each(|_| open.open("x"));
        assert_eq!(open.depth(), deep + 1);
        (0..deep).for_each(|_| open.close("x"));
        assert_eq!((open.depth(), &*open.names), (1, "rss"));
        open.close("rss");
        open.open(&"x".repeat(MAX_NAMES_LEN + 1));
        open.close("y");
        assert_eq!(open.depth(), 0);
    }
}
