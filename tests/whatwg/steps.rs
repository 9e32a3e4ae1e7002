//! The steps that an inspection reports: they lead from the input to the URL.

use quickcheck::quickcheck;
use relref::whatwg::{Action, Base, Inspection, Step, inspect};

use super::checks::check;
use super::inputs::Pair;

quickcheck! {
    fn the_steps_lead_to_the_url(pair: Pair) -> bool {
        check(&pair.base, &inspect(&pair.base, None));
        check(&pair.reference, &inspect(&pair.reference, None));
        if let Ok(base) = Base::new(&pair.base) {
            check(&pair.reference, &inspect(&pair.reference, Some(&base)));
        }
        true
    }

    /// A serialized URL has no steps but that nothing of the base is used.
    fn a_serialized_url_has_no_steps(pair: Pair) -> bool {
        let Ok(base) = Base::new(&pair.base) else { return true };
        let Ok(href) = base.resolve(&pair.reference) else { return true };
        let absolute = |steps: &[Step]| steps.iter().all(|step| step.action == Action::Absolute);
        let has_guard = href.split_once(':').is_some_and(|(_, rest)| rest.starts_with("/.//"));
        has_guard || inspect(&href, None).steps.is_empty()
            // By a base with its scheme, `file:///` is read as relative.
            && (href.starts_with("file:") || absolute(&inspect(&href, Some(&base)).steps))
    }
}

/// Returns the names of the steps with their texts, and what is written.
fn told(input: &str, base: Option<&str>) -> String {
    let base = base.map(|base| Base::new(base).unwrap());
    let inspection = inspect(input, base.as_ref());
    check(input, &inspection);
    let steps = inspection.steps.iter();
    let lines: Vec<_> = steps
        .map(|step| format!("{} {:?} {:?}", step.action.name(), step.text, step.written).replace('"', "'"))
        .collect();
    lines.join(", ")
}

#[test]
fn steps_of_an_absolute_url() {
    for (input, expected) in [
        ("http://example.com/y%20z", ""),
        (
            "http://EXAMPLE.com:80/x/../y z",
            "host-lowercased 'EXAMPLE.com' 'example.com', port-dropped ':80' '', segment-removed 'x/..' '', encoded ' ' '%20'",
        ),
        (" \0HTTP://h/\t\u{1} ", "trimmed ' \\0' '', trimmed '\\t\\u{1} ' '', scheme-lowercased 'HTTP' 'http'"),
        ("ht\ntp://h/a\tb", "tabs-removed '' ''"),
        (
            "http:\\\\h\\a\\\\b",
            "slashes-added '' '//', slashes-ignored '\\\\\\\\' '', backslash '\\\\' '/', backslash '\\\\\\\\' '//'",
        ),
        ("http:h", "slashes-added '' '//', slash-added '' '/'"),
        ("https:////h/", "slashes-ignored '//' ''"),
        (
            "http://h/a/%2E/b/%2e./../..",
            "dot-removed '%2E/' '', segment-removed 'b/%2e.' '', segment-removed 'a/..' '', surplus-dropped '..' ''",
        ),
        ("http://h/../../a//..", "surplus-dropped '../../' '', segment-removed '/..' ''"),
        ("http://ex%61MPLE/", "host-decoded 'ex%61MPLE' 'exaMPLE', host-lowercased 'exaMPLE' 'example'"),
        #[cfg(feature = "idna")]
        ("http://ПРИМЕР.испытание/", "host-to-ascii 'ПРИМЕР.испытание' 'xn--e1afmkfd.xn--80akhbyknj4f'"),
        #[cfg(feature = "idna")]
        (
            "http://例え.テスト/引き",
            "host-to-ascii '例え.テスト' 'xn--r8jz45g.xn--zckzah', encoded '引き' '%E5%BC%95%E3%81%8D'",
        ),
        ("http://0X7f.1/", "host-lowercased '0X7f.1' '0x7f.1', ipv4 '0x7f.1' '127.0.0.1'"),
        ("http://[1:0:0::00AB]/", "ipv6 '[1:0:0::00AB]' '[1::ab]'"),
        ("http://@h/", "credentials-dropped '@' ''"),
        ("http://:@h/", "credentials-dropped ':@' ''"),
        ("http://u:@h/", "password-dropped ':' ''"),
        ("http://a@b:c:d@h/", "encoded '@' '%40', encoded ':' '%3A'"),
        ("http://h:/", "port-missing ':' ''"),
        ("https://h:0443/", "port-dropped ':0443' ''"),
        ("http://h:0081/", "port-rewritten ':0081' ':81'"),
        ("ws://h?é'#`", "slash-added '' '/', encoded 'é'' '%C3%A9%27', encoded '`' '%60'"),
        ("x:a \u{1} #", "encoded '\\u{1}' '%01', space-encoded ' ' '%20'"),
        ("x:/..//a", "surplus-dropped '../' '', guard '' '/.'"),
        ("x://é/", "encoded 'é' '%C3%A9'"),
        (
            "file:c|/../..",
            "slashes-added '' '//', slash-added '' '/', drive-letter 'c|' 'c:', drive-letter-kept '../' '', drive-letter-kept '..' ''",
        ),
        ("file://C|/a", "drive-letter-host 'C|' '/', drive-letter 'C|' 'C:'"),
        ("file://LOCALHOST/a", "host-lowercased 'LOCALHOST' 'localhost', localhost-dropped 'localhost' ''"),
        ("file:/a", "slashes-added '' '//'"),
    ] {
        assert_eq!(told(input, None), expected, "{input:?}");
    }
}

