//! MDX: where JavaScript in a page ends, which is found by its brackets, strings and comments.

/// Reports whether a line is the start of an import or export of a module.
pub(super) fn is_code(line: &str) -> bool {
    if let Some(import) = line.strip_prefix("import ") {
        let is_quoted = |text: &str| text.trim_start().starts_with(['"', '\'']);
        return is_quoted(import)
            || import.trim_start().starts_with('{')
            || import.split_once(" from ").is_some_and(|(_, from)| is_quoted(from));
    }
    const WORDS: [&str; 8] = ["const ", "let ", "var ", "default ", "function ", "async ", "class ", "{"];
    line.strip_prefix("export ").is_some_and(|export| WORDS.iter().any(|word| export.starts_with(word)))
}

/// Returns the end of the JavaScript that starts at `start`: that of an expression in braces, or that of a statement, which is the first
/// blank line outside of brackets. `None` if something is open at the end of the page.
pub(super) fn script_end(page: &str, start: usize, is_expression: bool) -> Option<usize> {
    let bytes = page.as_bytes();
    // The brackets and template strings that are open.
    let mut open: Vec<u8> = Vec::new();
    let (mut at, mut no_string_before) = (start, 0);
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let in_template = open.last() == Some(&b'`');
        at += 1;
        match byte {
            b'\\' => at += 1,
            b'`' if in_template => drop(open.pop()),
            b'$' if in_template && rest.starts_with(b"${") => {
                open.push(b'{');
                at += 1;
            }
            _ if in_template => {}
            b'{' | b'(' | b'[' | b'`' => open.push(byte),
            b')' => _ = pop(&mut open, b"("),
            b']' => _ = pop(&mut open, b"["),
            b'}' => {
                // A parenthesis in the text of an element may have no other.
                while pop(&mut open, b"([") {}
                pop(&mut open, b"{");
                if is_expression && open.is_empty() {
                    return Some(at);
                }
            }
            b'"' | b'\'' if at > no_string_before => match string_len(rest) {
                Ok(len) => at += len - 1,
                // An apostrophe in the text of an element.
                Err(line_len) => no_string_before = at + line_len,
            },
            b'/' if rest.starts_with(b"/*") => at += memchr::memmem::find(rest, b"*/")? + 1,
            b'/' if rest.starts_with(b"//") && (at < 2 || bytes[at - 2] != b':') => {
                at += memchr::memchr(b'\n', rest).unwrap_or(rest.len()) - 1;
            }
            b'\n' if !is_expression && open.is_empty() && starts_with_blank_line(&bytes[at..]) => return Some(at),
            _ => {}
        }
    }
    (!is_expression && open.is_empty()).then_some(bytes.len())
}

/// Closes the last bracket that is open, if it is one of `brackets`.
fn pop(open: &mut Vec<u8>, brackets: &[u8]) -> bool {
    let is_one = open.last().is_some_and(|last| brackets.contains(last));
    if is_one {
        open.pop();
    }
    is_one
}

/// Returns the length of the string at the start of a text, or that of the rest of the line without one.
fn string_len(text: &[u8]) -> Result<usize, usize> {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => return Err(at),
            b'\\' => at += 1,
            byte if byte == text[0] => return Ok(at + 1),
            _ => {}
        }
        at += 1;
    }
    Err(text.len())
}

fn starts_with_blank_line(text: &[u8]) -> bool {
    matches!(text.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')), None | Some(b'\n'))
}

/// Returns the length of what follows the `<` of an address up to its `>`, such as `https://example.com>` (CommonMark §6.5).
pub(super) fn autolink_len(inner: &str) -> Option<usize> {
    let end = inner.find(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>'))?;
    let address = &inner[..end];
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-');
    let scheme = address.split_once(':').map(|(scheme, _)| scheme);
    let is_scheme = |scheme: &str| (2..=32).contains(&scheme.len()) && scheme.chars().all(is_part);
    let is_address = scheme.is_some_and(is_scheme) || address.contains('@');
    (is_address && inner[end..].starts_with('>')).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_end_outside_of_their_brackets_and_strings() {
        for (page, end) in [
            ("{a} b", Some(3)),
            ("{'}' + \"}\" + `}${'`'}}`} b", Some(24)),
            ("{/* } */} b", Some(9)),
            ("{a // }\n} b", Some(9)),
            ("{<p>don't :) </p>} b", Some(18)),
            ("{<p>http://h/}", Some(14)),
            ("{a", None),
            ("{`a}", None),
            ("{/* }", None),
            ("{\\", None),
        ] {
            assert_eq!(script_end(page, 0, true), end, "{page}");
        }
        for (page, end) in [
            ("import a\n\nb", Some(9)),
            ("export {\n\na\n}\n  \nb", Some(14)),
            ("export `\n\n`\n\nb", Some(12)),
            ("export {\n\n", None),
        ] {
            assert_eq!(script_end(page, 0, false), end, "{page}");
        }
    }
}
