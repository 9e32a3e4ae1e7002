//! The traits that types have: they can be used in threads, as errors, in sets and in loops.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;

use relref_links::html::{
    self, ChunkedPage, FieldError, FoundAttribute, FoundLink, Kind, Link, LinkBuf, Options, PageBase, Pages, Place,
    Rejected,
};
use relref_links::rewrite::{Edit, LeftReason, MapError, Mapping, Mode, Rewriter};

fn is_send_and_sync<T: Send + Sync>() {}

fn is_send<T: Send>() {}

fn is_error<T: Error + Send + Sync + 'static>() {}

fn is_value<T: Clone + Debug + Eq + Hash + Send + Sync>() {}

#[test]
fn html_has_usual_traits() {
    is_error::<FieldError>();
    is_error::<Rejected>();
    is_value::<FieldError>();
    is_value::<FoundAttribute<'_>>();
    is_value::<FoundLink<'_>>();
    is_value::<Kind>();
    is_value::<Link<'_>>();
    is_value::<LinkBuf>();
    is_value::<Options>();
    is_value::<Place>();
    is_value::<Rejected>();
    is_send_and_sync::<PageBase<'_>>();
    is_send_and_sync::<Pages>();
    is_send_and_sync::<ChunkedPage<'_>>();
    is_error::<MapError>();
    is_value::<Edit<'_>>();
    is_value::<LeftReason>();
    is_value::<Mode>();
    is_send_and_sync::<Mapping>();
    is_send::<Rewriter<'_, Mapping>>();
    fn prints<T: Display>() {}
    prints::<Link<'_>>();
    prints::<LinkBuf>();
}

#[test]
fn links_can_be_printed_and_compared() -> Result<(), Box<dyn Error>> {
    let mut links = Vec::<LinkBuf>::new();
    let base = relref::whatwg::Base::new("http://h/")?;
    Pages::with(Options { rejected: true, max_text: 9, ..Options::default() }).links(
        "<a href=c>x</a><img src=b alt='y z'><a href=//h:99999>",
        None,
        &base,
        |link| links.push(link.into()),
    );
    assert_eq!(links[1].text, "y z");
    assert_eq!(
        links[2].rejected.unwrap().to_string(),
        "not a valid URL: port-out-of-range at byte 4: no port is greater than 65535"
    );
    assert_eq!(links.iter().map(ToString::to_string).collect::<Vec<_>>(), ["http://h/c", "http://h/b", ""]);
    let set: HashSet<LinkBuf> = links.into_iter().collect();
    assert_eq!(set.len(), 3);
    Ok(())
}

#[test]
fn fields_of_responses_have_links() -> Result<(), Box<dyn Error>> {
    let uris = |name: &str, value: &[u8]| -> Result<Vec<String>, relref::whatwg::Error> {
        Ok(html::field_links(name, value, "http://h/a/")?.into_iter().map(|link| link.uri).collect())
    };
    assert_eq!(uris("LINK", b"<b>; rel=next, c>, <d>")?, ["http://h/a/b", "http://h/a/d"]);
    assert_eq!(uris("Refresh", b"5; url=/x")?, ["http://h/x"]);
    assert!(uris("Date", b"<b>")?.is_empty());
    assert!(html::field_links("Location", "/x", "no URL").is_err());
    let damage = html::each_field_link("Link", "c>", |_| true).unwrap_err();
    assert_eq!(damage.to_string(), "a target of its Link field has no `<` and `>`");
    Ok(())
}

#[test]
fn readers_can_be_cloned_for_threads() {
    let pages = Pages::with(Options { kinds: vec![Kind::Form], ..Default::default() });
    assert_eq!(pages.clone().options, pages.options);
}

#[cfg(feature = "archive")]
mod archive {
    use std::fs::File;
    use std::io;

    use relref_links::archive::{
        Body, Capture, ContentRead, Damage, Fields, Reason, Record, Records, SkippedRecords, UndamagedPart,
    };

    use super::*;

    fn is_send<T: Send>() {}

