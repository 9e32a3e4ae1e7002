//! Short natural uses of the library, by what a user wants.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::error::Error as StdError;
use std::fmt::Write;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;

use relref::support::ParseError;
use relref::{Base, Error, ErrorKind, Host, Rules, Segments, Uri, UriRef, resolve};

type Tested = Result<(), Box<dyn StdError>>;

const PAGE: &str = "http://user@example.com:8080/docs/guide/index.html?a=1&b=2#top";

// Make one.

#[test]
fn from_borrowed_text() -> Tested {
    let uri = Uri::parse(PAGE)?;
    assert_eq!(uri.as_str(), PAGE);
    assert_eq!(UriRef::new("../a").as_str(), "../a");
    assert_eq!(UriRef::from("../a"), "../a");
    Ok(())
}

#[test]
fn from_owned_text() -> Tested {
    let uri = Uri::parse(String::from(PAGE))?;
    let text: String = uri.into();
    assert_eq!(text, PAGE);
    let reference = UriRef::new(format!("../{}", 1));
    assert_eq!(reference.into_inner(), "../1");
    Ok(())
}

#[test]
fn by_parse_and_try_from() -> Tested {
    let uri: Uri<String> = PAGE.parse()?;
    let same = Uri::try_from(PAGE)?;
    assert_eq!(Uri::try_from(&String::from(PAGE))?, same);
    let borrowed: Uri<&str> = Uri::new(PAGE)?;
    let shared: Uri<Arc<str>> = Uri::new(Arc::from(PAGE))?;
    assert!(uri == same && same == borrowed && borrowed == shared);
    assert!(Uri::<Box<str>>::new(Box::from("/a")).is_err_and(|error| &*error.into_text() == "/a"));
    let reference: UriRef<String> = "a/b".parse()?;
    assert_eq!(reference.path(), "a/b");
    assert_eq!(Uri::try_from(UriRef::new("a:b"))?.scheme(), "a");
    Ok(())
}

#[test]
fn of_a_reference_to_a_string() -> Tested {
    let text = String::from(PAGE);
    assert_eq!(Uri::parse(&text)?.host(), Some("example.com"));
    assert_eq!(Base::new(&text, Rules::RFC3986)?.resolve("/a"), "http://user@example.com:8080/a");
    Ok(())
}

#[test]
fn of_a_cow_a_box_and_an_rc() -> Tested {
    assert_eq!(Uri::parse(Cow::Borrowed(PAGE))?, PAGE);
    assert_eq!(Uri::parse(Box::<str>::from(PAGE))?, PAGE);
    assert_eq!(Uri::parse(Rc::<str>::from(PAGE))?, PAGE);
    Ok(())
}

#[test]
fn an_error_gives_the_text_back() {
    let error: ParseError<String> = Uri::new(String::from("a/b")).unwrap_err();
    assert_eq!((error.kind(), error.position()), (ErrorKind::NoScheme, 1));
    assert_eq!(error.into_text(), "a/b");
}

#[test]
fn errors_pass_by_question_mark() {
    fn own(text: &str) -> Result<String, Error> {
        Ok(Base::new(String::from(text), Rules::RFC3986)?.resolve("b").into_string())
    }
    fn boxed(text: &str) -> Result<String, Box<dyn StdError + Send + Sync>> {
        Ok(Base::new(text, Rules::RFC3986)?.resolve("b").into_string())
    }
    assert_eq!((own("a:/"), own("a").unwrap_err().kind()), (Ok(String::from("a:/b")), ErrorKind::NoScheme));
    assert_eq!(boxed("a:/").unwrap(), "a:/b");
    assert!(boxed("/a").unwrap_err().to_string().starts_with("not an absolute URI"));
}

#[test]
fn the_default_is_the_empty_reference() {
    assert_eq!(UriRef::<String>::default(), "");
    assert!(!UriRef::<&str>::default().is_absolute());
}

#[test]
fn from_one_text_to_another() -> Tested {
    let uri: Uri<String> = PAGE.parse()?;
    let shared: Uri<Arc<str>> = uri.clone().into();
    assert_eq!(shared, Arc::<str>::from(uri.as_str()));
    let boxed: Uri<Box<str>> = uri.clone().into();
    let owned: Uri<String> = uri.as_borrowed().into();
    assert_eq!((shared.port(), boxed.port(), owned.port()), (Some(8080), Some(8080), Some(8080)));
    let texts: (Arc<str>, Box<str>, String) = (shared.into(), boxed.into(), owned.into());
    assert!(*texts.0 == *PAGE && *texts.1 == *PAGE && texts.2 == PAGE);
    assert_eq!(UriRef::<String>::from(UriRef::new("a?b")).query(), Some("b"));
    let base = Base::new(PAGE, Rules::RFC3986)?;
    assert_eq!(base.resolve("/").host(), Some("example.com"));
    let (text, uri): (Arc<str>, Uri<Arc<str>>) = (base.resolve("/").into(), base.resolve("/").into());
    assert_eq!((uri.authority(), &*text), (Some("user@example.com:8080"), uri.as_str()));
    Ok(())
}

// Keep them.

#[test]
fn as_keys_that_are_found_by_text() -> Tested {
    let mut seen = HashMap::new();
    seen.insert(Uri::parse(String::from(PAGE))?, 1);
    assert_eq!(seen.get(PAGE), Some(&1));
    let mut sorted = BTreeMap::new();
    sorted.insert(UriRef::new("b"), 2);
    assert_eq!(sorted.get("b"), Some(&2));
    Ok(())
}

#[test]
fn in_a_sorted_set() {
    let set: BTreeSet<UriRef<&str>> = ["b", "a", "c", "a"].map(UriRef::new).into();
    assert_eq!(set.into_iter().map(UriRef::into_inner).collect::<String>(), "abc");
}

#[test]
#[allow(clippy::mutable_key_type, reason = "the text that a result keeps does not change its hash")]
fn results_in_a_set() -> Tested {
    let base = Base::new(PAGE, Rules::RFC3986)?;
    let set: HashSet<_> = ["a", "./a", "b/../a"].iter().map(|reference| base.resolve(reference)).collect();
    assert_eq!(set.len(), 1);
    let mut sorted = ["b", "a"].map(|reference| base.resolve(reference));
    sorted.sort();
    assert_eq!(sorted[0], "http://user@example.com:8080/docs/guide/a");
    Ok(())
}

#[test]
fn a_base_in_a_struct() -> Tested {
    struct Page {
        base: Base,
    }
    let page = Page { base: Base::new(String::from(PAGE), Rules::RFC3986)? };
    assert_eq!(page.base.resolve("?q"), "http://user@example.com:8080/docs/guide/index.html?q");
    Ok(())
}

#[test]
fn a_base_that_threads_share() -> Tested {
    let base = Arc::new(Base::new(String::from(PAGE), Rules::RFC3986)?);
    let other = Arc::clone(&base);
    assert_eq!(thread::spawn(move || other.resolve("x").into_string()).join().unwrap(), base.resolve("x"));
    Ok(())
}

