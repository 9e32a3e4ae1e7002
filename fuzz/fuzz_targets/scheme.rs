//! Views of URIs by their schemes: the fields together are the text, warnings have a range of it, gateways restore it.
//!
//! Input: options, URI, line break, prefix of a gateway.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::scheme::{Authority, FtpPassword, Gateways, NewsTarget, View, proxy_target, view};
use relref::{Error, UriRef, percent};
use relref_fuzz::{check_error, split_line, text};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((_, text)) = text(input) else { return Corpus::Reject };
    let (uri, prefix) = split_line(text);
    let split = UriRef::new(uri);
    let view = view(uri);
    assert!(view.uri() == split && view.to_string() == uri);
    for warning in view.warnings() {
        assert!(uri.get(warning.range.clone()).is_some(), "{uri:?}: {warning:?}");
        assert!(warning.to_string().contains(" at byte"));
    }
    if let Some(authority) = view.authority() {
        check_authority(uri, &authority);
    }
    let target = proxy_target(uri);
    let unescaped = |text: &str| percent::decode_leaving_illegal(text).collect::<Vec<u8>>();
    let whole = &uri[..split.fragment().map_or(uri.len(), |fragment| uri.len() - fragment.len() - 1)];
    assert!(target.is_ascii() && target.bytes().all(|byte| byte.is_ascii_graphic()), "{target:?}");
    assert_eq!(unescaped(&target), unescaped(whole), "{uri:?}");
    check_view(&view, uri, whole);
    gateways_restore(uri, prefix);
    Corpus::Keep
});

/// Checks that the parts of an authority are in the URI, and that the authority can be written from them.
fn check_authority(uri: &str, authority: &Authority<'_>) {
    assert_eq!(authority.to_string(), UriRef::new(uri).authority().unwrap(), "{uri:?}");
    for part in
        [authority.userinfo, authority.username(), authority.password(), Some(authority.host), authority.port_text]
            .into_iter()
            .flatten()
    {
        borrows_from(uri, part);
    }
    assert!(authority.password().is_none() || authority.username().is_some());
    if let Some(number) = authority.port() {
        assert_eq!(authority.port_text.unwrap().trim_start_matches('0').parse().unwrap_or(0), number, "{uri:?}");
        assert_eq!(authority.port_or_known_default(), Some(number));
    }
}

/// Checks that a part borrows from the text. An empty part may also be a constant, which is used for a missing part.
fn borrows_from(text: &str, part: &str) {
    let (text, part) = (text.as_bytes().as_ptr_range(), part.as_bytes().as_ptr_range());
    assert!(part.is_empty() || (text.start <= part.start && part.end <= text.end));
}

/// Checks decoded segments: the position of an error is in its segment.
fn check_segments<'a>(
    segments: impl Iterator<Item = Result<percent::Decode<'a>, Error>>,
    expected: impl Iterator<Item = &'a str>,
) {
    for (segment, expected) in segments.map(Some).chain([None]).zip(expected.map(Some).chain([None])) {
        match (segment, expected) {
            (None, None) => {}
            (Some(Ok(octets)), Some(text)) => assert!(octets.eq(percent::decode_bytes(text).unwrap())),
            (Some(Err(error)), Some(text)) => check_error(&error, text),
            other => panic!("{other:?}"),
        }
    }
}

