#!/usr/bin/env python3
"""Checks that Chromium indicates an element for a fragment where `relref check` finds one.

    tests/peers/indicated.py [--most N] [FOLDER...]

N (1,000) pages are taken from the folders, by default from those of sites.py, each with a fragment: one that a link to the page has, the
`id` of an element or the name of an `a` in some spelling, or something that is near. More fragments are those of the odd pages below.
Chromium opens each URL, and `:target` is the element that it indicates. Differences that are known have a reason. Needs Python 3.8 and
Chromium.
"""

import argparse, collections, html, json, os, random, re, shutil, subprocess, sys, tempfile
from pathlib import Path
from urllib.parse import quote, unquote, urldefrag

from browser import Browser, command
from sites import installed, pages

ROOT = Path(__file__).resolve().parents[2]

# Markup, and the fragments that are tried in it.
ODD = [
    ("<p id='a b'>", ["a b", "a%20b", "a+b", "a"]),
    ("<p id='100%'>", ["100%", "100%25", "100"]),
    ("<p id='%41'>", ["%41", "A", "%2541"]),
    ("<p id='A'><p id='%42'>", ["%41", "a", "B", "%42"]),
    ("<p id='%zz'>", ["%zz", "%25zz"]),
    ("<p id=кот><p id=日本><p id='한국'>", ["кот", "%D0%BA%D0%BE%D1%82", "%d0%ba%d0%be%d1%82", "%EA%EE%F2", "日本", "%E6%97%A5%E6%9C%AC", "КОТ"]),
    ("<p id=café>", ["café", "caf%C3%A9", "cafe%CC%81", "caf%E9", "CAFÉ"]),
    ("<p id='caf\ufffd'>", ["caf%E9", "caf%EF%BF%BD", "caf%C3"]),
    ("<p id='\ufeffbom'>", ["%EF%BB%BFbom", "bom"]),
    ("<p id=x><p id='%EF%BB%BFx'>", ["%EF%BB%BFx"]),
    ("<p id='😀'>", ["😀", "%F0%9F%98%80"]),
    ("<p id=Ab>", ["Ab", "ab", "AB", "%41b"]),
    ("<a name=n></a><p name=m><img name=i alt=x><form name=f></form>", ["n", "m", "i", "f", "N", "%6E"]),
    ("<a name='n m'></a><a name=кот></a><a NAME=UP></a><A name=up2>", ["n m", "n%20m", "кот", "%D0%BA%D0%BE%D1%82", "UP", "up2"]),
    ("<a name=''></a><p id=''>", ["", "x"]),
    ("<svg><a name=n></a><g id=g></g><a id=s></a></svg>", ["n", "g", "s"]),
    ("<math><a name=n></a><mi id=m></mi></math>", ["n", "m"]),
    ("<template id=t><p id=in><a name=n></a></template><p id=after>", ["t", "in", "n", "after"]),
    ("<template><template><p id=x></template><p id=y></template><p id=z>", ["x", "y", "z"]),
    ("<template></p><p id=x>", ["x"]),
    ("<svg><template><p id=x></template></svg><p id=y>", ["x", "y"]),
    ("<svg><template id=s><g id=x></g></template></svg>", ["s", "x"]),
    ("<!-- <p id=c> --><!--><p id=d>--><!- <p id=e> -><!---><p id=f>-->", ["c", "d", "e", "f"]),
    ("<script>'<p id=s>'</script><style><p id=t></style><textarea id=a><p id=u></textarea><title id=b><p id=v></title>",
     ["s", "t", "u", "v", "a", "b"]),
    ("<script><!--<script></script><p id=x></script><p id=y>", ["x", "y"]),
    ("<xmp><p id=a></xmp><iframe><p id=b></iframe><noembed><p id=c></noembed><noframes><p id=d></noframes>", ["a", "b", "c", "d"]),
    ("<noscript><p id=n></noscript><p id=o>", ["n", "o"]),
    ("<p id=a><plaintext id=b><p id=c>", ["a", "b", "c"]),
    ("<iframe srcdoc='<p id=inner>'></iframe><p title='<p id=t>'>", ["inner", "t"]),
    ("<select><option id=o><p id=p></select><table><tr id=r><td id=d><p id=q></table>", ["o", "r", "d", "q"]),
    ("<table id=t><p id=foster><caption id=c></caption><col id=col></table>", ["t", "foster", "c", "col"]),
    ("<html id=h><body id=b><p id=x>", ["h", "b", "x"]),
    ("<p id=one id=two>", ["one", "two"]),
    ("<p id=x></p id=y><br/id=z>", ["x", "y", "z"]),
    ("<p id=&amp;><p id='&lt;x'><p id='&#x41;b'><p id='q&quot;q'><p id='&notit;'>", ["&", "<x", "Ab", 'q"q', "&notit;", "¬it;"]),
    ("<p id=' lead'><p id='trail '><p id='in\nline'><p id='t\tb'>", ["lead", "%20lead", "trail", "trail%20", "in%0Aline", "inline", "t%09b"]),
    ("<p id='a\r\nb'><p id='c\rd'>", ["a%0Ab", "a%0D%0Ab", "c%0Ad", "c%0Dd"]),
    ("<p id=a\0b><p id=\0>", ["a%EF%BF%BDb", "a%00b", "%EF%BF%BD"]),
    ("<p id=a/b><p id=c?d><p id=e#f><p id=g:h><p id=i.j><p id=k=l><p id=m`n>", ["a/b", "c?d", "e#f", "e%23f", "g:h", "i.j", "k=l", "m`n", "m%60n"]),
    ("<p id='a\\b'><p id='[x]'><p id='{y}'><p id='a|b'><p id='^'>", ["a\\b", "a%5Cb", "[x]", "{y}", "a|b", "^", "%5E"]),
    ("<p id=x>", [":~:text=not-in-it", "x:~:text=not-in-it", "no:~:text=not-in-it", "top:~:text=not-in-it", "x:~:", "x:~", "x%3A~:text=x"]),
    ("<p id='x:~:y'>", ["x:~:y", "x%3A~%3Ay"]),
    ("<p id=top>", ["top", "TOP", "Top"]),
    ("<p id=TOP>", ["top", "TOP"]),
    ("<p>none", ["", "top", "TOP", "tOp", "t%6Fp", "%74%6F%70", "top ", "ＴＯＰ", "topx"]),
    ("<p id=a><div id=a>", ["a"]),
    ("<a id=both name=other></a><a name=both></a>", ["both", "other"]),
    ("<object><p id=fallback></object><video><p id=v></video><canvas><p id=c></canvas>", ["fallback", "v", "c"]),
    ("<p hidden id=h><p style='display:none' id=d><input type=hidden id=i><details><p id=s></details>", ["h", "d", "i", "s"]),
    ("<frameset id=fs><frame id=f src='about:blank'></frameset>", ["fs", "f"]),
    ("<p><frameset id=fs>", ["fs"]),
    ("<image id=i><p id=x>", ["i", "x"]),
    ("<form id=f1><form id=f2></form><p id=x>", ["f1", "f2", "x"]),
    ("<p xml:id=a><svg><g xml:id=b></g></svg><p ID=c><p Id='d'>", ["a", "b", "c", "d"]),
    ("<p id=x", ["x"]),
    ("<p id='x", ["x"]),
    ("<p id=x>" + "y" * 3000 + "<p id=late>", ["x", "late"]),
    ("<a name=x></a><![CDATA[<p id=c>]]><svg><![CDATA[<p id=d>]]></svg><?php <p id=e> ?>", ["x", "c", "d", "e"]),
    ("<head><p id=x></head><title></title><body><p id=y>", ["x", "y"]),
    ("<isindex id=i><keygen id=k><menuitem id=m><nobr id=n><marquee id=q>", ["i", "k", "m", "n", "q"]),
    ("<option id=o><optgroup id=g><li id=l><dd id=d><rt id=r>", ["o", "g", "l", "d", "r"]),
    ("<select><p id=p><a name=n></a><b id=b></b></select>", ["p", "n", "b"]),
    ("<button id=a><button id=b><a name=c><a name=d></button>", ["a", "b", "c", "d"]),
]
# Tags that a parser drops, because they cannot stand where they are: relref builds no tree, and counts them.
DROPPED = [("<frameset></frameset><p id=x>", "x"), ("<p><tr id=x>", "x"), ("<caption id=x>", "x"), ("<p><head id=x>", "x")]
# Pages in other encodings: a label, an id, and a fragment that is not there.
ENCODED = [
    ("windows-1251", "кот", "пёс"), ("koi8-r", "кот", "пёс"), ("euc-kr", "한국", "북한"), ("shift_jis", "日本", "韓国"),
    ("euc-jp", "日本", "韓国"), ("iso-2022-jp", "日本", "韓国"), ("gb18030", "中文", "日文"), ("big5", "中文", "日文"),
    ("windows-1252", "café", "thé"), ("iso-8859-15", "œuf", "bœuf"), ("utf-16le", "кот", "пёс"), ("utf-16be", "日本", "韓国"),
]
# In each other encoding, links are written raw, so that they are read in that of their page; Chromium says what they are.
OWN = """(() => [...document.links].map(link => {
    location.hash = '#not-there'; location.hash = link.hash; return !!document.querySelector(':target') }))()"""
