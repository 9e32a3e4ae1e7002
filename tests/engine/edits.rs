//! Laws of edits of components and of the builder: random edits in random order give what was meant.

use quickcheck::{Arbitrary, Gen, TestResult, quickcheck};
use relref::percent::{ByteSet, encode_with};
use relref::{Builder, Error, Uri, UriRef};

use crate::inputs::edits::{Part, Parts, Start, failed, is_valid, splits_so};

#[derive(Clone, Debug)]
enum Edit {
    Scheme(Option<String>),
    Authority(Option<String>),
    Userinfo(Option<String>),
    Username(Option<String>),
    Password(Option<String>),
    Host(Option<String>),
    Port(Option<u16>),
    Path(String),
    Query(Option<String>),
    Fragment(Option<String>),
}

impl Arbitrary for Edit {
    fn arbitrary(g: &mut Gen) -> Self {
        let part = Option::<Part>::arbitrary(g).map(|Part(text)| text);
        match u8::arbitrary(g) % 10 {
            0 => Edit::Scheme(part),
            1 => Edit::Authority(part),
            2 => Edit::Userinfo(part),
            3 => Edit::Host(part),
            4 => Edit::Port(Option::arbitrary(g)),
            5 => Edit::Path(part.unwrap_or_default()),
            6 => Edit::Query(part),
            7 => Edit::Username(part),
            8 => Edit::Password(part),
            _ => Edit::Fragment(part),
        }
    }
}

impl Edit {
    fn apply(&self, uri: &mut UriRef<String>) -> Result<(), Error> {
        match self {
            Edit::Scheme(part) => uri.set_scheme(part.as_deref()),
            Edit::Authority(part) => uri.set_authority(part.as_deref()),
            Edit::Userinfo(part) => uri.set_userinfo(part.as_deref()),
            Edit::Username(part) => uri.set_username(part.as_deref()),
            Edit::Password(part) => uri.set_password(part.as_deref()),
            Edit::Host(part) => uri.set_host(part.as_deref()),
            Edit::Port(port) => uri.set_port(*port),
            Edit::Path(path) => uri.set_path(path),
            Edit::Query(part) => uri.set_query(part.as_deref()),
            Edit::Fragment(part) => uri.set_fragment(part.as_deref()),
        }
    }

    fn apply_to_absolute(&self, uri: &mut Uri<String>) -> Result<(), Error> {
        match self {
            Edit::Scheme(part) => uri.set_scheme(part.as_deref().unwrap()),
            Edit::Authority(part) => uri.set_authority(part.as_deref()),
            Edit::Userinfo(part) => uri.set_userinfo(part.as_deref()),
            Edit::Username(part) => uri.set_username(part.as_deref()),
            Edit::Password(part) => uri.set_password(part.as_deref()),
            Edit::Host(part) => uri.set_host(part.as_deref()),
            Edit::Port(port) => uri.set_port(*port),
            Edit::Path(path) => uri.set_path(path),
            Edit::Query(part) => uri.set_query(part.as_deref()),
            Edit::Fragment(part) => uri.set_fragment(part.as_deref()),
        }
    }

    /// Returns a copy with the edit; `None` if there is no method for it.
    fn copy(&self, uri: UriRef<&str>) -> Option<Result<UriRef<String>, Error>> {
        Some(match self {
            Edit::Scheme(part) => uri.with_scheme(part.as_ref()?),
            Edit::Authority(part) => uri.with_authority(part.as_deref()),
            Edit::Userinfo(part) => uri.with_userinfo(part.as_deref()),
            Edit::Username(_) | Edit::Password(_) => return None,
            Edit::Host(part) => uri.with_host(part.as_deref()),
            Edit::Port(port) => uri.with_port(*port),
            Edit::Path(path) => uri.with_path(path),
            Edit::Query(part) => uri.with_query(part.as_deref()),
            Edit::Fragment(None) => Ok(uri.without_fragment()),
            Edit::Fragment(Some(part)) => uri.with_fragment(part),
        })
    }

    /// Returns the parts after the edit.
    fn model(&self, mut parts: Parts) -> Parts {
        match self.clone() {
            Edit::Scheme(part) => parts.scheme = part,
            Edit::Authority(part) => {
                let of = part.map(|part| Parts::of(&format!("//{part}"))).unwrap_or_default();
                (parts.userinfo, parts.host, parts.port) = (of.userinfo, of.host, of.port);
            }
            Edit::Userinfo(part) => parts.userinfo = part,
            Edit::Username(part) => {
                let password =
                    parts.userinfo.and_then(|old| old.split_once(':').map(|(_, password)| format!(":{password}")));
                parts.userinfo = part.map(|part| encoded(&part) + &password.unwrap_or_default());
            }
            Edit::Password(part) => {
                let username = parts.userinfo.map(|old| String::from(old.split(':').next().unwrap()));
                parts.userinfo = match part {
                    Some(part) => Some(format!("{}:{}", username.unwrap_or_default(), encoded(&part))),
                    None => username,
                };
            }
            Edit::Host(part) => parts.host = part,
            Edit::Port(port) => parts.port = port.map(|port| port.to_string()),
            Edit::Path(path) => parts.path = path,
            Edit::Query(part) => parts.query = part,
            Edit::Fragment(part) => parts.fragment = part,
        }
        parts
    }

