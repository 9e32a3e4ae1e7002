//! The additions of site generators to Markdown, which CommonMark would take for something else: the indented text of admonitions, tabs
//! and details, which is no code, and in MDX the modules and expressions, which are no text, and JSX.
//!
//! Modules, expressions and JSX are read only in MDX. Admonitions, tabs and details are read in any page: their marks hardly ever mean
//! something else.

use super::blocks::{Blocks, Entered, column_of};
use super::mdx::{autolink_len, is_code, script_end};

/// A page as the parser needs it.
pub(super) struct Opened {
    pub(super) text: String,
    /// The offsets, in `text` and in the page, of each place after which they differ by another number than before.
    pub(super) points: Vec<(usize, usize)>,
}

/// Opens the containers of a page, and leaves out of it what is no text; `None` if it is as the parser needs it.
pub(super) fn opened(page: &str, is_mdx: bool) -> Option<Opened> {
    if !is_mdx && !has_marks(page) {
        return None;
    }
    let text = String::with_capacity(page.len() + 64);
    let mut opener = Opener {
        page,
        is_mdx,
        text,
        points: Vec::new(),
        containers: Vec::new(),
        blocks: Blocks::new(is_mdx),
        fence: None,
        after_blank: true,
        left_out_to: 0,
        code_end: 0,
        paragraph_end: 0,
        no_ticks_before: [0; MOST_TICKS + 1],
        in_tag: false,
        has_expressions: true,
        has_modules: true,
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
        let first = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
        matches!(first, Some(b'!' | b'?' | b'=')) && is_container(page[at..].lines().next().unwrap_or_default().trim())
    };
    starts(0) || memchr::memchr_iter(b'\n', page.as_bytes()).any(|end| starts(end + 1))
}

/// The longest run of backticks that starts a code span: only hostile pages have a longer one.
const MOST_TICKS: usize = 32;

struct Opener<'t> {
    page: &'t str,
    is_mdx: bool,
    text: String,
    points: Vec<(usize, usize)>,
    /// The columns at which the marks of the containers around the current line start, with the blocks around each.
    containers: Vec<(usize, Blocks)>,
    /// The quotes and items of lists around the current line, within the innermost container.
    blocks: Blocks,
    /// The mark of the fence that is open, and the numbers of containers and of blocks around it.
    fence: Option<(&'t str, usize, usize)>,
    after_blank: bool,
    /// The end of what was left out last: a module or an expression.
    left_out_to: usize,
    /// The end of the last code span or string in a tag.
    code_end: usize,
    /// The end of the paragraph that was asked for last.
    paragraph_end: usize,
    /// The offset before which no run of backticks of this length ends a code span.
    no_ticks_before: [usize; MOST_TICKS + 1],
    /// A tag of JSX is open.
    in_tag: bool,
    /// No expression was found without an end.
    has_expressions: bool,
    /// No module was found without an end, which the others would be searched for in vain, too.
    has_modules: bool,
}

impl<'t> Opener<'t> {
    /// The width of a level, as Python-Markdown has it.
    const INDENT: usize = 4;
    /// The most levels: only hostile pages have more.
    const MOST: usize = 64;