#[test]
fn steps_of_a_reference() {
    let http = "http://u@h:1/a/b?q#f";
    for (base, input, expected) in [
        (http, "", "empty '' 'http://u@h:1/a/b?q'"),
        (http, "#é", "fragment '' 'http://u@h:1/a/b?q', encoded 'é' '%C3%A9'"),
        (http, "?", "query '' 'http://u@h:1/a/b'"),
        (http, "c", "directory '' 'http://u@h:1/a/'"),
        (http, "../../c", "directory '' 'http://u@h:1/a/', segment-removed 'a/..' '', surplus-dropped '../' ''"),
        (http, "\\c", "backslash '\\\\' '/', root '' 'http://u@h:1'"),
        (http, "///x/y", "authority '' 'http:', slashes-ignored '/' ''"),
        (http, "HTTP:c", "scheme-lowercased 'HTTP' 'http', scheme-ignored 'HTTP:' '', directory '' 'http://u@h:1/a/'"),
        (http, "http://x", "absolute 'http' '', slash-added '' '/'"),
        (http, "mailto:x@y", "absolute 'mailto' ''"),
        ("x:a?b", "#c", "fragment '' 'x:a?b'"),
        ("x://h", "c", "directory '' 'x://h', slash-added '' '/'"),
        ("x:/.//a", "b", "directory '' 'x://', guard '' '/.'"),
        ("file://h/C:/a", "/b", "root '' 'file://h', base-drive-letter '' '/C:'"),
        ("file://h/C:/a", "D|/b", "drive '' 'file://h', slash-added '' '/', drive-letter 'D|' 'D:'"),
        ("file://h/a", "//x/b", "authority '' 'file:'"),
        ("file://h/a", "file:b", "scheme-ignored 'file:' '', directory '' 'file://h/'"),
        (http, "file:b", "absolute 'file' '', slashes-added '' '//', slash-added '' '/'"),
    ] {
        assert_eq!(told(input, Some(base)), expected, "{input:?} in {base}");
    }
}

/// Each list has a bound, and what is left out is counted.
#[test]
fn lists_are_bounded_and_the_rest_is_counted() {
    for (unit, steps, errors, encoded) in [
        ("\0/", 5000, 5000, 5000),
        ("a/../", 5000, 0, 0),
        ("\\", 1, 5000, 0),
        ("%", 0, 5000, 0),
        ("\t", 0, 1, 0),
        ("é", 1, 0, 1),
    ] {
        let input = ["x:/".replace("x:", "http://h"), unit.repeat(5000), "x".into()].concat();
        let found = inspect(&input, None);
        let limit = Inspection::LIMIT;
        let is_right = |len: usize, left_out: usize, count: usize| len == count.min(limit) && len + left_out == count;
        let removed = usize::from(unit == "\t");
        assert!(is_right(found.steps.len(), found.left_out.steps, steps + removed), "{unit:?}: {:?}", found.left_out);
        assert!(is_right(found.errors.len(), found.left_out.errors, errors), "{unit:?}: {:?}", found.left_out);
        assert!(is_right(found.encoded.len(), found.left_out.encoded, encoded), "{unit:?}: {:?}", found.left_out);
        assert!(found.steps.iter().all(|step| step.to_string().len() < 4000));
        if found.left_out.steps == 0 {
            check(&input, &found);
        }
    }
}