INDICATED = "!!document.querySelector(':target')"
# A page that is long: where a fragment is the top, it scrolls there.
TOPS = ["", "top", "TOP", "Top", "t%6Fp", "top%20", "toр", "missing", "ＴＯＰ"]
SCROLLED = """(() => [...document.links].map(link => {
    location.hash = '#end'; window.scrollTo(0, 1000); location.hash = link.getAttribute('href'); return window.scrollY === 0 }))()"""


# Differences that are known: a reason, and a test of the text of the page, the fragment and the verdict of relref.
def is_in_noscript(text, fragment, found):
    blocks = re.findall(r"<noscript.*?</noscript>", text, re.S | re.I)
    return found and any(fragment in block for block in blocks)


KNOWN = [
    ("a parser drops the tag, because it cannot stand where it is",
     lambda text, fragment, found: found and text.startswith("<!DOCTYPE html>") and (text[15:], fragment) in DROPPED),
    ("`noscript` has elements where scripts are off", is_in_noscript),
    ("a range of line numbers is that of its first line", lambda text, fragment, found: found and re.fullmatch(r"\d+-\d+", fragment)),
    ("a page that leads to another one by itself keeps the fragment for that page",
     lambda text, fragment, found: re.search("http-equiv=[\"']?refresh", text, re.I)),
]


