//! Allocations of reading the links of a page.

use allocation_counter::measure;
use relref::{Base, Rules, whatwg};
use relref_links::html::{Kind, PageBase, Pages};

const URI: &str = "http://example.com/a/b";

/// Reads a page that repeats one element `times` times, after the buffers have grown. Returns the number of allocations and the
/// number of links.
fn allocations_and_links(element: &str, times: usize, base: PageBase<'_>) -> (u64, usize) {
    let page = element.repeat(times);
    let mut pages = Pages::new();
    (pages.options.lazy, pages.options.items) = (true, true);
    let mut read = || {
        let mut links = 0;
        pages.links(page.as_bytes(), None, base, |link| links += usize::from(link.kind != Kind::Form));
        links
    };
    let links = read();
    (measure(|| _ = read()).count_total, links)
}

#[test]
fn links_cost_nothing() {
    let (by_rules, whatwg) = (Base::new(URI, Rules::RFC3986).unwrap(), whatwg::Base::new(URI).unwrap());
    for (element, base) in [
        "<a href='../x?a&amp;b' rel='nofollow x' ping='p q'>text</a>",
        "<img src=' x\n' srcset='x 1x, y 2x' data-src=z>",
        "<p style='background: url(x)'><style>@import 'x'; a { b: url('y') }</style>",
        "<meta http-equiv=refresh content='1; url=x'><object data=x archive='x y'></object>",
        "<svg><title><a href=x></title><use href=y /></svg><script>'</p>'</script>",
        "<a href='a b\\c'><a href='//h:x/'>",
    ]
    .into_iter()
    .flat_map(|element| [(element, PageBase::from(&by_rules)), (element, PageBase::from(&whatwg))])
    {
        let (one, many) = (allocations_and_links(element, 10, base), allocations_and_links(element, 1000, base));
        assert_eq!(many.1, 100 * one.1);
        assert_eq!(many.0, one.0, "{element}");
        assert!(one.0 <= 2, "{element}: {}", one.0);
    }
}

/// Some work allocates, as documented; this also shows that allocations are counted.
#[test]
fn what_costs_an_allocation() {
    for element in ["<object codebase=c data=x></object>", "<p style='a: url(b\\63)'>"] {
        assert!(
            allocations_and_links(element, 1000, PageBase::from(&whatwg::Base::new(URI).unwrap())).0 >= 1000,
            "{element}"
        );
    }
}

/// Buffers are kept for the next page, but not at the size of the longest page.
#[test]
fn one_giant_page_is_not_kept() {
    let giant = format!("<a href='{}\n'><style>{0}</style>", "x".repeat(8 << 20));
    let mut pages = Pages::new();
    let kept = measure(|| {
        for page in [giant.as_bytes(), b"<a href=x>"] {
            pages.links(page, None, &whatwg::Base::new(URI).unwrap(), |_| {});
        }
    });
    assert!(kept.bytes_max > 8 << 20);
    assert!(kept.bytes_current < 6 << 20, "{}", kept.bytes_current);
}