#[test]
fn functions_take_whatever_holds_a_uri() -> Tested {
    let uri = Uri::new(PAGE)?;
    let base = Base::new(uri, Rules::RFC3986)?;
    for same in [Base::new(String::from(PAGE), Rules::RFC3986)?, Base::new(base.resolve("#top"), Rules::RFC3986)?] {
        assert_eq!(base, same);
    }
    let (owned, result) = (uri.to_owned(), base.resolve(&uri));
    assert_eq!(relref::resolve(&owned, &result, Rules::RFC3986)?, PAGE);
    assert_eq!(base.relativize(&result), base.relativize(&owned));
    assert_eq!(relref::canon::normalize(&result)?, relref::canon::normalize(&owned)?);
    assert!(relref::validate::Grammar::Rfc3986Uri.is_valid(&result));
    let normalizer = relref::crawl::Normalizer::crawl();
    assert_eq!(normalizer.normalize(&owned)?, normalizer.normalize(result)?);
    assert_eq!(uri.normalize()?, PAGE);
    Ok(())
}

#[test]
fn parsed_texts_are_owned_and_others_are_held() -> Tested {
    struct Page {
        uri: Uri,
        links: Vec<UriRef>,
    }
    let mut page = Page { uri: Uri::parse("http://h/a")?, links: vec![UriRef::parse("b c")?] };
    page.uri.set_query("q")?;
    page.links[0].set_fragment(Some("f"))?;
    assert_eq!((page.uri.as_str(), page.links[0].as_str()), ("http://h/a?q", "b c#f"));
    assert_eq!(Uri::new(PAGE)?.as_str().as_ptr(), PAGE.as_ptr());
    // The error of a parsed text is the one error.
    let refused: [Result<Uri, Error>; 3] = ["a".parse(), "a".try_into(), Uri::parse("a")];
    assert!(refused.into_iter().all(|refused| refused.unwrap_err().position() == 1));
    Ok(())
}

#[test]
fn a_result_is_text() -> Tested {
    let base = Base::new("http://h/a/b?q#f", Rules::RFC3986)?;
    for (reference, uri) in
        [("", "http://h/a/b?q"), ("../c#f", "http://h/c#f"), ("x:y#z", "x:y#z"), ("./d/../e", "http://h/a/e")]
    {
        let result = base.resolve(reference);
        assert_eq!(
            (result.as_str(), result.as_ref(), result.to_string(), result.len()),
            (uri, uri, uri.into(), uri.len())
        );
        assert_eq!(result.clone().without_fragment(), UriRef::new(uri).without_fragment());
        assert_eq!(result.without_fragment().into_string().as_str(), UriRef::new(uri).without_fragment().as_str());
    }
    Ok(())
}

#[test]
fn all_can_be_sent() {
    fn is_sent<T: Send + Sync + 'static>() {}
    is_sent::<Uri<String>>();
    is_sent::<UriRef<Arc<str>>>();
    is_sent::<Base>();
    // Without `std`, the text that it keeps cannot be shared.
    #[cfg(feature = "std")]
    is_sent::<relref::Resolved<'static>>();
    is_sent::<Error>();
}

#[test]
fn settings_are_compared() {
    use relref::crawl::{Change, Normalizer};
    assert_eq!(Normalizer::safe().with(Change::DropWww), Normalizer::safe().with(Change::DropWww));
    assert!(Normalizer::safe() != Normalizer::crawl());
    assert_eq!(UriRef::new("//h:80/a").to_builder(), UriRef::builder().host("h").port(80).path("/a"));
    assert!(HashSet::from([UriRef::builder().path("a")]).contains(&UriRef::builder().path("a")));
}

#[test]
fn borrow_and_own() -> Tested {
    let owned = Uri::parse(String::from(PAGE))?;
    let borrowed: Uri<&str> = owned.as_borrowed();
    let copy = borrowed;
    assert_eq!(copy.to_owned(), borrowed);
    assert_eq!(UriRef::from(owned).into_inner(), PAGE);
    Ok(())
}

#[test]
fn components_outlive_the_split() -> Tested {
    fn host(text: &str) -> Result<Option<&str>, Error> {
        Ok(Uri::new(text)?.host())
    }
    assert_eq!(host(PAGE)?, Some("example.com"));
    Ok(())
}

#[test]
fn a_base_of_a_uri() -> Tested {
    let uri = Uri::new(PAGE)?;
    let base = Base::from_uri(uri, Rules::RFC3986);
    assert_eq!((base.uri(), base.uri().query()), (uri, Some("a=1&b=2")));
    assert_eq!(base.clone().into_uri().into_inner(), PAGE);
    assert_eq!(base.scheme(), "http");
    assert_eq!(base.into_string(), PAGE);
    Ok(())
}

#[test]
fn bases_are_compared() -> Tested {
    assert_eq!(Base::new("a:b", Rules::URL7)?, Base::new(String::from("a:b"), Rules::URL7)?);
    assert!(Base::new("a:b", Rules::URL7)? != Base::new("a:b", Rules::RFC3986)?);
    assert!(Base::new("a:b", Rules::URL7)? < Base::new(String::from("a:c"), Rules::URL7)?);
    let owned = Base::new(String::from("a:/b/../c"), Rules::RFC3986)?;
    let set: BTreeSet<Base> = [owned.clone(), Base::new("a:b", Rules::RFC3986)?, owned].into();
    assert_eq!(set.iter().map(Base::as_str).collect::<Vec<_>>(), ["a:/b/../c", "a:b"]);
    Ok(())
}

// Compare with text.

#[test]
fn with_text_on_both_sides() -> Tested {
    let uri = Uri::parse("a:b")?;
    assert_eq!(uri, "a:b");
    assert_eq!("a:b", uri);
    assert_eq!(uri, String::from("a:b"));
    assert_eq!(String::from("a:b"), uri);
    assert_eq!(uri, Cow::Borrowed("a:b"));
    assert_eq!(*"a:b", uri);
    assert_eq!(uri, UriRef::new("a:b"));
    assert_eq!(UriRef::new(String::from("a:b")), uri);
    let base = Base::new("a:/b", Rules::RFC3986)?;
    assert_eq!(base.resolve("c"), "a:/c");
    assert_eq!("a:/c", base.resolve("c"));
    assert_eq!(base.resolve("c"), String::from("a:/c"));
    assert_eq!(String::from("a:/c"), base.resolve("c"));
    Ok(())
}

#[test]
fn by_order() -> Tested {
    assert!(Uri::parse("a:b")? < Uri::parse(String::from("a:c"))?);
    assert_eq!([UriRef::new("c"), UriRef::new("a")].iter().min(), Some(&UriRef::new("a")));
    Ok(())
}

#[test]
fn as_a_str() -> Tested {
    fn len(text: impl AsRef<str>) -> usize {
        text.as_ref().len()
    }
    assert_eq!((len(UriRef::new("abc")), len(Uri::parse("a:b")?), len(Base::new("a:b", Rules::URL7)?)), (3, 3, 3));
    Ok(())
}