def save(folder, name, data):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def encode(text, label):
    return {"utf-16le": b"\xff\xfe", "utf-16be": b"\xfe\xff"}.get(label, b"") + text.encode(label)


def odd_pages(site):
    """Writes the odd pages. Yields their paths below the site, with a fragment, which is written raw into links."""
    for number, (markup, fragments) in enumerate(ODD):
        # A page of its own for each kind of end, so that nothing follows what is not closed.
        save(site, f"odd/{number}.html", f"<!DOCTYPE html><meta charset=utf-8>{markup}".encode())
        for fragment in fragments:
            yield f"odd/{number}.html", fragment
    for number, (markup, fragment) in enumerate(DROPPED):
        save(site, f"odd/dropped{number}.html", f"<!DOCTYPE html>{markup}".encode())
        yield f"odd/dropped{number}.html", fragment
    for label, there, missing in ENCODED:
        body = f"<!DOCTYPE html><meta charset={label}><p id={there}><a name={there}2></a>"
        links = "".join(f"\n<a href='#{fragment}'>x</a>" for fragment in (there, there + "2", missing, quote(there), quote(missing)))
        save(site, f"own/{label}.html", encode(body + links, label))
        for fragment in (there, there + "2", missing, quote(there), quote(missing)):
            yield f"own/{label}.html", fragment