    /// Reports whether what is written is valid by itself.
    fn is_valid(&self) -> bool {
        let valid = |parts: Parts| parts.text().is_some_and(|text| is_valid(&text));
        let none = Parts::default();
        match self.clone() {
            Edit::Authority(Some(part)) => {
                UriRef::new(&format!("//{part}")).authority() == Some(&part) && is_valid(&format!("//{part}"))
            }
            Edit::Userinfo(part @ Some(_)) => valid(Parts { userinfo: part, host: Some("h".into()), ..none }),
            Edit::Path(path) => is_valid(&format!("/./{path}")) && !path.contains(['?', '#']),
            Edit::Port(_) | Edit::Username(_) | Edit::Password(_) => true,
            edit => valid(edit.model(none)),
        }
    }
}

/// As a user name or a password is written.
fn encoded(text: &str) -> String {
    encode_with(text, ByteSet::HOST).to_string()
}

quickcheck! {
    /// An edit writes what is valid and meant, or is an error and changes nothing. If the URI was valid, it is an error only if no
    /// valid URI has these parts. In place, in a copy and of a `Uri` it does the same.
    fn components(start: Start, edits: Vec<Edit>) -> TestResult {
        let mut uri = UriRef::new(start.0);
        for edit in edits {
            let before = uri.clone();
            let result = edit.apply(&mut uri);
            let failed = |why| failed(&edit, before.as_str(), uri.as_str(), why);
            let meant = edit.model(Parts::of(before.as_str()));
            let text = meant.text().filter(|text| edit.is_valid() && (is_valid(text) || !is_valid(before.as_str())));
            if !splits_so(&uri) {
                return failed("it does not split so");
            }
            match result {
                Err(_) if uri != before => return failed("an error that changes it"),
                Err(_) if is_valid(before.as_str()) && text.is_some() => return failed("a needless error"),
                Ok(()) if text.as_ref().is_none_or(|text| uri != *text) => return failed("not what was meant"),
                _ => {}
            }
            if let Some(copy) = edit.copy(before.as_borrowed()) {
                let same = copy.as_ref().err() == result.as_ref().err()
                    && copy.is_ok_and(|copy| copy == uri && splits_so(&copy)) == result.is_ok();
                if !same {
                    return failed("the copy differs");
                }
            }
            if let (Ok(mut absolute), false) = (Uri::try_from(before.clone()), matches!(edit, Edit::Scheme(None))) {
                if edit.apply_to_absolute(&mut absolute) != result || absolute != uri {
                    return failed("the edit of a Uri differs");
                }
            }
        }
        TestResult::passed()
    }

    /// The builder of a URI builds it again, if it is valid.
    fn rebuilt(start: Start) -> bool {
        let uri = UriRef::new(&*start.0);
        let built = uri.to_builder().build();
        let absolute = uri.into_uri().map(|uri| uri.to_builder().build());
        built.as_ref().is_ok() == is_valid(&start.0)
            && absolute.is_ok() == uri.is_absolute()
            && absolute.is_ok_and(|absolute| absolute == built.clone().map(|built| built.into_uri().unwrap())) == uri.is_absolute()
            && built.map_or(true, |built| built == uri && splits_so(&built))
    }

    /// The builder makes the valid URI of any parts that there is, or gives an error.
    fn built(parts: (Option<Part>, Option<Part>, Option<Part>, Option<u16>), rest: (Part, Option<Part>, Option<Part>)) -> bool {
        let text = |part: Option<Part>| part.map(|Part(text)| text);
        let (scheme, userinfo, host, port) = (text(parts.0), text(parts.1), text(parts.2), parts.3);
        let (Part(path), query, fragment) = (rest.0, text(rest.1), text(rest.2));
        let mut builder = UriRef::builder().path(path.clone());
        for (part, set) in [
            (&scheme, Builder::scheme as fn(Builder<UriRef>, String) -> Builder<UriRef>),
            (&userinfo, Builder::userinfo),
            (&host, Builder::host),
            (&query, Builder::query),
            (&fragment, Builder::fragment),
        ] {
            builder = part.clone().map_or(builder.clone(), |part| set(builder, part));
        }
        builder = port.map_or(builder.clone(), |port| builder.port(port));
        let meant = Parts { scheme, userinfo, host, port: port.map(|port| port.to_string()), path, query, fragment };
        builder.build().ok().map(UriRef::into_inner) == meant.text().filter(|text| is_valid(text))
    }
}