#[test]
fn printed() -> Tested {
    assert_eq!(format!("<{:>6}>", UriRef::new("a/b")), "<   a/b>");
    assert_eq!(format!("{}", Base::new("a:b", Rules::URL7)?), "a:b");
    assert!(format!("{:?}", Uri::parse("a:b")?).starts_with("Uri { scheme: \"a\""));
    Ok(())
}

// Take it apart.

#[test]
fn five_components() -> Tested {
    let uri = Uri::parse(PAGE)?;
    assert_eq!((uri.scheme(), uri.authority()), ("http", Some("user@example.com:8080")));
    assert_eq!((uri.path(), uri.query(), uri.fragment()), ("/docs/guide/index.html", Some("a=1&b=2"), Some("top")));
    Ok(())
}

#[test]
fn host_and_port() -> Tested {
    let uri = Uri::parse(PAGE)?;
    assert_eq!((uri.host(), uri.port(), uri.userinfo()), (Some("example.com"), Some(8080), Some("user")));
    assert_eq!((uri.username(), uri.password()), (Some("user"), None));
    assert_eq!(UriRef::new("ftp://u:p:q@h").password(), Some("p:q"));
    assert_eq!(Uri::parse("https://h/")?.port(), None);
    assert_eq!(Uri::parse("https://h/")?.port_or_known_default(), Some(443));
    Ok(())
}

#[test]
fn hosts_are_of_several_kinds() {
    let host = |text| UriRef::new(text).parsed_host();
    assert_eq!(host("//127.0.0.1/"), Some(Host::Ipv4(Ipv4Addr::LOCALHOST)));
    assert_eq!(host("//[::1]:80"), Some(Host::Ipv6(Ipv6Addr::LOCALHOST)));
    assert_eq!(host("//a_b.example./"), Some(Host::Domain("a_b.example.")));
    assert_eq!(host("//b%C3%BCcher"), Some(Host::Name("b%C3%BCcher")));
    assert_eq!((host("///x"), host("/x")), (Some(Host::Name("")), None));
    assert_eq!(host("//[::1]").unwrap().to_string(), "[::1]");
}

#[test]
fn an_owned_uri_becomes_any_text() -> Tested {
    let uri = Uri::parse("http://h/a?q")?;
    let (boxed, counted, shared): (Box<str>, Rc<str>, Arc<str>) =
        (uri.clone().into(), uri.clone().into(), uri.clone().into());
    assert_eq!([&*boxed, &*counted, &*shared], [uri.as_str(); 3]);
    let shared: Arc<str> = UriRef::from(uri.clone()).into();
    assert_eq!([uri].iter().map(Uri::as_str).collect::<Vec<_>>(), [&*shared]);
    Ok(())
}

#[test]
fn edits_of_pairs_go_on() -> Tested {
    let mut uri = Uri::parse("http://h/?a=1&b=2")?;
    uri.remove_query_pair("a").set_query_pair("b", "3").append_query_pair("c", "&").retain_query_pairs(|_, _| true);
    assert_eq!(uri, "http://h/?b=3&c=%26");
    assert_eq!(uri.set_query_pairs([("x", "y")]).append_query_pairs([("z", "")]).as_str(), "http://h/?x=y&z=");
    Ok(())
}

#[test]
fn segments_of_a_path() -> Tested {
    let uri = Uri::parse(PAGE)?;
    assert_eq!(uri.path_segments().collect::<Vec<_>>(), ["docs", "guide", "index.html"]);
    assert_eq!(
        (uri.path_segments().next_back(), uri.path_segments().rev().nth(1)),
        (Some("index.html"), Some("guide"))
    );
    assert_eq!((uri.file_name(), uri.file_stem(), uri.extension()), (Some("index.html"), Some("index"), Some("html")));
    let mut both = UriRef::new("/a/b/c").path_segments();
    assert_eq!(
        (both.next(), both.next_back(), both.next(), both.next_back(), both.next()),
        (Some("a"), Some("c"), Some("b"), None, None)
    );
    for (text, segments) in
        [("", &[][..]), ("/", &[""]), ("a", &["a"]), ("//h//a/", &["", "a", ""]), ("s:a:b/c", &["a:b", "c"])]
    {
        assert_eq!(UriRef::new(text).path_segments().collect::<Vec<_>>(), segments, "{text}");
        assert!(UriRef::new(text).path_segments().rev().eq(segments.iter().rev().copied()), "{text}");
    }
    Ok(())
}

#[test]
fn segments_from_an_iterator() {
    let mut path: Segments = ["", "a", "b"].into_iter().collect();
    path.extend(["c", ""]);
    assert_eq!((path.to_string(), path.len()), (String::from("/a/b/c/"), 5));
    assert_eq!(Segments::from("a/b"), ["a", "b"]);
    // The empty path has one segment; no segments print the same.
    assert_eq!((Segments::new("").len(), Segments::default().len()), (1, 0));
    assert_eq!(Segments::new("").to_string(), Segments::default().to_string());
}

#[test]
fn query_pairs() -> Tested {
    let uri = Uri::parse(PAGE)?;
    let pairs: HashMap<_, _> = uri.query_pairs().collect();
    assert_eq!(pairs["b"], "2");
    let found = UriRef::new("?q=a+b%26c&&x").query_pairs().find(|(name, _)| name == "q");
    assert_eq!(found.unwrap().1, "a b&c");
    assert_eq!(UriRef::new("a").query_pairs().count(), 0);
    for value in ["b", "100%"] {
        let uri = format!("?a={value}");
        assert!(UriRef::new(&*uri).query_pairs().all(|(_, found)| matches!(found, Cow::Borrowed(_)) && found == value));
    }
    assert_eq!(UriRef::new("?%ff=%zz").query_pairs().next(), Some(("\u{fffd}".into(), "%zz".into())));
    Ok(())
}

#[test]
fn origins() -> Tested {
    let same = |one: &str, other: &str| UriRef::new(one).same_origin(other);
    assert!(
        same("http://h/a", "HTTP://H:80/b") && !same("http://h/", "https://h/") && !same("http://h/", "http://h:81/")
    );
    // Two URIs without an origin are not of one site.
    assert!(!Uri::parse("file:///x")?.origin().is_tuple() && !same("file:///x", "file:///x") && !same("x", "x"));
    // Browsers find another host.
    for text in [r"http://a\@b/", r"http://a\x/", "http://a b/", "http://a\n/"] {
        assert!(!UriRef::new(text).origin().is_tuple());
    }
    // Not the origin of `https://a:80`.
    assert!(!Uri::parse("https://a:80:443/")?.origin().is_tuple());
    assert_eq!(Uri::parse("https://[::1]:443/")?.origin().to_string(), "https://[::1]");
    let opaque = UriRef::new("x").origin();
    assert!(HashSet::from([opaque.clone()]).contains(&opaque) && opaque != UriRef::new("x").origin());
    Ok(())
}