def real_pages(folders, most):
    """Pages of the folders, as the numbers of their folders and paths below them, with a fragment."""
    rng = random.Random(1)
    for number, folder in enumerate(folders):
        share = most // len(folders) + (number < most % len(folders))
        found = sorted({os.path.relpath(os.path.realpath(page), os.path.realpath(folder)) for page in pages(folder)})
        found = [page for page in found if not page.startswith("..")]
        linked = collections.defaultdict(set)
        for page in found:
            data = (folder / page).read_bytes().decode("utf-8", "replace")
            for reference in re.findall(r"""href=["']([^"'#:]*#[^"'\s]+)["']""", data):
                path, fragment = urldefrag(html.unescape(reference))
                to = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
                linked[to].add(fragment)
        for index in range(share if found else 0):
            page = found[index * len(found) // share]
            data = (folder / page).read_bytes().decode("utf-8", "replace")
            ids = re.findall(r"""\s(?:id|name)\s*=\s*["']?([^"'\s>]+)""", data) or ["none"]
            some = html.unescape(rng.choice(ids))
            fragment = [
                lambda: rng.choice(sorted(linked[page]) or [some]), lambda: some, lambda: "".join(f"%{byte:02x}" for byte in some.encode()),
                lambda: some.swapcase(), lambda: some + "x", lambda: quote(some), lambda: some + ":~:text=not-in-the-page", lambda: rng.choice(["top", "TOP", ""]),
                lambda: some[:-1] or "x", lambda: rng.choice(ids) + "-" + some,
            ][index % 10]()
            yield f"{number}/{page}", fragment


def missing(binary, site, names):
    """The problems of pages, as pairs of the page and the line of the link."""
    output = subprocess.run([binary, "check", "--quiet", "--format", "jsonl", "--root", site, *(site / name for name in names)],
                            capture_output=True)
    assert output.returncode in (0, 1), output.stderr.decode()
    problems = map(json.loads, output.stdout.splitlines())
    return {(os.path.relpath(p["page"], site), p["line"]) for p in problems if p["problem"] == "missing-fragment"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    if not command():
        print("skipped: Chromium is not available")
        return
    cargo = os.environ.get("CARGO", "cargo")
    subprocess.run([cargo, "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    folders = [folder.resolve() for folder in args.folders] or installed()

    with tempfile.TemporaryDirectory() as place:
        site = Path(place).resolve() / "site"
        site.mkdir()
        for number, folder in enumerate(folders):
            (site / str(number)).symlink_to(folder)
        cases = [*odd_pages(site), *real_pages(folders, args.most)]
        lines = [f"<a href='{quote(path)}?{number}#{html.escape(fragment)}'>x</a>" for number, (path, fragment) in enumerate(cases, 1)]
        save(site, "links.html", ("\n".join(["<meta charset=utf-8>", *lines])).encode())
        lines = [f"<a href='#{html.escape(fragment)}'>x</a>" for fragment in TOPS]
        save(site, "tops.html", ("\n".join(["<meta charset=utf-8>", *lines]) + "\n<p style='height: 9999px'><p id=end>").encode())
        own = [f"own/{label}.html" for label, *_ in ENCODED]
        problems = missing(target / "release" / "relref", site, ["links.html", "tops.html", *own])

        browser = Browser(Path(place) / "profile")
        [(_, uris)] = browser.visit([(site / "links.html").as_uri()], "[...document.links].map(link => link.href)")
        theirs = dict(browser.visit(uris, INDICATED))
        [(_, tops)] = browser.visit([(site / "tops.html").as_uri()], SCROLLED)
        of_own = dict(browser.visit([(site / name).as_uri() for name in own], OWN))
        browser.close()

        compared, differences, known = 0, [], collections.Counter()
        for number, ((path, fragment), uri) in enumerate(zip(cases, uris), 2):
            before = unquote(fragment.split(":~:")[0]).strip()
            if before == "" or before.lower() == "top":
                # Nothing need be indicated: see TOPS.
                assert ("links.html", number) not in problems, (path, fragment)
                continue
            compared += 1
            found = ("links.html", number) not in problems
            if found != theirs[uri]:
                text = (site / path).read_bytes().decode("utf-8", "replace")
                reason = next((reason for reason, test in KNOWN if test(text, fragment, found)), None)
                known[reason] += 1
                if reason is None:
                    differences.append(f"{path}#{fragment}: relref {found}, Chromium {theirs[uri]}: {text[:150] if path[0] == 'o' else ''}")
        for name in own:
            for index, value in enumerate(of_own[(site / name).as_uri()]):
                compared += 1
                if value == ((name, index + 2) in problems):
                    differences.append(f"{name}, link {index + 1}: Chromium {value}")
        for index, (fragment, value) in enumerate(zip(TOPS, tops)):
            compared += 1
            if value == (("tops.html", index + 2) in problems):
                differences.append(f"#{fragment}: Chromium scrolls to the top: {value}")
        for difference in differences:
            print(difference)
        for reason, count in known.items():
            if reason:
                print(f"{count}: {reason}")
        real = sum(path[0].isdigit() for path, _ in cases)
        print(f"{compared} fragments, {real} of real pages: {len(differences)} differences without a reason")
        sys.exit(1 if differences else 0)


main()