    fn line(&mut self, line: &'t str, at: usize) {
        let end = at + line.len();
        if end <= self.left_out_to {
            return self.text.push('\n');
        }
        if line.trim().is_empty() {
            self.in_tag = false;
            return self.copy(line, at);
        }
        if at < self.left_out_to {
            return self.inlines(at, end);
        }
        let column = column_of(line);
        let outer = self.containers.iter().take_while(|(mark, _)| column >= *mark + Self::INDENT).count();
        if let Some((_, blocks)) = self.containers.drain(outer..).next() {
            self.blocks = blocks;
        }
        let rest = (0..outer).fold(line, |rest, _| without_level(rest));
        let at = end - rest.len();
        let (mut entered, matched) = self.blocks.continued(rest);
        self.fence = self.fence.filter(|(_, around, depth)| *around <= outer && *depth <= matched);
        if let Some((mark, ..)) = self.fence {
            let is_indented = entered.indent() >= 4 && !self.is_mdx;
            let end = rest[entered.at..].trim_end().strip_prefix(mark).filter(|_| !is_indented);
            self.fence = self.fence.filter(|_| end.map(|end| end.trim_start_matches(&mark[..1])) != Some(""));
            return self.copy(rest, at);
        }
        self.blocks.enter(rest, &mut entered, matched);
        let content = &rest[entered.at..];
        let is_fence = entered.indent() < 4 || self.is_mdx;
        self.fence = fence(content).filter(|_| is_fence).map(|mark| (mark, outer, self.blocks.len()));
        if is_container(rest.trim()) && outer < Self::MOST {
            self.text.push('\n');
            self.copy(rest, at);
            self.text.push('\n');
            self.containers.push((column, std::mem::replace(&mut self.blocks, Blocks::new(self.is_mdx))));
        } else if !self.is_mdx || self.fence.is_some() {
            self.copy(rest, at);
        } else if self.after_blank && is_code(line) {
            let module_end = if self.has_modules { script_end(self.page, at, false) } else { None };
            self.has_modules = module_end.is_some();
            self.left_out_to = module_end.unwrap_or_else(|| self.paragraph_end(at));
            self.text.push('\n');
        } else {
            self.mdx_line(rest, at, &entered);
        }
    }

    /// Copies a line of MDX, where a line that is indented is no code, and a tag starts no block of raw HTML.
    fn mdx_line(&mut self, rest: &'t str, at: usize, entered: &Entered) {
        let content = &rest[entered.at..];
        let mut start = at;
        if entered.indent() >= 4 {
            self.copy(&rest[..entered.blank_at], at);
            self.text.extend(std::iter::repeat_n(' ', entered.base.saturating_sub(entered.blank_column)));
            start = at + entered.at;
        }
        let is_after_angle = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '>');
        let is_tag = content.strip_prefix('<').is_some_and(|rest| rest.starts_with(is_after_angle));
        if !is_tag || self.in_tag {
            return self.inlines(start, at + rest.len());
        }
        self.copy(&self.page[start..at + entered.at], start);
        // A paragraph starts with it.
        self.text.push_str("<b></b>");
        self.inlines(at + entered.at, at + rest.len());
        self.text.push_str(if content.trim_end().ends_with('>') { "\n" } else { "" });
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

    /// Copies a line of MDX without expressions and addresses in `<` and `>`, none of which are in code.
    fn inlines(&mut self, start: usize, end: usize) {
        let page = self.page;
        let mut copied = start.max(self.left_out_to).min(end);
        let mut from = copied.max(self.code_end).min(end);
        let is_heading = page[start..end].trim_start().starts_with('#');
        let is_mark = |byte: &u8, in_tag: bool| match byte {
            b'{' => true,
            b'`' | b'<' => !in_tag,
            b'"' | b'\'' | b'>' => in_tag,
            _ => false,
        };
        while let Some(len) = page.as_bytes()[from..end].iter().position(|byte| is_mark(byte, self.in_tag)) {
            let at = from + len;
            from = at + 1;
            let backslashes = page.as_bytes()[start..at].iter().rev().take_while(|byte| **byte == b'\\').count();
            let left_out = match page.as_bytes()[at] {
                _ if backslashes % 2 == 1 && !self.in_tag => None,
                b'{' => self.expression(copied, at, is_heading),
                b'<' => self.address(at, end),
                b'>' => {
                    self.in_tag = false;
                    None
                }
                quote => {
                    from = if quote == b'`' { self.after_ticks(at) } else { self.after_string(at) }.min(end);
                    None
                }
            };
            if let Some((cut, after)) = left_out {
                self.copy(&page[copied..cut], copied);
                // The text before it and that after it must not become one word.
                self.text.push(' ');
                self.left_out_to = after;
                from = after.min(end);
                copied = from;
            }
        }
        self.copy(&page[copied..end], copied);
        self.text.extend((copied == end && !self.text.ends_with('\n')).then_some('\n'));
    }