#[test]
fn types_without_a_parameter_own_their_text() -> Tested {
    struct Page {
        base: Base,
        canonical: Option<Uri>,
        links: Vec<UriRef>,
    }
    let base = Base::new(String::from("http://h/a"), Rules::RFC3986)?;
    let page = Page { canonical: Some("http://h/b".parse()?), links: vec!["c".parse()?], base };
    let links: Vec<Uri> = page.links.iter().map(|link| page.base.resolve(link.as_str()).into_uri()).collect();
    assert_eq!((links[0].as_str(), page.canonical.unwrap().as_str()), ("http://h/c", "http://h/b"));
    Ok(())
}

#[test]
fn is_it_absolute() {
    assert!(UriRef::new("a:b").is_absolute() && !UriRef::new("//h/b").is_absolute());
}

#[cfg(all(unix, feature = "std"))]
#[test]
fn file_paths() -> Tested {
    use std::path::Path;
    let uri = Uri::from_file_path("/tmp/ü %.html")?;
    assert_eq!(uri, "file:///tmp/%C3%BC%20%25.html");
    assert_eq!(uri.to_file_path()?, Path::new("/tmp/ü %.html"));
    assert_eq!(UriRef::new("FILE://LocalHost/a/../b").to_file_path()?, Path::new("/a/../b"));
    for (text, position, why) in [
        ("http://h/a", 0, "the scheme `file`"),
        ("a", 0, "the scheme `file`"),
        ("file://host/a", 7, "no host"),
        ("file:a", 5, "`/` to start"),
        ("file:///a%2Fb", 9, "no escaped slash"),
        ("file:///a/b%00", 11, "no NUL"),
        ("file:///a/\0", 10, "no NUL"),
        ("file:///a/../%2e./b", 13, "no `..` above the root"),
    ] {
        let error = UriRef::new(text).to_file_path().unwrap_err();
        assert_eq!((error.kind(), error.position()), (ErrorKind::NotFilePath, position), "{text}");
        assert!(error.to_string().contains(why), "{error}");
    }
    let error = UriRef::new("file:///a/%4?").to_file_path().unwrap_err();
    assert_eq!((error.kind(), error.position()), (ErrorKind::IllegalEscape, 12));
    assert_eq!(Uri::from_directory_path("/a b")?, "file:///a%20b/");
    assert_eq!(Uri::from_directory_path("/")?, "file:///");
    assert!(Uri::from_file_path("a").is_err());
    Ok(())
}

#[test]
fn addresses() {
    assert!(UriRef::new("//127.0.0.1").parsed_host().and_then(|host| host.ip()).is_some_and(|ip| ip.is_loopback()));
    assert_eq!(UriRef::new("//h").parsed_host().unwrap().ip(), None);
}

#[test]
fn splitting_never_fails() {
    for text in ["", ":", "//", "?#", "%zz", "a b", "\u{fc}:x", "\0"] {
        assert_eq!(UriRef::new(text).to_string(), text);
    }
}

// Change it.

#[test]
fn without_the_fragment() -> Tested {
    let uri = Uri::parse("http://h/a#top")?;
    assert_eq!(uri.without_fragment(), "http://h/a");
    assert_eq!(uri.with_fragment("end")?, "http://h/a#end");
    assert_eq!(uri.with_query("q")?.without_fragment(), uri.with_query("q")?.with_fragment(None)?);
    assert_eq!(Base::from_uri(uri.without_fragment(), Rules::RFC3986).as_str(), "http://h/a");
    assert_eq!(Uri::parse("http://h/a?q#f")?.without_query(), "http://h/a#f");
    assert_eq!(UriRef::new("?q").without_query(), "");
    assert_eq!(uri.with_fragment("a#b").unwrap_err().position(), 1);
    Ok(())
}

#[test]
fn another_query() -> Tested {
    let uri = Uri::parse("http://h/a?b#c")?;
    let other: Uri<String> = uri.with_query("x=1")?;
    assert_eq!(other, "http://h/a?x=1#c");
    assert_eq!(uri.with_query(format!("x={}", 2))?, "http://h/a?x=2#c");
    assert_eq!(uri.with_query(None)?, "http://h/a#c");
    assert_eq!(uri.with_query("x#y").unwrap_err().position(), 1);
    Ok(())
}

#[test]
fn another_path() -> Tested {
    let uri = Uri::parse("http://h/a?b")?;
    assert_eq!(uri.with_path("/c/d")?, "http://h/c/d?b");
    assert_eq!(uri.with_path("c").unwrap_err().kind(), ErrorKind::NotComponent);
    for path in ["/c?d", "/c#d", "/c d"] {
        assert_eq!(uri.with_path(path).unwrap_err().kind(), ErrorKind::NotValid);
    }
    assert!(UriRef::new("a/b").with_path("c:d").is_err() && UriRef::new("a/b").with_path("//h").is_err());
    Ok(())
}

#[test]
fn built_from_components() -> Tested {
    let uri = Uri::builder().scheme("https").authority("h").path("/a").build()?;
    assert_eq!(uri, "https://h/a");
    assert_eq!(UriRef::builder().path("../a").fragment("b").build()?, "../a#b");
    assert_eq!(uri.to_builder().scheme("http").build()?, "http://h/a");
    let local = Uri::builder().scheme("http").host("[::1]").port(8080).userinfo("u:p").path("/");
    assert_eq!(local.build()?, "http://u:p@[::1]:8080/");
    let query = UriRef::builder().query_pair("a", "").query_pairs([("b c", "&"), ("é", "=")]);
    assert_eq!(query.build()?, "?a=&b+c=%26&%C3%A9=%3D");
    Ok(())
}

#[test]
fn built_from_segments() -> Tested {
    let host = UriRef::builder().scheme("http").host("h");
    for (built, expected) in [
        (host.clone().segments(["a", "", "b/c"]), "http://h/a//b%2Fc"),
        (host.clone().path("/a").segment("b").segment(""), "http://h/a/b/"),
        (host.clone().path("/a/").segment("b"), "http://h/a/b"),
        (host.clone().segment("a").path("/b"), "http://h/b"),
        (host.clone().segment(".").path("/b"), "http://h/b"),
        (host.clone().segments([""; 0]), "http://h"),
        (UriRef::builder().segment("a:b").segment("c:d"), "a%3Ab/c:d"),
        (UriRef::builder().segment("a:b").scheme("s"), "s:a:b"),
    ] {
        assert_eq!(built.build()?, expected);
    }
    for built in [
        host.segment("a").segment("..").segment("b"),
        UriRef::builder().segments(["", "a"]),
        UriRef::builder().path("/").segments(["", "a"]),
    ] {
        assert_eq!(built.build().unwrap_err().kind(), ErrorKind::NotComponent);
    }
    Ok(())
}

