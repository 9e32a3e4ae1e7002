//! `rules`, `completions` and `man`.

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
        for decision in line["decisions"].as_array().unwrap() {
            let text = |name: &str| decision[name].as_str().unwrap();
            if let Ok(rules) = line["name"].as_str().unwrap().parse::<Rules>() {
                assert_eq!(resolve(text("base"), text("reference"), rules).unwrap(), text("result"), "{rules}");
                let source = text("source").replace(' ', "").to_lowercase();
                assert!(source.starts_with(rules.document.name()), "{rules}: {source}");
            }
        }
    }
    let documents = &lines[..Rules::ALL.len()];
    for (left, right) in documents.iter().flat_map(|left| documents.iter().map(move |right| (left, right))) {
        for (left, right) in left["decisions"].as_array().unwrap().iter().zip(right["decisions"].as_array().unwrap()) {
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
    assert!(text.ends_with(
        "  the base's own scheme: is ignored if no authority follows (RFC 3986 §5.2.2)\n    http:g in http://h/a/b is http://h/a/g\n"
    ));
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
