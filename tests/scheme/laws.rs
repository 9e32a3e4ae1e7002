//! Laws for every text, also for long and odd ones.

use quickcheck::{Arbitrary, Gen, quickcheck};
use relref::UriRef;
use relref::scheme::*;

use super::read::view;

#[test]
fn long_texts_are_read() {
    let parts = ["a", "/", ";", "@", ":", "%09", "%00", "%", "?", "=", "1=a;", "é", "[", "]", "\0", "%0D"];
    for scheme in registry().iter().map(|scheme| scheme.name).chain(["x-y"]) {
        for part in parts {
            for start in ["", "//", "//h/"] {
                let text = format!("{scheme}:{start}{}", part.repeat((1 << 15) / part.len()));
                exercise(&text);
            }
        }
    }
    for scheme in registry() {
        exercise(&format!("{}://{}", scheme.name, parts.concat().repeat(1 << 15)));
    }
    exercise(&format!("ftp://h/{};type=i", "a/".repeat(1 << 19)));
    exercise(&format!("http://h:{}/", "9".repeat(1 << 20)));
    let mut gateways = Gateways::new();
    gateways.set("news", "http://g/");
    let text = format!("news:{}", "%é".repeat(1 << 18));
    assert_eq!(gateways.restore(gateways.rewrite(&text).unwrap()).unwrap(), text);
}

#[test]
fn warnings_of_a_changed_view_are_in_range() {
    let (mut gopher, other) = (view!(Gopher, "gopher://h/0s%09a"), view!(Gopher, "gopher://u:x@host:x/0s%09a%09b"));
    (gopher.search, gopher.plus, gopher.selector, gopher.authority) = (Some("/"), Some(""), "/", other.authority);
    for warning in View::Gopher(gopher).warnings() {
        assert!("gopher://h/0s%09a".get(warning.range).is_some());
    }
}

/// Reads a text as a view, calls all functions of the view, and checks what must hold for any text.
fn exercise(text: &str) {
    let uri = UriRef::new(text);
    let view = view(text);
    assert_eq!((view.to_string().as_str(), view.uri()), (text, uri));
    for warning in view.warnings() {
        assert!(text.get(warning.range.clone()).is_some(), "{warning}");
    }
    let whole = |decoded: &str| text.len() >= decoded.len();
    if let Some(authority) = view.authority() {
        assert_eq!(authority.to_string(), uri.authority().unwrap());
        assert!(authority.port_or_known_default() == authority.port() || authority.port_text.unwrap_or("").is_empty());
    }
    match view {
        View::Http(http) => assert!(http.request_target().starts_with('/')),
        View::Ftp(ftp) => {
            let _ = (ftp.data_type(), ftp.is_listing(), ftp.password());
            assert!(whole(ftp.name()) && ftp.cwd().count() <= text.len());
        }
        View::Gopher(gopher) => {
            let _ = (gopher.item_type(), gopher.plus(), gopher.request());
        }
        View::Mailto(mail) => assert!(whole(mail.local_part())),
        View::Nntp(nntp) => drop(nntp.article_number()),
        View::Wais(wais) => drop(wais.fields().map(Iterator::count)),
        View::File(file) => assert!(file.decoded_segments().count() <= text.len()),
        View::Prospero(prospero) => assert!(prospero.fields().count() <= text.len()),
        View::Data(data) => {
            let count = data.parameters().count();
            assert!(count <= text.len() && data.decoded_len().unwrap_or_default() <= text.len());
        }
        _ => {}
    }
    assert!(!proxy_target(text).contains(['#', ' ', '\r', '\n', '\0']));
}