#[test]
fn the_builder_makes_nothing_that_splits_differently() {
    use ErrorKind::{NotComponent, NotValid};
    let build = |scheme, authority, path: &'static str, query| {
        let mut built = UriRef::builder().path(path).fragment("f");
        built = Option::map_or(scheme, built.clone(), |scheme: &str| built.scheme(scheme));
        built = Option::map_or(authority, built.clone(), |authority: &str| built.authority(authority));
        built = Option::map_or(query, built.clone(), |query: &str| built.query(query));
        built.build().map(|uri| uri.to_string())
    };
    for (scheme, authority, path, query, kind) in [
        (Some("1a"), None, "", None, NotValid),
        (Some(""), None, "", None, NotValid),
        (Some("a b"), None, "", None, NotValid),
        (None, Some("h/x"), "", None, NotValid),
        (None, Some("h"), "x", None, NotComponent),
        (None, None, "//x", None, NotComponent),
        (None, None, "a:b", None, NotComponent),
        (None, None, "a?b", None, NotValid),
        (None, None, "", Some("a#b"), NotValid),
    ] {
        assert_eq!(build(scheme, authority, path, query).unwrap_err().kind(), kind, "{path}");
    }
    assert_eq!(build(None, Some(""), "//x", None).as_deref(), Ok("////x#f"));
    assert_eq!(build(Some("a"), None, "a:b", Some("?")).as_deref(), Ok("a:a:b??#f"));
    assert_eq!(Uri::builder().path("a").build().unwrap_err().kind(), ErrorKind::NoScheme);
}

#[test]
fn another_host_or_port() -> Tested {
    let uri = Uri::parse("http://user@h:80/a?b#c")?;
    assert_eq!(uri.with_host("example.com")?, "http://user@example.com:80/a?b#c");
    assert_eq!(uri.with_host("[::1]")?.parsed_host(), Some(Host::Ipv6(Ipv6Addr::LOCALHOST)));
    assert_eq!(uri.with_port(8080)?, "http://user@h:8080/a?b#c");
    assert_eq!(uri.with_port(None)?, "http://user@h/a?b#c");
    assert_eq!(uri.with_userinfo("me:pw")?, "http://me:pw@h:80/a?b#c");
    assert_eq!(uri.with_userinfo(None)?, "http://h:80/a?b#c");
    assert_eq!(uri.with_authority("i")?, "http://i/a?b#c");
    assert_eq!(uri.with_scheme("https")?.with_port(None)?, "https://user@h/a?b#c");
    assert_eq!(UriRef::new("//h/a").with_scheme("x-y")?, "x-y://h/a");
    Ok(())
}

#[test]
fn an_edit_that_would_not_be_valid_or_change_another_component_is_an_error() -> Tested {
    use ErrorKind::{IllegalEscape, NotComponent, NotValid};
    let uri = Uri::parse("http://user@h:80/a")?;
    let mail = Uri::parse("mailto:a@b")?;
    let odd = Uri::parse("http://h:1:2/")?;
    for (edited, kind, position, names) in [
        (uri.with_host("h/a"), NotValid, 1, "`host` of RFC 3986: expected a character of `reg-name`, found `/`"),
        (uri.with_host("a b"), NotValid, 1, "found ` `"),
        (uri.with_host("u@h"), NotValid, 1, "found `@`"),
        (uri.with_host("h:1"), NotValid, 1, "found `:`"),
        (uri.with_host("%4g"), IllegalEscape, 2, "two hex digits"),
        (uri.with_host("[::1"), NotValid, 4, "`]` to end the `IP-literal`"),
        (uri.with_host("[::1]x"), NotValid, 5, "the end of the `host` after `]`"),
        (uri.with_authority("u@h?a"), NotValid, 3, "`host` of RFC 3986"),
        (uri.with_authority("a b@h"), NotValid, 1, "`userinfo` of RFC 3986"),
        (uri.with_authority("u@h:8o"), NotValid, 5, "a digit of `port`"),
        (uri.with_scheme("a:b"), NotValid, 1, "in a scheme, found `:`"),
        (uri.with_scheme("é"), NotValid, 0, "a letter to start a scheme"),
        (uri.with_userinfo("a@b"), NotValid, 1, "a character of `userinfo`, found `@`"),
        (uri.with_path("/a\u{e9}"), NotValid, 2, "a character of `path`"),
        (uri.with_path("/%"), IllegalEscape, 2, "found the end"),
        (uri.with_query("[]"), NotValid, 0, "a character of `query`"),
        (uri.with_fragment("a#b"), NotValid, 1, "a character of `fragment`"),
        (uri.with_path("a"), NotComponent, 0, "`/` to start a path after an authority"),
        (uri.with_host(None), NotComponent, 0, "a host between userinfo and port"),
        (mail.with_host("h"), NotComponent, 0, "`/` to start a path after an authority"),
        (mail.with_path("//h"), NotComponent, 1, "one slash to start a path"),
        (mail.with_port(1), NotComponent, 0, "a host before a port"),
        (mail.with_userinfo("u"), NotComponent, 0, "a host after userinfo"),
        (odd.with_port(None), NotComponent, 1, "no colon in a host without a port"),
        (Uri::parse("http://[x/")?.with_port(1), NotComponent, 2, "`]` to end a host before a port"),
        (Uri::builder().scheme("a").userinfo("u").build(), NotComponent, 0, "a host after userinfo"),
        (Uri::builder().scheme("a").port(1).build(), NotComponent, 0, "a host before a port"),
        (Uri::builder().scheme("a").host("h").userinfo("u/x").build(), NotValid, 1, "`userinfo`"),
        (Uri::builder().authority("h:x").scheme("a").build(), NotValid, 0, "a digit of `port`"),
    ] {
        let error = edited.unwrap_err();
        assert_eq!((error.kind(), error.position()), (kind, position), "{error}");
        assert!(error.to_string().contains(names), "{error}");
    }
    assert_eq!(odd.with_port(3)?, "http://h:1:3/");
    Ok(())
}

#[test]
fn in_place() -> Tested {
    let mut uri: Uri = "http://h".parse()?;
    uri.set_userinfo(Some("me"))?;
    uri.set_port(81)?;
    uri.set_path("/a")?;
    uri.set_fragment(Some("f"))?;
    uri.set_query(Some("q"))?;
    uri.set_scheme("https")?;
    assert_eq!(uri, "https://me@h:81/a?q#f");
    assert!(uri.set_query(Some("a#b")).is_err() && uri == "https://me@h:81/a?q#f");
    uri.set_username(None)?;
    uri.set_password(String::from("50%/@"))?;
    assert_eq!(
        (uri.as_str(), uri.username(), uri.password()),
        ("https://:50%25%2F%40@h:81/a?q#f", Some(""), Some("50%25%2F%40"))
    );
    uri.set_password(None)?;
    uri.set_username("a:b")?;
    assert_eq!(uri, "https://a%3Ab@h:81/a?q#f");
    uri.set_query(None)?;
    uri.set_authority(None)?;
    assert!(uri.set_username("a").is_err() && uri.set_password("a").is_err() && uri.set_password(None).is_ok());
    assert_eq!(uri, "https:/a#f");
    uri.set_host("i")?;
    uri.set_host(None)?;
    assert_eq!(uri, "https:/a#f");

    let mut reference = UriRef::from(uri);
    reference.set_scheme(None)?;
    reference.set_path("b")?;
    assert_eq!(reference, "b#f");
    assert_eq!(reference.set_path("b:c").unwrap_err().position(), 1);
    let mut colon = UriRef::new(String::from("a:b:c"));
    assert_eq!((colon.set_scheme(None).unwrap_err().position(), colon.as_str()), (1, "a:b:c"));
    let mut slashes = UriRef::new(String::from("////a"));
    assert_eq!((slashes.set_authority(None).unwrap_err().position(), slashes.as_str()), (1, "////a"));
    Ok(())
}

