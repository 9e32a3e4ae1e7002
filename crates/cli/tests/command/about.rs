//! `rules`, `completions`, `man` and `licenses`.

use std::fs;
use std::process::{Command, Stdio};

use relref::{Rules, resolve};

use super::process::{folder, relref};

/// The examples of `rules` have the results that the engine gives. For each answer in which rule sets differ, an example differs.
#[test]
fn rules_have_examples_that_hold() {
    let output = relref(&["rules", "--json"], b"");
    let lines: Vec<serde_json::Value> =
        output.stdout.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    assert_eq!(lines.len(), Rules::ALL.len() + 1);
    for line in &lines {
        for answer in line["answers"].as_array().unwrap() {
            let text = |name: &str| answer[name].as_str().unwrap();
            if let Ok(rules) = line["name"].as_str().unwrap().parse::<Rules>() {
                assert_eq!(resolve(text("base"), text("reference"), rules).unwrap(), text("result"), "{rules}");
            }
            let source = &answer["source"];
            let is_decision = source["decision"].as_str().is_some_and(|reason| {
                line["decisions"].as_array().unwrap().iter().any(|decision| decision["reason"] == reason)
            });
            let field = |name: &str| source[name].as_str().unwrap_or_default().to_string();
            let document = field("document").replace(' ', "").to_lowercase().replace("urlstandard", "whatwg");
            let is_quoted = line["name"] == *document && !field("section").is_empty() && field("words").len() > 10;
            assert!(is_decision != is_quoted, "{source} {line}");
        }
    }
    let documents = &lines[..Rules::ALL.len()];
    for (left, right) in documents.iter().flat_map(|left| documents.iter().map(move |right| (left, right))) {
        for (left, right) in left["answers"].as_array().unwrap().iter().zip(right["answers"].as_array().unwrap()) {
            assert_eq!(left["answer"] == right["answer"], left["result"] == right["result"], "{left} {right}");
        }
    }
}

#[test]
fn rules_are_chosen_by_name() {
    let output = relref(&["rules", "rfc3986+lenient"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("rfc3986+lenient: Uniform Resource Identifier (URI): Generic Syntax, January 2005\n"),
        "{text}"
    );
    let lines: Vec<&str> = text.lines().collect();
    let scheme = [
        "  the base's own scheme: is ignored if no authority follows (RFC 3986 §5.2.2: \"A non-strict parser may ignore a scheme in \
         the reference … identical to the base URI's scheme\")",
        "    http:g in http://h/a/b is http://h/a/g",
    ];
    assert!(lines.windows(2).any(|two| two == scheme), "{text}");
    let guard = lines.iter().position(|line| line.starts_with("  decision: `/.` is written")).unwrap();
    assert!(lines[guard + 1].starts_with("    a path that starts with `//`"), "{text}");
    assert!(lines[guard + 2].starts_with("    RFC 3986 §3.3: \"If a URI does not contain an authority"), "{text}");
    assert_eq!(relref(&["rules", "rfc822"], b"").status.code(), Some(2));
}

/// A shell accepts the script, and it knows each command.
#[test]
fn completions_are_scripts() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = relref(&["completions", shell], b"");
        let script = String::from_utf8(output.stdout).unwrap();
        for command in ["links", "normalize", "validate"] {
            assert!(script.contains(command), "{shell}");
        }
        // `SHELL -n` only parses.
        let Ok(mut child) = Command::new(shell).arg("-n").stdin(Stdio::piped()).stderr(Stdio::null()).spawn() else {
            continue;
        };
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), script.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success(), "{shell}");
    }
}

#[test]
fn manual_pages_are_written() {
    let page = String::from_utf8(relref(&["man"], b"").stdout).unwrap();
    assert!(page.contains(".TH relref 1"), "{page}");
    let folder = folder("man");
    let output = relref(&["man", "--output", folder.to_str().unwrap()], b"");
    assert!(output.status.success() && output.stdout.is_empty());
    let page = fs::read_to_string(folder.join("relref-links.1")).unwrap();
    assert!(page.contains("files\\-from"), "{page}");
    let output = relref(&["man", "--output", folder.join("none").to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(1));
}

/// The libraries whose licenses ask for their notice, and the text of each license.
#[test]
fn licenses_have_the_notices() {
    let output = relref(&["licenses"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    for notice in ["  brotli-decompressor ", "  cssparser ", "  encoding_rs ", "  icu_normalizer ", "  zstd-sys "] {
        assert!(text.contains(notice), "no {notice}");
    }
    for license in ["Mozilla Public License", "UNICODE LICENSE V3", "Redistributions in binary form must reproduce"] {
        assert!(text.contains(license), "no {license}");
    }
    assert!(output.status.success());
}