    #[test]
    fn archives_have_usual_traits() {
        is_error::<Damage>();
        is_error::<Reason>();
        is_value::<ContentRead>();
        is_value::<Fields>();
        is_value::<Record>();
        is_value::<SkippedRecords>();
        is_send::<Body<'_>>();
        is_send::<Capture<'_, File>>();
        is_send::<Records<File>>();
        is_send::<UndamagedPart<'_>>();
    }

    #[cfg(feature = "wacz")]
    #[test]
    fn wacz_is_send() {
        use relref_links::archive::{ReadSeek, Wacz, WaczArchive};

        is_send::<Wacz<File>>();
        is_send::<WaczArchive<'_, File>>();
        is_send::<Records<Box<dyn ReadSeek>>>();
    }

    #[test]
    fn records_and_fields_can_be_in_loops() -> io::Result<()> {
        let archive = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: h:x\r\nContent-Length: 43\r\n\r\n\
            HTTP/1.1 200 OK\r\nLocation: /a\r\nLink: <b>\r\n\r\n\r\n\r\nnoise";
        let mut kinds = Vec::new();
        for record in Records::new(archive.as_bytes())? {
            match record {
                Ok(record) => kinds.push(record.kind),
                Err(damage) => {
                    let (text, error) = (damage.to_string(), io::Error::from(damage));
                    assert_eq!((error.kind(), error.to_string()), (io::ErrorKind::InvalidData, text));
                    kinds.push("damage".into());
                }
            }
        }
        assert_eq!(kinds, ["response", "damage"]);
        let mut records = Records::new(archive.as_bytes())?;
        let capture = records.next_capture().unwrap()?;
        let mut names = Vec::new();
        for (name, value) in capture.fields.iter() {
            names.push(format!("{name} {}", value.len()));
        }
        assert_eq!((names.len(), capture.fields.iter().len()), (2, 2));
        Ok(())
    }
}

#[cfg(feature = "page")]
mod page {
    use std::fs::File;
    use std::io;

    use relref_links::feeds::{FeedLink, FeedLinks, RobotsTxtLinks};
    use relref_links::page::{
        ArchiveProblem, Captures, LinkReader, Page, PageBytes, PageKind, Skipped, Store, UriForm, UriForms,
    };

    use super::*;

    fn is_send<T: Send>() {}

    #[test]
    fn pages_have_usual_traits() {
        is_error::<ArchiveProblem>();
        is_value::<FeedLink<'_>>();
        is_value::<PageKind>();
        is_value::<Skipped>();
        is_value::<UriForm<'_>>();
        is_send_and_sync::<LinkReader>();
        is_send_and_sync::<Store<'_>>();
        is_send_and_sync::<UriForms>();
        is_send::<Captures<File>>();
        is_send::<FeedLinks<File>>();
        is_send::<Page>();
        is_send::<RobotsTxtLinks<File>>();
    }

    #[test]
    fn pages_are_made_of_bytes_and_text() -> io::Result<()> {
        let html = "<a href=b>c</a>";
        for bytes in [html.into(), html.as_bytes().into(), html.to_owned().into(), PageBytes::from(b"<a href=b>c</a>")]
        {
            let mut page = Page::new("http://h/a", bytes);
            // A page can be read twice.
            for _ in 0..2 {
                let links = page.links().collect::<io::Result<Vec<_>>>()?;
                assert_eq!((links.len(), links[0].uri.as_str(), links[0].text.as_str()), (1, "http://h/b", "c"));
            }
        }
        let no_uri: Vec<_> = Page::new("a", html).links().collect();
        assert_eq!((no_uri.len(), no_uri[0].is_err()), (1, true));
        Ok(())
    }

    #[test]
    fn the_problem_of_a_page_is_its_last_link() {
        let found: Vec<_> = Page::new("http://h/", "<rss><link>a</link>").links().collect();
        assert_eq!((found.len(), found[0].is_ok(), found[1].is_err()), (2, true, true));
    }
}
