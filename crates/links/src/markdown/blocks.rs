//! The quotes and items of lists around a line (CommonMark §5), as far as it must be known which lines code has.

/// The blocks around a line, the innermost last.
pub(super) struct Blocks {
    open: Vec<Block>,
    /// A line that is indented may start any of them.
    is_mdx: bool,
}

#[derive(Clone, Copy)]
enum Block {
    Quote,
    /// An item, and how far its text is indented.
    Item(usize),
}

/// How a line stands in the blocks around it.
#[derive(Default)]
pub(super) struct Entered {
    /// The offset of its content, and its column.
    pub(super) at: usize,
    column: usize,
    /// The offset of the white space before the content, and its column.
    pub(super) blank_at: usize,
    pub(super) blank_column: usize,
    /// The column at which the text of the innermost block starts.
    pub(super) base: usize,
}

impl Entered {
    /// Returns how far the content is indented within the innermost block.
    pub(super) fn indent(&self) -> usize {
        self.column.saturating_sub(self.base)
    }

    /// Goes to the content after the bytes up to `at`, and what is blank there.
    fn go_to(&mut self, line: &str, at: usize, column: usize) {
        (self.blank_at, self.blank_column) = (at, column);
        (self.at, self.column) = (at, column);
        for byte in line.bytes().skip(at).take_while(|byte| matches!(byte, b' ' | b'\t')) {
            self.column = if byte == b'\t' { self.column / 4 * 4 + 4 } else { self.column + 1 };
            self.at += 1;
        }
    }

    fn enter_quote(&mut self, line: &str) -> bool {
        let is_quote = line.as_bytes().get(self.at) == Some(&b'>');
        if is_quote {
            self.base = self.column + 1;
            self.go_to(line, self.at + 1, self.base);
            // One space belongs to the mark.
            self.base += usize::from(self.column > self.base);
        }
        is_quote
    }
}

impl Blocks {
    /// The most blocks: only hostile pages have more.
    const MOST: usize = 64;

    pub(super) fn new(is_mdx: bool) -> Self {
        Blocks { open: Vec::new(), is_mdx }
    }

    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// Returns how a line stands in those of the blocks that it continues, and the number of these.
    pub(super) fn continued(&self, line: &str) -> (Entered, usize) {
        let mut entered = Entered::default();
        entered.go_to(line, 0, 0);
        let continues = |block: &&Block| match block {
            Block::Quote => entered.indent() < 4 && entered.enter_quote(line),
            Block::Item(width) => {
                let is_in = entered.indent() >= *width;
                entered.base += if is_in { *width } else { 0 };
                is_in
            }
        };
        let matched = self.open.iter().take_while(continues).count();
        (entered, matched)
    }

    /// Leaves all blocks but those that a line continues, and opens those that it starts.
    pub(super) fn enter(&mut self, line: &str, entered: &mut Entered, matched: usize) {
        self.open.truncate(matched);
        while self.open.len() < Self::MOST && (entered.indent() < 4 || self.is_mdx) {
            if entered.enter_quote(line) {
                self.open.push(Block::Quote);
                continue;
            }
            let Some(len) = marker_len(&line[entered.at..]) else { break };
            let after = entered.column + len;
            entered.go_to(line, entered.at + len, after);
            let is_empty = line[entered.at..].trim_end().is_empty();
            let spaces = if is_empty || entered.column - after > 4 { 1 } else { entered.column - after };
            self.open.push(Block::Item(after + spaces - entered.base));
            entered.base = after + spaces;
        }
    }
}

/// Returns the length of the marker of an item at the start of a text.
fn marker_len(text: &str) -> Option<usize> {
    let digits = text.bytes().take(10).take_while(u8::is_ascii_digit).count();
    let is_marker = match text.as_bytes().get(digits) {
        Some(b'-' | b'+' | b'*') => digits == 0,
        Some(b'.' | b')') => (1..10).contains(&digits),
        _ => false,
    };
    (is_marker && matches!(text.as_bytes().get(digits + 1), None | Some(b' ' | b'\t' | b'\r' | b'\n')))
        .then_some(digits + 1)
}

/// The column at which the text of a line starts.
pub(super) fn column_of(line: &str) -> usize {
    let mut entered = Entered::default();
    entered.go_to(line, 0, 0);
    entered.column
}