#[test]
fn other_pairs() -> Tested {
    let mut uri: Uri = "http://h/?a=%31&&b+c&a=2&é#f".parse()?;
    uri.append_query_pairs([("x", "é ~*"), ("", "")]);
    assert_eq!(uri, "http://h/?a=%31&&b+c&a=2&é&x=%C3%A9+%7E*&=#f");
    uri.set_query_pair("a", "3");
    assert_eq!(uri, "http://h/?a=3&b+c&é&x=%C3%A9+%7E*&=#f");
    uri.remove_query_pair("b c");
    uri.retain_query_pairs(|name, value| name != "x" || value != "é ~*");
    assert_eq!(uri, "http://h/?a=3&é&=#f");
    uri.set_query_pairs([(String::from("n"), "v")]);
    assert_eq!(uri, "http://h/?n=v#f");
    uri.retain_query_pairs(|_, _| false);
    assert_eq!(uri, "http://h/#f");
    uri.append_query_pairs([("", ""); 0]);
    uri.remove_query_pair("a");
    assert_eq!(uri, "http://h/#f");
    uri.set_query_pair("a", "1");
    assert_eq!(uri, "http://h/?a=1#f");
    let uri = Uri::parse("s:?a=0&a=&c")?;
    assert_eq!(uri.with_query_pair("a", "1"), "s:?a=1&c");
    assert_eq!(uri.with_query_pairs([("b", "2")]), "s:?b=2");
    let shared: Uri<std::sync::Arc<str>> = uri.into();
    assert_eq!(Uri::<String>::from(shared), "s:?a=0&a=&c");
    let mut unchanged = UriRef::new(String::from("?&&"));
    unchanged.remove_query_pair("a");
    assert_eq!(unchanged, "?&&");
    Ok(())
}

#[test]
fn other_segments() -> Tested {
    let pushed = |text: &str, segment: &str| UriRef::new(text).with_segment(segment).map(UriRef::into_inner);
    for (text, segment, expected) in [
        ("http://h", "a", "http://h/a"),
        ("http://h/", "a", "http://h/a"),
        ("http://h/a/?q#f", "b?#/%é", "http://h/a/b%3F%23%2F%25%C3%A9?q#f"),
        ("http://h/a", "", "http://h/a/"),
        ("http://h", "", "http://h/"),
        ("//h//", "a", "//h//a"),
        ("", "a:b", "a%3Ab"),
        ("a", "b:c", "a/b:c"),
        ("s:", "a:b", "s:a:b"),
        ("/", "", "/"),
        ("..", "a", "../a"),
    ] {
        assert_eq!(pushed(text, segment)?, expected);
    }
    for (text, segment) in [("/a", "."), ("/a", ".."), ("", ""), ("s:?q", "")] {
        assert_eq!(pushed(text, segment).unwrap_err().kind(), ErrorKind::NotComponent, "{text} {segment}");
    }
    assert!(UriRef::new("/").with_segments(["", "a"]).is_err());
    assert_eq!(UriRef::new("//h/").with_segments(["", "a"])?, "//h//a");
    let mut uri: UriRef = "//h/a//b#f".parse()?;
    let mut left = Vec::new();
    while uri.pop_segment() {
        left.push(uri.path().to_string());
    }
    assert_eq!((left, uri.as_str()), (vec!["/a/".into(), "/a".into(), String::from("/")], "//h/#f"));
    let named = |text: &str, name: &str| -> Result<String, Error> {
        let mut uri = UriRef::new(String::from(text));
        uri.set_file_name(name).map(|()| uri.into_inner())
    };
    for (text, name, expected) in [
        ("/a/b?q", "c d", "/a/c%20d?q"),
        ("/a/", "c", "/a/c"),
        ("//h", "c", "//h/c"),
        ("", "c:d", "c%3Ad"),
        ("a", "c:d", "c%3Ad"),
        ("", "", ""),
        ("/a", "", "/"),
        ("..", "a", "../a"),
    ] {
        assert_eq!(named(text, name)?, expected);
    }
    assert!(named("/a", "..").is_err() && named("..", ".").is_err());
    let extended = |text: &str, extension: &str| -> Result<String, Error> {
        let mut uri = UriRef::new(String::from(text));
        uri.set_extension(extension).map(|()| uri.into_inner())
    };
    for (text, extension, expected) in [
        ("a.b?q", "c", "a.c?q"),
        ("/a", "c", "/a.c"),
        ("/.a", "c", "/.a.c"),
        ("/a.b", "", "/a"),
        ("a", "b:c", "a.b%3Ac"),
        ("/a", "b/c", "/a.b%2Fc"),
    ] {
        assert_eq!(extended(text, extension)?, expected);
    }
    assert_eq!(extended("/a/", "b").unwrap_err().position(), 3);
    assert!(extended("/a/..", "b").is_err() && extended("/...", "").is_err() && extended("..a", "").is_err());
    Ok(())
}

// Resolve.

#[test]
fn one_reference() -> Tested {
    assert_eq!(resolve(PAGE, "../x", Rules::RFC3986)?, "http://user@example.com:8080/docs/x");
    let resolved: Uri<String> = Uri::parse(PAGE)?.resolve("/x", Rules::RFC3986);
    assert_eq!(resolved.path(), "/x");
    let mut buffer = String::new();
    relref::resolve_into(PAGE, "#x", Rules::RFC3986, &mut buffer)?;
    assert!(buffer.ends_with("/index.html?a=1&b=2#x"));
    Ok(())
}

#[test]
fn join_a_path() -> Tested {
    let base = Base::new("http://h/a/", Rules::RFC3986)?;
    let uri: Uri<String> = base.resolve("b").to_uri();
    assert_eq!(uri.path(), "/a/b");
    assert_eq!(uri, Uri::parse("http://h/a/b")?);
    Ok(())
}

