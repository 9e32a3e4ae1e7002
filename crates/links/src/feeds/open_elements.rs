//! `OpenElements`: the names and the number of the open elements of a feed.

/// The most elements whose names are kept. Elements inside of them are only counted.
const MAX_NAMES: usize = 64;
/// The most bytes that the kept names have together.
const MAX_NAMES_LEN: usize = 64 << 10;

/// The open elements of a feed, each inside of the one before. The names of the outermost ones are kept, at most [`MAX_NAMES`]
/// names that have together at most [`MAX_NAMES_LEN`] bytes. The elements inside of these are only counted.
#[derive(Default)]
pub(super) struct OpenElements {
    /// The kept names, one after another.
    names: String,
    /// The index in `names` at which each name starts.
    starts: Vec<usize>,
    /// The number of open elements whose names are not kept. They are inside of those whose names are kept.
    unnamed: u64,
}

impl OpenElements {
    /// Returns the number of open elements.
    pub(super) fn depth(&self) -> u64 {
        self.starts.len() as u64 + self.unnamed
    }

    /// Opens an element with this name, inside of the innermost open element.
    pub(super) fn open(&mut self, name: &str) {
        if self.unnamed > 0 || self.starts.len() == MAX_NAMES || self.names.len() + name.len() > MAX_NAMES_LEN {
            self.unnamed += 1;
            return;
        }
        self.starts.push(self.names.len());
        self.names.push_str(name);
    }

    /// Closes the element that the end tag with this name ends: the innermost open element with the name. Also closes the elements
    /// inside of it, whose end tags are missing. Does nothing if no open element has the name.
    ///
    /// Names that are not kept cannot be compared. If the name of the innermost element is not kept, closes only that element, or
    /// all elements if the name is that of the root element.
    pub(super) fn close(&mut self, name: &str) {
        if self.unnamed > 0 {
            // Their names are not known. The root is in no other element.
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
