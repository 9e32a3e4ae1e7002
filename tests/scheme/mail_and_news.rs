//! `mailto`, `mid`, `cid`, `news` and `nntp`.

use relref::scheme::*;

use super::read::{view, warnings, warns};

#[test]
fn mail_addresses() {
    let mail = view!(Mailto, "mailto:gorby%25kremvax@example.com");
    assert_eq!(mail.decode().unwrap().to_string(), "gorby%kremvax@example.com");
    assert_eq!((mail.local_part(), mail.domain(), mail.query), ("gorby%25kremvax", Some("example.com"), None));
    assert_eq!(view!(Mailto, "mailto:\"a@b\"@c").domain(), Some("c"));
    assert_eq!(view!(Mailto, "mailto:a@b?subject=x").query, Some("subject=x"));
    assert_eq!(view!(Mailto, "mailto://a/b@c").address, "//a/b@c");
    assert_eq!(view!(Mailto, "mailto:a%40b").domain(), Some("b"));
    assert_eq!(warnings("mailto:nobody"), [(WarningKind::Missing, 13..13)]);
    assert_eq!(warnings("mailto:a@b"), []);
    let parts = view("mailto:a@b,c%20@d").parts();
    let values = ["a@b", "c @d"].map(String::from).to_vec();
    assert!(parts.len() == 1 && parts[0].value == PartValue::List { values, left_out: 0 });
    assert_eq!(warnings("mailto:a@b,c@d?to=e@f,g@h"), [(WarningKind::AddressList, 7..14)]);
    assert_eq!(
        (warnings("mailto:a%2C@b?to=c@d,e@f"), warnings("cid:a,b")),
        (vec![], vec![(WarningKind::LocalOnly, 4..7)])
    );
    // The percent sign must be escaped.
    assert!(view!(Mailto, "mailto:gorby%kremvax@example.com").decode().is_err());
}

#[test]
fn message_and_content_identifiers() {
    let mid = view!(Mailto, "mid:960830.1639@XIson.com");
    assert_eq!((mid.local_part(), mid.domain()), ("960830.1639", Some("XIson.com")));
    assert_eq!(warnings("mid:a@b"), [(WarningKind::ReceivedMail, 4..7)]);
    assert_eq!(warnings("mid:<a@b>")[0], (WarningKind::AngleBrackets, 4..9));
    assert!(warns("mid:%3Ca@b%3E", WarningKind::AngleBrackets));
    assert_eq!(view!(Mailto, "cid:foo4*foo1@bar.net").address, "foo4*foo1@bar.net");
    // A part of the same message has no meaning elsewhere.
    assert_eq!(warnings("cid:foo"), [(WarningKind::LocalOnly, 4..7)]);
}

#[test]
fn news_is_all_groups_a_group_or_an_article() {
    use NewsTarget::*;
    for (text, target) in [
        ("news:*", Some(All)),
        ("news:%2A", Some(All)),
        ("news:comp.infosystems.www.misc", Some(Group("comp.infosystems.www.misc"))),
        ("news:**", Some(Group("**"))),
        ("news:1234@info.cern.ch", Some(Article("1234@info.cern.ch"))),
        ("news:12%4034", Some(Article("12%4034"))),
        ("news:a/b?c@d#e", Some(Article("a/b?c@d"))),
        ("news:", None),
        ("news:#x", None),
    ] {
        assert_eq!(view!(News, text).target, target, "{text}");
    }
    assert_eq!(warnings("news:alt.test"), []);
    assert_eq!(warnings("news:"), [(WarningKind::Missing, 5..5)]);
    assert!(warns("news:<a@b>", WarningKind::AngleBrackets));
}

#[test]
fn news_has_no_host() {
    let text = "news://host.dom/alt.test";
    assert_eq!(view!(News, text).target, Some(NewsTarget::Group("alt.test")));
    assert_eq!(warnings(text), [(WarningKind::NoPlace, 7..15)]);
    assert_eq!(view(text).authority(), None);
}

#[test]
fn nntp_of_both_forms() {
    let nntp = view!(Nntp, "nntp://h:8119/comp.test/123");
    assert_eq!((nntp.authority.unwrap().host, nntp.group, nntp.article_number()), ("h", Some("comp.test"), Some(123)));
    let nntp = view!(Nntp, "nntp:comp.test/123");
    assert_eq!((nntp.authority, nntp.group, nntp.article), (None, Some("comp.test"), Some("123")));
    let nntp = view!(Nntp, "nntp://h/comp.test");
    assert_eq!((nntp.group, nntp.article), (Some("comp.test"), None));
    for article in ["", "x", "+1", "1/2", "123456789012345678901234567890"] {
        let text = format!("nntp://h/g/{article}");
        assert_eq!(view!(Nntp, &text).article, Some(article));
        // An empty number is not a number either.
        assert_eq!(view!(Nntp, &text).article_number(), None, "{text}");
        assert!(warns(&text, WarningKind::UnreadableNumber), "{text}");
    }
}