#[test]
fn components_of_a_result() -> Tested {
    let base = Base::new("http://h/a/b?q#f", Rules::RFC3986)?;
    let result = base.resolve("../c?x#y");
    assert_eq!((result.scheme(), result.authority(), result.path()), ("http", Some("h"), "/c"));
    assert_eq!((result.query(), result.fragment(), result.len()), (Some("x"), Some("y"), 14));
    assert_eq!(base.resolve("#z").query(), Some("q"));
    let other = base.resolve("//i:81/x/y?a=1");
    assert_eq!((other.host(), other.parsed_host(), other.port()), (Some("i"), Some(Host::Domain("i")), Some(81)));
    assert_eq!((other.port_or_known_default(), other.origin().to_string()), (Some(81), "http://i:81".into()));
    assert_eq!(base.resolve("//me@i").userinfo(), Some("me"));
    assert_eq!(other.query_pairs().next(), Some(("a".into(), "1".into())));
    assert_eq!(Segments::new(other.path()).last(), Some(&"y"));
    Ok(())
}

#[test]
fn a_result_that_outlives_its_base() -> Tested {
    fn kept(base: &str) -> Result<Uri<String>, Error> {
        Ok(Base::new(base, Rules::RFC3986)?.resolve("x").into())
    }
    assert_eq!(kept("http://h/a/b")?, "http://h/a/x");
    Ok(())
}

#[test]
fn into_what_is_there() -> Tested {
    let base = Base::new("http://h/", Rules::RFC3986)?;
    let mut text = String::from("<");
    base.resolve_into("a", &mut text);
    base.resolve("b").append_to(&mut text);
    write!(text, "{}", base.resolve("c"))?;
    assert_eq!(text, "<http://h/ahttp://h/bhttp://h/c");
    Ok(())
}

#[test]
fn resolved_to_a_base() -> Tested {
    let document = Base::new("http://h/a/b", Rules::RFC3986)?;
    let base = Base::from_uri(document.resolve("../x/").to_uri(), Rules::RFC3986);
    assert_eq!(base.resolve("y"), "http://h/x/y");
    Ok(())
}

#[test]
fn many_in_a_chain() -> Tested {
    let base = Base::new(PAGE, Rules::RFC3986)?;
    let all: Vec<String> = ["a", "b"].iter().map(|reference| base.resolve(reference).into_string()).collect();
    assert_eq!(all.concat().matches("/docs/guide/").count(), 2);
    Ok(())
}

#[test]
fn references_of_any_kind() -> Tested {
    let base = Base::new("http://h/a/", Rules::RFC3986)?;
    let (reference, text) = (UriRef::new("b"), String::from("b"));
    assert_eq!(base.resolve(&reference), base.resolve(&text));
    assert_eq!(resolve(base.uri(), reference, Rules::RFC3986)?, "http://h/a/b");
    assert_eq!(base.resolve("b"), base.resolve("b").into_uri());
    Ok(())
}

#[test]
fn a_colon_in_a_result_is_not_a_scheme() -> Tested {
    let base = Base::new("x:y", Rules::RFC3986)?;
    let uri = base.resolve("./http://h").to_uri();
    assert_eq!((uri.authority(), uri.path()), (None, "http://h"));
    assert_eq!(uri.with_fragment("f")?, "x:http://h#f");
    Ok(())
}

#[test]
fn generic_over_the_text() -> Tested {
    use relref::support::UriText;
    fn path<T: UriText>(uri: &UriRef<T>) -> &str {
        uri.as_borrowed().path()
    }
    fn parsed<T: UriText>(text: T) -> Result<Uri<T>, Error> {
        Uri::new(text).map_err(Into::into)
    }
    assert_eq!(path(&parsed(String::from("a:b"))?.into_uri_ref()), "b");
    Ok(())
}

#[test]
fn names_in_settings() -> Tested {
    use relref::canon::Rung;
    use relref::crawl::Change;
    use relref::validate::Grammar;
    assert_eq!(("drop-www".parse::<Change>()?, "dots".parse::<Rung>()?), (Change::DropWww, Rung::Dots));
    assert_eq!("rfc3986-uri".parse::<Grammar>()?.to_string(), "rfc3986-uri");
    for &grammar in Grammar::ALL {
        assert_eq!(grammar.name().parse(), Ok(grammar));
    }
    let error = "drop-wwww".parse::<Change>().unwrap_err();
    assert!(error.to_string().ends_with("; did you mean drop-www?"), "{error}");
    let error = "rfc3968".parse::<Rules>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "not a rule set: expected url7, draft-www-uri-00, rfc1630, rfc1808, rfc2396 or rfc3986, optionally with +lenient; did \
         you mean rfc3986?"
    );
    Ok(())
}

#[test]
fn make_it_relative() -> Tested {
    let base = Base::new(PAGE, Rules::RFC3986)?;
    assert_eq!(base.relativize("http://user@example.com:8080/docs/x"), "../x");
    assert_eq!(base.relativize(&base.resolve("y").into_string()), "y");
    Ok(())
}

#[test]
fn rules_by_name() -> Tested {
    assert_eq!((Rules::default(), Rules::default().name()), (Rules::RFC3986, "rfc3986"));
    let rules: Rules = "rfc2396+lenient".parse()?;
    assert_eq!((rules, rules.to_string().as_str()), (Rules::RFC2396.lenient(), "rfc2396+lenient"));
    assert_eq!("rfc822".parse::<Rules>().unwrap_err().kind(), ErrorKind::UnknownName);
    Ok(())
}

// For a crawler.

#[test]
fn one_form_and_key_for_each_page() -> Tested {
    use relref::crawl::Normalizer;
    let normalizer = Normalizer::crawl();
    let base = Base::new("http://Example.com/docs/", Rules::RFC3986)?;
    let page = normalizer.resolve(&base, "a/../b?z&y&utm_source=x#top")?;
    assert_eq!(
        (page.as_str(), normalizer.surt(&page)?.as_str()),
        ("http://example.com/docs/b?y&z", "com,example)/docs/b?y&z")
    );
    assert_eq!(normalizer.normalize("http://H/%zz#top")?, "http://h/%zz");
    let strict = normalizer.keep_illegal_escapes(false);
    assert_eq!(strict.normalize("http://h/%zz").unwrap_err().kind(), ErrorKind::IllegalEscape);
    Ok(())
}

#[test]
fn two_texts_that_mean_the_same() -> Tested {
    use relref::canon::{Comparison, Rung, compare};
    let same = compare("http://h/%7Ea", "http://H:80/~a", Rules::RFC3986)?;
    assert!(matches!(same, Comparison::Equal { rung: Rung::Scheme, .. }));
    assert!(Uri::parse("http://h/%7Ea")? != "http://H:80/~a");
    Ok(())
}

#[test]
fn as_a_browser_does() -> Tested {
    let base = relref::whatwg::Base::new("http://example.com/docs/")?;
    assert_eq!(base.resolve("../a b\\c")?, "http://example.com/a%20b/c");
    Ok(())
}

// With serde.