    /// Returns the part of the page that is left out for a brace at `at`: an expression, with the name of the attribute that it is the
    /// value of. One that gives a heading an id stays, and so does one without an end.
    fn expression(&mut self, copied: usize, at: usize, is_heading: bool) -> Option<(usize, usize)> {
        let (before, inner) = (&self.page[copied..at], &self.page[at + 1..]);
        let comment = inner.strip_prefix("/*");
        let is_id = comment.unwrap_or(inner).trim_start_matches(' ').starts_with('#');
        // A heading has the source of its expressions in its id.
        let is_text = comment.is_none() && (is_heading || before.ends_with("]("));
        if is_id || is_text || !self.has_expressions {
            return None;
        }
        let end = script_end(self.page, at, true);
        self.has_expressions = end.is_some();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
        let name = before.strip_suffix('=').filter(|_| self.in_tag).map(|name| name.trim_end_matches(is_part).len());
        Some((name.map_or(at, |len| copied + len), end?))
    }

    /// Reads a `<`, which starts a tag, and never an address: that is left out.
    fn address(&mut self, at: usize, end: usize) -> Option<(usize, usize)> {
        // The destination of a link or of a definition.
        let before = self.page[..at].trim_ascii_end();
        if before.ends_with("](") || before.ends_with("]:") {
            return None;
        }
        let inner = &self.page[at + 1..end];
        if let Some(len) = autolink_len(inner) {
            return Some((at, at + 1 + len));
        }
        self.in_tag = inner.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '>'));
        None
    }

    /// Returns the end of the code span that starts with the backticks at `at`; that of the backticks, if they start none.
    fn after_ticks(&mut self, at: usize) -> usize {
        let page = self.page;
        let ticks = |at: usize| page.as_bytes()[at..].iter().take_while(|byte| **byte == b'`').count();
        let len = ticks(at);
        let mut from = at + len;
        if len > MOST_TICKS || self.no_ticks_before[len] > at {
            return from;
        }
        let end = self.paragraph_end(at);
        while let Some(next) = memchr::memchr(b'`', &page.as_bytes()[from.min(end)..end]) {
            let found = ticks(from + next);
            from += next + found;
            if found == len {
                self.code_end = from;
                return from;
            }
        }
        self.no_ticks_before[len] = end;
        at + len
    }

    /// Returns the end of the string that starts with the quote at `at` in a tag.
    fn after_string(&mut self, at: usize) -> usize {
        let end = self.paragraph_end(at);
        let (quote, inner) = (self.page.as_bytes()[at], &self.page.as_bytes()[(at + 1).min(end)..end]);
        let len = memchr::memchr(quote, inner);
        self.in_tag &= len.is_some();
        self.code_end = len.map_or(at + 1, |len| at + len + 2);
        self.code_end
    }

    /// Returns the end of the paragraph around a place: the start of the next line that is blank or has a fence.
    fn paragraph_end(&mut self, at: usize) -> usize {
        if self.paragraph_end <= at {
            let bytes = self.page.as_bytes();
            let ends = memchr::memchr_iter(b'\n', &bytes[at..]).map(|len| at + len + 1);
            let is_end = |start: &usize| {
                let blanks = bytes[*start..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
                let rest = &bytes[start + blanks..];
                matches!(rest.first(), None | Some(b'\n')) || rest.starts_with(b"```") || rest.starts_with(b"~~~")
            };
            self.paragraph_end = { ends }.find(is_end).unwrap_or(bytes.len());
        }
        self.paragraph_end
    }
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

/// Returns the backticks or tildes of the fence that a line starts with.
fn fence(line: &str) -> Option<&str> {
    let start = line.trim_start();
    let mark = start.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let len = start.len() - start.trim_start_matches(mark).len();
    let is_fence = len >= 3 && !(mark == '`' && start[len..].contains('`'));
    is_fence.then(|| &start[..len])
}
