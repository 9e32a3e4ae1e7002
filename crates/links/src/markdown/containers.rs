//! What generators of sites add to Markdown, and CommonMark would take for something else: the indented text of admonitions, tabs and
//! details, which is no code, and the comments and imports of MDX, which are no text.
//!
//! They are known by their marks, whatever the renderer is: hardly any page has these for another reason.

/// A page as the parser needs it.
pub(super) struct Opened {
    pub(super) text: String,
    /// The offsets, in `text` and in the page, of each place after which they differ by another number than before.
    pub(super) points: Vec<(usize, usize)>,
}

/// Opens the containers of a page; `None` if it has none.
pub(super) fn opened(page: &str) -> Option<Opened> {
    if !has_marks(page) {
        return None;
    }
    let text = String::with_capacity(page.len() + 64);
    let mut opener = Opener {
        page,
        text,
        points: Vec::new(),
        containers: Vec::new(),
        fence: None,
        in_code: false,
        after_blank: true,
        comment_end: 0,
        has_comments: true,
    };
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        opener.line(line, at);
        opener.after_blank = line.trim().is_empty();
        at += line.len();
    }
    Some(Opened { text: opener.text, points: opener.points })
}

/// Reports whether any line is not read as CommonMark has it.
fn has_marks(page: &str) -> bool {
    let starts = |at: usize| {
        let rest = &page.as_bytes()[at..];
        let first = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
        let line = || page[at..].lines().next().unwrap_or_default();
        match first.map(|first| (first, rest[first])) {
            Some((_, b'!' | b'?' | b'=')) => is_container(line().trim()),
            Some((0, b'i' | b'e')) => is_code(line()),
            _ => false,
        }
    };
    let has_comment = memchr::memmem::find(page.as_bytes(), b"{/*").is_some();
    has_comment || starts(0) || memchr::memchr_iter(b'\n', page.as_bytes()).any(|end| starts(end + 1))
}

struct Opener<'t> {
    page: &'t str,
    text: String,
    points: Vec<(usize, usize)>,
    /// The columns at which the marks of the containers around the current line start.
    containers: Vec<usize>,
    /// The mark of the fence that is open, and the number of containers around it.
    fence: Option<(&'t str, usize)>,
    /// The line belongs to an import or an export, which ends with a blank line.
    in_code: bool,
    after_blank: bool,
    /// The end of the last comment.
    comment_end: usize,
    /// No comment was found without an end.
    has_comments: bool,
}

impl<'t> Opener<'t> {
    /// The width of a level, as Python-Markdown has it.
    const INDENT: usize = 4;
    /// The most levels: only hostile pages have more.
    const MOST: usize = 64;

    fn line(&mut self, line: &'t str, at: usize) {
        if line.trim().is_empty() {
            self.in_code = false;
            return self.copy(line, at);
        }
        if at + line.len() <= self.comment_end {
            return self.text.push('\n');
        }
        let column = column_of(line);
        let outer = self.containers.iter().take_while(|mark| column >= **mark + Self::INDENT).count();
        self.containers.truncate(outer);
        self.fence = self.fence.filter(|(_, around)| *around <= outer);
        let rest = (0..outer).fold(line, |rest, _| without_level(rest));
        let at = at + line.len() - rest.len();
        if let Some((mark, _)) = self.fence {
            let end = rest.trim().strip_prefix(mark).map(|end| end.trim_start_matches(&mark[..1]));
            self.fence = self.fence.filter(|_| end != Some(""));
            return self.copy(rest, at);
        }
        self.fence = fence(rest).map(|mark| (mark, outer));
        self.in_code |= self.after_blank && is_code(line);
        if is_container(rest.trim()) && outer < Self::MOST {
            self.text.push('\n');
            self.copy(rest, at);
            self.text.push('\n');
            self.containers.push(column);
        } else if self.in_code {
            self.text.push('\n');
        } else if self.fence.is_some() {
            self.copy(rest, at);
        } else {
            self.without_comments(at, at + rest.len());
        }
    }

