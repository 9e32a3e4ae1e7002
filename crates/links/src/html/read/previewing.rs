//! The first pass over a page that comes in chunks: the search for the facts about it in what is held.

use encoding_rs::Encoding;

use super::carry::MAX_TAG_LEN;
use super::transcoder::Transcoder;
use crate::html::preview::Preview;
use crate::html::tokens::scanner::{After, Scanner};

/// The length, in bytes, of the text after the head in which facts still count, unless they count wherever they are.
const AFTER_HEAD_LEN: usize = 1 << 10;

/// The search for the facts about a page whose start is held.
pub(super) struct Previewing {
    pub(super) preview: Preview,
    /// The decoder of a page that is not scanned as it is.
    transcoder: Option<Transcoder>,
    /// The length, in bytes, of what is held that the decoder has decoded.
    decoded: usize,
    /// The length of the text at the last search.
    len: usize,
    /// The lengths of the text that were searched for tags that may state facts, and that were scanned as one of them did.
    searched: usize,
    scanned: usize,
    has_found: bool,
    /// Facts count wherever they are.
    waits: bool,
    /// The length of the text up to the end of the head; `None` before it.
    head_len: Option<usize>,
}

impl Previewing {
    pub(super) fn new(mut preview: Preview, waits: bool) -> Self {
        let charset = preview.charset;
        let transcoder = if charset.is_ascii_compatible() { None } else { Some(Transcoder::new(charset)) };
        if !waits {
            preview.stop_after_head();
        }
        let (decoded, len, searched, scanned, has_found, head_len) = (0, 0, 0, 0, false, None);
        Previewing { preview, transcoder, decoded, len, searched, scanned, has_found, waits, head_len }
    }

    /// Returns the length of the text in which facts count; `None` if that is not known yet, or all of it.
    fn most(&self) -> Option<usize> {
        self.head_len.map(|len| len + AFTER_HEAD_LEN)
    }

    /// Returns the length of what the facts are found in, if no others count.
    pub(super) fn settled_len(&self) -> Option<usize> {
        self.most().filter(|most| *most <= self.len)
    }

    /// Returns the character encoding in which the page must be read from its start, if it is another one.
    pub(super) fn search(
        &mut self,
        held: &[u8],
        buffer: &mut Vec<u8>,
        scanner: &mut Scanner,
        is_last: bool,
    ) -> Option<&'static Encoding> {
        let text = match &mut self.transcoder {
            Some(transcoder) => {
                transcoder.decode(&held[self.decoded..], is_last, buffer, None);
                self.decoded = held.len();
                &*buffer
            }
            None => held,
        };
        // The text that is read again with each search must first grow by a factor, so that time is linear.
        let again = self.len - if self.has_found { self.searched.min(self.scanned) } else { self.searched };
        if text.len() - self.len < again / 8 && !is_last && held.len() <= MAX_TAG_LEN {
            return None;
        }
        self.len = text.len();
        let after = if is_last { After::Nothing } else { After::More };
        if !self.waits {
            self.scan_head(text, after, scanner);
            return self.preview.other_charset;
        }
        let (has_found, searched) = self.preview.search(&text[self.searched..], is_last);
        self.has_found |= has_found || scanner.is_xml();
        self.searched += searched;
        if self.has_found {
            self.scanned += scanner.scan(&text[self.scanned..], after, &mut self.preview);
            // A tag may be cut, or a title.
            self.has_found = self.scanned < text.len() || self.preview.is_in_title;
        }
        self.preview.other_charset
    }

    /// Scans the text as far as facts count in it, whatever the chunks are.
    fn scan_head(&mut self, text: &[u8], after: After, scanner: &mut Scanner) {
        loop {
            let end = self.most().map_or(text.len(), |most| most.min(text.len()));
            let after = if end < text.len() { After::More } else { after };
            self.scanned += scanner.scan(&text[self.scanned..end], after, &mut self.preview);
            if !self.preview.has_left_head() {
                self.searched = self.scanned;
                return;
            }
            self.head_len = Some(self.scanned);
        }
    }
}
