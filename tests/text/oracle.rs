//! Finds the wrapped URIs of a text naively, to compare with.

/// The same by other means: from each `>` back to its `<`, character by character.
pub fn oracle(text: &str) -> Vec<(std::ops::Range<usize>, String, bool, Option<String>)> {
    let white = |c: char| " \t\r\n\x0C".contains(c);
    let mut found = Vec::new();
    for (end, _) in text.match_indices('>') {
        let Some(start) = text[..end].rfind(['<', '>', '"']).filter(|&at| text[at..].starts_with('<')) else {
            continue;
        };
        let inside = text[start + 1..end].trim_start_matches(white);
        let prefixed = inside.to_ascii_lowercase().starts_with("url:");
        let uri = if prefixed { inside[4..].trim_start_matches(white) } else { inside };
        let Some((scheme, _)) = uri.split_once(':') else { continue };
        let legal = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(legal) {
            continue;
        }
        if uri.chars().any(|c| c.is_ascii_control() && !white(c)) {
            continue;
        }
        let cleaned: String = uri.chars().filter(|&c| !white(c)).collect();
        let ends_line = |at: usize| {
            let behind = &uri[at + 1..];
            let gap = &behind[..behind.find(|c| !white(c)).unwrap_or(behind.len())];
            gap.contains(['\r', '\n', '\x0C'])
        };
        let kept = uri.char_indices().filter(|&(at, c)| !white(c) && (c != '-' || !ends_line(at)));
        let without = kept.map(|(_, c)| c).collect::<String>();
        let differs = without != cleaned;
        found.push((start..end + 1, cleaned, prefixed, differs.then_some(without)));
    }
    found
}