/// Checks that the fields of a view are in the URI, and that its text can be written from them. `whole` is the URI without its
/// fragment.
fn check_view(view: &View<'_>, uri: &str, whole: &str) {
    let split = view.uri();
    let authority = split.authority().map_or(0, |authority| authority.len() + 2);
    let rest = &whole[split.scheme().map_or(0, |scheme| scheme.len() + 1) + authority..];
    let path = rest.strip_prefix('/').unwrap_or(rest);
    let parts: Vec<Option<&str>> = match view {
        View::Http(http) => {
            let target = http.request_target();
            assert!(target.starts_with('/') && target.bytes().all(|byte| byte.is_ascii_graphic()), "{target:?}");
            vec![Some(http.path), http.query]
        }
        View::Ftp(ftp) => {
            let slash = if rest.starts_with('/') { "/" } else { "" };
            let mut again = ftp.url_path.map_or(String::new(), |path| format!("{slash}{path}"));
            let type_len = ftp.type_code.map_or(0, |code| code.len() + ";type=".len());
            again += &rest[rest.len() - type_len..];
            assert_eq!(again, rest);
            let directories = ftp.url_path.and_then(|path| path.rsplit_once('/')).map(|(directories, _)| directories);
            check_segments(ftp.cwd(), directories.into_iter().flat_map(|directories| directories.split('/')));
            assert!(ftp.url_path.unwrap_or_default().ends_with(ftp.name()) && !ftp.name().contains('/'));
            let _ = (ftp.data_type(), ftp.is_listing());
            let given = match ftp.password() {
                FtpPassword::Given(password) => Some(password),
                FtpPassword::MailAddress => {
                    assert_eq!(ftp.user(), "anonymous");
                    None
                }
                _ => None,
            };
            vec![ftp.url_path, ftp.type_code, Some(ftp.name()), given]
        }
        View::Gopher(gopher) => {
            let _ = (gopher.item_type(), gopher.plus());
            assert_eq!(format!("{}{}", gopher.gtype.unwrap_or_default(), gopher.command), path);
            if let Err(error) = gopher.request() {
                check_error(&error, gopher.command);
            }
            assert!(gopher.command.starts_with(gopher.selector));
            vec![gopher.gtype, Some(gopher.command), Some(gopher.selector), gopher.search, gopher.plus]
        }
        View::Mailto(mail) => {
            let between = mail.address.len() - mail.local_part().len() - mail.domain().map_or(0, str::len);
            assert!(matches!((mail.domain(), between), (None, 0) | (Some(_), 1 | 3)), "{mail:?}");
            match mail.decode() {
                Ok(octets) => assert!(octets.eq(percent::decode_bytes(mail.address).unwrap())),
                Err(error) => check_error(&error, mail.address),
            }
            vec![Some(mail.address), mail.query, Some(mail.local_part()), mail.domain()]
        }
        View::News(news) => match news.target {
            Some(NewsTarget::Group(name) | NewsTarget::Article(name)) => vec![Some(name)],
            _ => Vec::new(),
        },
        View::Nntp(nntp) => {
            let _ = nntp.article_number();
            vec![nntp.group, nntp.article]
        }
        View::Wais(wais) => {
            if let Some(fields) = wais.fields() {
                let again: String = fields.map(|(number, text)| format!("{number}={text};")).collect();
                assert_eq!(Some(&*again), wais.wpath);
            }
            let again = [wais.database.or(wais.wtype.map(|_| "")), wais.wtype, wais.wpath];
            let again = again.into_iter().flatten().collect::<Vec<_>>().join("/");
            assert_eq!(again, split.path().strip_prefix('/').unwrap_or(split.path()));
            vec![wais.database, wais.search, wais.wtype, wais.wpath]
        }
        View::File(file) => {
            assert_eq!(file.path, rest);
            let _ = file.is_local();
            check_segments(file.decoded_segments(), (!rest.is_empty()).then(|| path.split('/')).into_iter().flatten());
            vec![file.host, Some(file.path)]
        }
        View::Afs(afs) => {
            check_segments(afs.decoded_segments(), (!rest.is_empty()).then(|| path.split('/')).into_iter().flatten());
            vec![Some(afs.path)]
        }
        View::Prospero(link) => {
            let fields: Vec<String> = link
                .fields()
                .map(|(name, value)| value.map_or(name.to_string(), |value| format!("{name}={value}")))
                .collect();
            assert_eq!(link.field_list.unwrap_or_default(), fields.join(";"));
            let mut again = link.hsoname.to_string();
            again += &link.version.map_or(String::new(), |version| format!("%00{version}"));
            again += link.attributes.unwrap_or_default();
            again += &link.field_list.map_or(String::new(), |fields| format!(";{fields}"));
            assert_eq!(again, path);
            vec![Some(link.hsoname), link.version, link.attributes, link.field_list, link.object_version()]
        }
        View::Urn(urn) => {
            let path = urn.path.strip_prefix('/').unwrap_or(urn.path);
            check_segments(
                urn.decoded_segments(),
                (!urn.path.is_empty()).then(|| path.split('/')).into_iter().flatten(),
            );
            vec![Some(urn.path)]
        }
        View::Generic(generic) => {
            let _ = generic.is_experimental();
            Vec::new()
        }
        _ => Vec::new(),
    };
    parts.into_iter().flatten().for_each(|part| borrows_from(uri, part));
}

/// Checks that a gateway restores the URI that it rewrote, and that a second gateway does not restore another.
fn gateways_restore(uri: &str, prefix: &str) {
    let Some(scheme) = UriRef::new(uri).scheme() else {
        assert_eq!(Gateways::new().rewrite(uri), None);
        return;
    };
    let mut gateways = Gateways::new();
    assert_eq!(gateways.set(scheme, prefix), None);
    let rewritten = gateways.rewrite(uri).unwrap();
    assert!(rewritten.starts_with(prefix));
    assert_eq!(gateways.restore(&rewritten).as_deref(), Some(uri), "{rewritten:?}");
    for text in [uri, prefix] {
        if let Some(restored) = gateways.restore(text) {
            assert!(UriRef::new(&restored).scheme().unwrap().eq_ignore_ascii_case(scheme));
        }
    }
    gateways.set("x", "http://x/");
    for text in [uri, prefix, &*rewritten] {
        if let Some(restored) = gateways.restore(text) {
            assert_eq!(gateways.rewrite(&restored).as_deref(), Some(text));
        }
    }
}