    /// Copies a part of the page. Only what is skipped or added before it needs a point.
    fn copy(&mut self, part: &str, at: usize) {
        let here = self.text.len();
        let is_known = self.points.last().is_some_and(|(text, page)| here + page == at + text);
        if !is_known {
            self.points.push((here, at));
        }
        self.text.push_str(part);
    }

    /// Copies a line without comments. One that gives a heading an id stays, and so does what code, or the lack of an end, makes text.
    fn without_comments(&mut self, start: usize, end: usize) {
        let page = self.page;
        let mut from = start.max(self.comment_end).min(end);
        let (mut copied, mut ticks) = (from, 0);
        while let Some(len) = page[from..end].find("{/*").filter(|_| self.has_comments) {
            let comment = from + len;
            ticks += page[from..comment].bytes().filter(|byte| *byte == b'`').count();
            from = comment + "{/*".len();
            let inner = &page[from..];
            if ticks % 2 == 1 || inner.trim_start_matches(' ').starts_with('#') {
                continue;
            }
            let Some(len) = inner.find("*/}") else {
                self.has_comments = false;
                break;
            };
            self.copy(&page[copied..comment], copied);
            // What is before it and after it must not become one word.
            self.text.push(' ');
            self.comment_end = from + len + "*/}".len();
            from = self.comment_end.min(end);
            copied = from;
        }
        self.copy(&page[copied..end], copied);
        self.text.extend((copied == end && !self.text.ends_with('\n')).then_some('\n'));
    }
}

/// The column at which the text of a line starts.
fn column_of(line: &str) -> usize {
    let blanks = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t'));
    blanks.fold(0, |column, byte| if byte == b'\t' { column / 4 * 4 + 4 } else { column + 1 })
}

/// Returns a line without one level of its indentation: four spaces, or up to a tab.
fn without_level(line: &str) -> &str {
    let spaces = line.bytes().take(Opener::INDENT).take_while(|byte| *byte == b' ').count();
    let rest = &line[spaces..];
    if spaces == Opener::INDENT { rest } else { rest.strip_prefix('\t').unwrap_or(rest) }
}

/// Reports whether a line starts an admonition, details or a tab: `!!! note "Title"`, `??? note`, `=== "Tab"`.
fn is_container(line: &str) -> bool {
    let named = line
        .strip_prefix("!!!")
        .or_else(|| line.strip_prefix("???").map(|rest| rest.strip_prefix('+').unwrap_or(rest)));
    match named {
        Some(rest) => rest.trim_start().starts_with(|c: char| c.is_alphanumeric() || c == '"'),
        None => line.strip_prefix("===").is_some_and(|rest| {
            let title = rest.trim_start_matches(['!', '+']);
            title.starts_with(' ') && title.trim_start().starts_with('"') && title.trim_end().ends_with('"')
        }),
    }
}

/// Reports whether a line is the start of an import or export of a module.
fn is_code(line: &str) -> bool {
    // Text that happens to start with one of these words.
    if line.contains("](") {
        return false;
    }
    if let Some(import) = line.strip_prefix("import ") {
        let is_quoted = |text: &str| text.trim_start().starts_with(['"', '\'']);
        return is_quoted(import)
            || import.trim_start().starts_with('{')
            || import.split_once(" from ").is_some_and(|(_, from)| is_quoted(from));
    }
    const WORDS: [&str; 8] = ["const ", "let ", "var ", "default ", "function ", "async ", "class ", "{"];
    line.strip_prefix("export ").is_some_and(|export| WORDS.iter().any(|word| export.starts_with(word)))
}

fn fence(line: &str) -> Option<&str> {
    let start = line.trim_start();
    let mark = start.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let len = start.len() - start.trim_start_matches(mark).len();
    let is_fence = len >= 3 && !(mark == '`' && start[len..].contains('`'));
    is_fence.then(|| &start[..len])
}