/// Returns the text before the fragment in lower case, put together from the fields of a view: without and with the slash after the
/// host. `None` if the fields do not tell it.
fn from_fields(view: View<'_>) -> Option<[String; 2]> {
    let opt = |before: &str, part: Option<&str>| part.map(|part| format!("{before}{part}")).unwrap_or_default();
    let authority = opt("//", view.authority().map(|authority| authority.to_string()).as_deref());
    let (start, end) = match view {
        View::Http(http) => (authority, format!("{}{}", http.path, opt("?", http.query))),
        View::Ftp(ftp) => {
            let raw: Vec<String> = ftp.url_path?.split('/').map(str::to_string).collect();
            assert_eq!(raw.len(), ftp.cwd().count() + 1);
            assert_eq!(raw.last().unwrap(), ftp.name());
            (authority, format!("{}{}", raw.join("/"), opt(";type=", ftp.type_code)))
        }
        View::Gopher(gopher) => {
            let before = if gopher.separator == Some(SearchSeparator::Tab) { "%09" } else { "?" };
            let search = opt(before, gopher.search);
            assert_eq!(gopher.command, format!("{}{search}{}", gopher.selector, opt("%09", gopher.plus)));
            (authority, format!("{}{}", gopher.gtype.unwrap_or(""), gopher.command))
        }
        View::Mailto(mail) => {
            let at = if mail.address.contains('@') { "@" } else { "%40" };
            let parts = format!("{}{}", mail.local_part(), opt(at, mail.domain()));
            assert_eq!(parts, mail.address);
            (parts, opt("?", mail.query))
        }
        View::News(news) => match news.target? {
            NewsTarget::All => return None,
            NewsTarget::Group(name) | NewsTarget::Article(name) => {
                (opt("//", view.uri().authority()), name.to_string())
            }
        },
        View::Nntp(nntp) => (authority, format!("{}{}", nntp.group.unwrap_or(""), opt("/", nntp.article))),
        View::Wais(wais) => {
            let document = format!("{}{}", opt("/", wais.wtype), opt("/", wais.wpath));
            (authority, format!("{}{document}{}", wais.database.unwrap_or(""), opt("?", wais.search)))
        }
        View::File(file) => (opt("//", file.host), file.path.to_string()),
        View::Afs(afs) => (authority, afs.path.to_string()),
        View::Prospero(link) => {
            let version = format!("{}{}", opt("%00", link.version), link.attributes.unwrap_or(""));
            (authority, format!("{}{version}{}", link.hsoname, opt(";", link.field_list)))
        }
        View::Urn(urn) => {
            let name = urn.nid().zip(urn.nss()).map(|(nid, nss)| format!("{nid}:{nss}"));
            assert!(name.is_none_or(|name| name == urn.path));
            (urn.path.to_string(), opt("?", view.uri().query()))
        }
        View::Data(data) => (data.head.to_string(), opt(",", data.data)),
        View::Sip(sip) => (sip.authority.to_string(), format!("{}{}", opt(";", sip.parameters), opt("?", sip.headers))),
        _ => return None,
    };
    let scheme = view.uri().scheme()?;
    Some(["", "/"].map(|slash| format!("{scheme}:{start}{slash}{end}").to_lowercase()))
}

/// A random URI of some scheme, made of parts that matter to this scheme.
#[derive(Clone, Debug)]
struct Uri(String);

impl Arbitrary for Uri {
    fn arbitrary(g: &mut Gen) -> Self {
        let starts = ["", "", "//", "//h", "//u:p@h:1/", "//[::1]:2/", "//@:/"];
        let parts = [
            "a", "B", "/", "/", ";", ";type=", "I", "%09", "%00", "%2F", "%", "%z", "?", "=", "1", "+", "!", "$", "@",
            "%40", ":", "é", "€", "#", "*", " ", "\n", "<", "%3c", "[", "]", "\0",
        ];
        let scheme = g.choose(registry()).unwrap().name;
        let mut text = format!("{scheme}:{}", g.choose(&starts).unwrap());
        for _ in 0..usize::arbitrary(g) % 12 {
            text.push_str(g.choose(&parts).unwrap());
        }
        Uri(text)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let text = self.0.clone();
        let shorter = move |(at, c): (usize, char)| Uri(format!("{}{}", &text[..at], &text[at + c.len_utf8()..]));
        let places: Vec<_> = self.0.char_indices().collect();
        Box::new(places.into_iter().map(shorter))
    }
}

quickcheck! {
    /// A view prints the text that it read. For any text, its parts are ranges of the text.
    fn views_print_what_they_read(text: String, uri: Uri) -> bool {
        exercise(&text);
        exercise(&uri.0);
        registry().iter().for_each(|scheme| exercise(&format!("{}:{text}", scheme.name)));
        true
    }

    /// A view loses no byte: its fields together are the text.
    fn fields_make_up_the_text(uri: Uri) -> bool {
        let before_fragment = uri.0.split('#').next().unwrap().to_lowercase();
        from_fields(view(&uri.0)).is_none_or(|texts| texts.contains(&before_fragment))
    }

    /// A split authority prints the text that it read.
    fn authorities_print_what_they_read(text: String, picks: Vec<u8>) -> bool {
        let odd: String = picks.iter().map(|pick| ["a", ":", "@", "[", "]", "1", "é"][usize::from(*pick) % 7]).collect();
        Authority::new(&text, None).to_string() == text && Authority::new(&odd, None).to_string() == odd
    }

    /// A gateway restores the URI that it rewrote, byte for byte.
    fn gateways_restore_what_they_rewrite(text: String, uri: Uri) -> bool {
        let mut gateways = Gateways::new();
        registry().iter().enumerate().for_each(|(at, scheme)| {
            gateways.set(scheme.name, ["http://gate/", "http://gate/x?y=", "gate#"][at % 3]);
        });
        let text = format!("NEWS:{text}");
        [text, uri.0].iter().all(|uri| gateways.restore(gateways.rewrite(uri).unwrap()).as_ref() == Some(uri))
    }
}
