//! A writer of JSON: the few kinds of values that an answer has.

/// Appends a string.
pub fn string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\0'..='\u{1F}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push(c),
        }
    }
    out.push('"');
}

/// Appends an array.
pub fn array<T>(out: &mut String, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    out.push('[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(']');
}

/// Appends an object of strings, without those that are `None`, and leaves it open.
pub fn open_object(out: &mut String, fields: &[(&str, Option<&str>)]) {
    out.push('{');
    let fields = fields.iter().filter_map(|&(name, text)| text.map(|text| (name, text)));
    for (index, (name, text)) in fields.enumerate() {
        if index > 0 {
            out.push(',');
        }
        string(out, name);
        out.push(':');
        string(out, text);
    }
}