#[cfg(feature = "serde")]
#[test]
fn in_json() -> Tested {
    let uri: Uri<String> = serde_json::from_str("\"http:\\u002f/h\"")?;
    assert_eq!((uri.host(), serde_json::to_string(&uri)?), (Some("h"), String::from("\"http://h\"")));
    let borrowed: UriRef<&str> = serde_json::from_str("\"a?b\"")?;
    assert_eq!(borrowed.query(), Some("b"));
    let from_reader: Vec<UriRef<String>> = serde_json::from_reader(&b"[\"a\", \"b\\n\"]"[..])?;
    assert_eq!(from_reader[1], "b\n");
    assert!(serde_json::from_str::<Uri<String>>("\"/a\"").unwrap_err().to_string().contains("not an absolute URI"));
    Ok(())
}

#[cfg(feature = "serde")]
#[test]
fn bases_and_names_in_json() -> Tested {
    let base = Base::new(String::from("http://h/a"), Rules::RFC3986.lenient())?;
    let json = serde_json::to_string(&base)?;
    assert_eq!(json, r#"{"uri":"http://h/a","rules":"rfc3986+lenient"}"#);
    assert_eq!(serde_json::from_str::<Base>(&json)?, base);
    assert!(serde_json::from_str::<Base>(r#"{"uri":"/a","rules":"rfc3986"}"#).is_err());
    let change: relref::crawl::Change = serde_json::from_str("\"drop-www\"")?;
    assert_eq!(serde_json::to_string(&change)?, "\"drop-www\"");
    let error = serde_json::from_str::<relref::Document>("\"rfc822\"").unwrap_err().to_string();
    assert!(error.contains("rfc1630") && error.contains("rfc3986"), "{error}");
    Ok(())
}

#[cfg(feature = "serde")]
#[test]
fn a_normalizer_in_settings() -> Tested {
    use relref::crawl::{Change, Normalizer};
    let read = |json: &str| serde_json::from_str::<Normalizer>(json);
    assert_eq!(serde_json::to_string(&Normalizer::crawl())?, r#""crawl""#);
    let json = r#"{"preset":"crawl","with":["upgrade","drop-www"],"without":["sort-query"],"keep_only":["id"]}"#;
    let normalizer = read(json)?;
    assert_eq!(normalizer.normalize("http://www.h.com/?b&id=2&id=1#top")?, "https://h.com/?id=2&id=1");
    assert_eq!(serde_json::to_string(&normalizer)?, json);
    let json = r#"{"preset":"safe","with":["drop-tracking"],"tracking":["ref","x*"],"keep_illegal_escapes":true}"#;
    let normalizer = Normalizer::safe().tracking(["x*", "REF"]).keep_illegal_escapes(true);
    assert_eq!(serde_json::to_string(&normalizer)?, json);
    assert_eq!(serde_json::to_string(&read(json)?)?, json);
    assert!(!read(r#"{"preset":"safe","with":["upgrade"],"without":["upgrade"]}"#)?.has(Change::Upgrade));
    for (json, why) in [
        (r#""crwal""#, "expected safe or crawl; did you mean crawl?"),
        (r#"{"preset":"crawl","with":["drop-wwww"]}"#, "did you mean drop-www?"),
        (r#"{"with":[]}"#, "missing field `preset`"),
        (r#"{"preset":"safe","wiht":[]}"#, "unknown field `wiht`"),
        ("1", "expected the name of a preset"),
    ] {
        let error = read(json).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    Ok(())
}

#[cfg(feature = "serde")]
#[test]
fn serde_refuses_what_parse_refuses() {
    for text in ["", "/a", "a:b", "1a:b", "%:", "a/b:c", "é:x"] {
        let json = serde_json::to_string(text).unwrap();
        assert_eq!(serde_json::from_str::<Uri<String>>(&json).is_ok(), Uri::parse(text).is_ok(), "{text}");
        assert_eq!(serde_json::from_str::<Uri<&str>>(&json).is_ok(), Uri::parse(text).is_ok(), "{text}");
        assert!(serde_json::from_str::<UriRef<Cow<str>>>(&json).is_ok());
    }
}

/// A normalizer that is serialized and read back is the same, and is so a second time.
#[cfg(feature = "serde")]
#[test]
fn normalizers_come_back() -> Tested {
    use relref::crawl::{Change, Normalizer};
    for normalizer in [
        Normalizer::safe().tracking(["x"]).without(Change::DropTracking),
        Normalizer::crawl().tracking(["\u{e9}", "b*", "a*"]),
        Normalizer::safe().keep_only(["a", "\u{e9}"]).without(Change::KeepOnly),
        Normalizer::crawl().keep_only(["a"]).keep_illegal_escapes(false),
    ] {
        let json = serde_json::to_string(&normalizer)?;
        let back: Normalizer = serde_json::from_str(&json)?;
        assert_eq!(back, normalizer, "{json}");
        assert_eq!(serde_json::to_string(&back)?, json);
    }
    assert_eq!(Normalizer::safe().tracking(["a", "a"]), Normalizer::safe().tracking(["a"]));
    Ok(())
}

// With other crates.

#[cfg(feature = "http")]
#[test]
fn to_and_from_http() -> Tested {
    let sent: http::Uri = Uri::parse("HTTP://example.com?q#top")?.try_into()?;
    assert_eq!((sent.host(), sent.query()), (Some("example.com"), Some("q")));
    assert_eq!(Uri::try_from(&sent)?, "http://example.com/?q");
    // The targets of requests.
    for (target, reference) in [
        ("/a?b", "/a?b"),
        ("example.com:443", "//example.com:443"),
        ("//evil.example/x", "/.//evil.example/x"),
        ("*", "*"),
    ] {
        let target: http::Uri = target.parse()?;
        assert_eq!((&*UriRef::from(&target).into_inner(), Uri::try_from(target).is_err()), (reference, true));
    }
    for (reference, is_read) in
        [("/a?b#c", true), ("*", true), ("a", false), ("", false), ("?a", false), ("mailto:x", false)]
    {
        assert_eq!(http::Uri::try_from(UriRef::new(reference)).is_ok(), is_read, "{reference}");
    }
    for (uri, is_read) in [("urn:80", false), ("http:/a", false), ("ftp://h/a", true), ("http://a b/", false)] {
        assert_eq!(http::Uri::try_from(Uri::parse(uri)?).is_ok(), is_read, "{uri}");
    }
    assert!(http::Uri::try_from(&UriRef::new("//h/a")).is_err());
    Ok(())
}

#[cfg(feature = "url")]
#[test]
fn to_and_from_url() -> Tested {
    let url: url::Url = Uri::parse("http://Example.com/a b")?.try_into()?;
    assert_eq!(url.as_str(), "http://example.com/a%20b");
    assert_eq!(Uri::from(&url).path(), "/a%20b");
    assert_eq!(relref::whatwg::Url::try_from(&url)?, url.as_str());
    assert_eq!(url::Url::try_from(relref::whatwg::Url::parse("http://h")?)?.as_str(), "http://h/");
    assert_eq!(UriRef::from(url.clone()), Uri::from(url));
    assert!(url::Url::try_from(&Uri::parse("http://a b/")?).is_err());
    Ok(())
}
