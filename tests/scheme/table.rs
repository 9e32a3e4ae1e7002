//! The table of schemes.

use relref::scheme::*;

use super::read::view;

#[test]
fn default_ports_are_the_documents() {
    for (name, port) in [
        ("http", 80),
        ("ftp", 21),
        ("gopher", 70),
        ("nntp", 119),
        ("telnet", 23),
        ("tn3270", 23),
        ("wais", 210),
        ("prospero", 1525),
        ("https", 443),
        ("ws", 80),
        ("wss", 443),
    ] {
        assert_eq!(default_port(name), Some(port), "{name}");
        assert_eq!(default_port(&name.to_uppercase()), Some(port), "{name}");
        let text = format!("{name}://h");
        assert_eq!(view(&text).authority().unwrap().port_or_known_default(), Some(port), "{name}");
    }
    for name in ["mailto", "news", "mid", "cid", "urn", "file", "afs", "rlogin", "x500", "x-mine", ""] {
        assert_eq!(default_port(name), None, "{name}");
    }
}

#[test]
fn the_table_names_every_scheme_once() {
    let names: Vec<&str> = registry().iter().map(|scheme| scheme.name).collect();
    for (at, name) in names.iter().enumerate() {
        assert!(!names[..at].contains(name) && *name == name.to_ascii_lowercase(), "{name}");
        assert_eq!(info(name).unwrap().name, *name);
    }
    assert!(registry().iter().all(|scheme| !scheme.document.is_empty() && !scheme.section.is_empty()));
    assert!(registry().iter().all(|scheme| scheme.default_port.is_none() || scheme.authority != AuthoritySyntax::None));
    assert!(info("ht").is_none());
    assert!(info("x-mine").is_none());
}

#[test]
fn reserved_names_have_no_view_of_their_own() {
    for name in ["x500", "whois++", "netman", "nfs", "mailserver", "z39.50"] {
        assert!(info(name).unwrap().reserved, "{name}");
    }
    for scheme in registry() {
        let text = format!("{}://h/x", scheme.name.to_uppercase());
        let generic = matches!(view(&text), View::Generic(_));
        assert_eq!(generic, scheme.reserved, "{text}");
    }
}

#[test]
fn hierarchical_schemes_are_the_documents() {
    for name in ["http", "https", "ftp", "file", "afs", "urn", "nntp"] {
        assert!(info(name).unwrap().hierarchical, "{name}");
    }
    for name in ["gopher", "prospero", "wais", "mailto", "news", "telnet", "mid"] {
        assert!(!info(name).unwrap().hierarchical, "{name}");
    }
}

#[test]
fn an_unknown_scheme_is_generic() {
    let generic = view!(Generic, "fxqn:/us/va/reston");
    assert_eq!((generic.authority, generic.is_experimental()), (None, false));
    assert!(view!(Generic, "").authority.is_none());
    assert_eq!(view!(Generic, "//h:8/x").authority.unwrap().port_or_known_default(), Some(8));
    // A name that only starts with a known one is unknown.
    for text in ["httpx://h", "htt://h", "prosperox://h", "a-very-long-scheme-name://h"] {
        view!(Generic, text);
    }
}

#[test]
fn experimental_schemes_start_with_x() {
    for (text, experimental) in [("x-mine:a", true), ("X-mine:a", true), ("x-:", true), ("xa:b", false), ("x:-", false)]
    {
        assert_eq!(view!(Generic, text).is_experimental(), experimental, "{text}");
    }
    assert!(!view!(Generic, "é").is_experimental());
}
