#!/usr/bin/env python3
"""Checks what encodings `relref links` guesses for pages that are not UTF-8 and do not say so, beside Chromium.

    tests/peers/unlabelled.py [--print]

The pages are the samples of the package chardet: feeds and pages of the web that know their encoding by the folder in which they
stand. (Its samples in IBM866 and ISO-8859-5 are mostly those in KOI8-R and windows-1251, transcoded.) Those in encodings that browsers
guess are served on the loopback address as HTML, without their own labels. Each gets links at its end, of its first words that are not
US-ASCII, so that the guess decides their URLs; its own links count, too. Chromium guesses by the bytes that come first, the package
chardetng by the whole page, and neither is told a host. Fails below one of the floors, and where relref has another encoding than a
page has, unless `KNOWN` has the reason. Needs Chromium, and PyPI the first time; what is missing is skipped with a message.
"""

import argparse, collections, http.server, json, re, shutil, subprocess, sys, tarfile, threading
from pathlib import Path
from urllib.parse import quote

import browser
from chromium import Handler

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "target" / "unlabelled"
# The encodings as browsers name them, by the folders of the samples.
FOLDERS = {
    "Big5": "Big5", "CP932": "Shift_JIS", "CP949": "EUC-KR", "EUC-JP": "EUC-JP", "EUC-KR": "EUC-KR", "GB2312": "GBK", "IBM866": "IBM866",
    "KOI8-R": "KOI8-R", "SHIFT_JIS": "Shift_JIS", "TIS-620": "windows-874", "iso-8859-1": "windows-1252",
    "iso-8859-2-croatian": "ISO-8859-2", "iso-8859-2-czech": "ISO-8859-2", "iso-8859-2-hungarian": "ISO-8859-2",
    "iso-8859-2-polish": "ISO-8859-2", "iso-8859-2-slovak": "ISO-8859-2", "iso-8859-2-slovene": "ISO-8859-2",
    "iso-8859-5-bulgarian": "ISO-8859-5", "iso-8859-5-russian": "ISO-8859-5", "iso-8859-6-arabic": "ISO-8859-6",
    "iso-8859-7-greek": "ISO-8859-7", "iso-8859-9-turkish": "windows-1254", "windows-1250-croatian": "windows-1250",
    "windows-1250-czech": "windows-1250", "windows-1250-hungarian": "windows-1250", "windows-1250-polish": "windows-1250",
    "windows-1250-romanian": "windows-1250", "windows-1250-slovak": "windows-1250", "windows-1250-slovene": "windows-1250",
    "windows-1251-bulgarian": "windows-1251", "windows-1251-russian": "windows-1251", "windows-1252": "windows-1252",
    "windows-1254-turkish": "windows-1254", "windows-1255-hebrew": "windows-1255", "windows-1256-arabic": "windows-1256",
}
# How many pages, encodings, pages that are read right, and pages with the same links in Chromium there are at least.
FLOORS = {"pages": 330, "encodings": 17, "right in relref": 341, "the same in Chromium": 320}
KNOWN = {
    f"{page}.xml.html": "few letters of the page tell Hungarian from languages of windows-1252"
    for page in ("iso-8859-2-hungarian/honositomuhely.hu", "windows-1250-hungarian/bbc.co.uk.hu.forum")
}
# Python's names, where browsers' are others for it.
CODECS = {"windows-874": "cp874", "GBK": "gb18030", "EUC-KR": "cp949", "Shift_JIS": "cp932"}
LABELS = re.compile(rb"""<\?xml[^>]*>|<meta[^>]*charset[^>]*>""", re.I)
EXPRESSION = """({ charset: document.characterSet, links: [...document.querySelectorAll('a[href]')]
  .map(a => [a.getAttribute('href').trim(), URL.canParse(a.getAttribute('href'), document.baseURI) ? a.href : null]) })"""


def samples():
    """The folder of the samples, or None."""
    folder = TARGET / "chardet-5.2.0" / "tests"
    if not folder.is_dir():
        shutil.rmtree(TARGET, ignore_errors=True)
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", TARGET, "chardet==5.2.0"]
        try:
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            print("skipped: chardet's samples cannot be downloaded")
            return None
        with tarfile.open(TARGET / "chardet-5.2.0.tar.gz") as archive:
            archive.extractall(TARGET)
    return folder


def page(data, charset):
    """A page without labels, and the URLs that links at its end have if its encoding is read right; or None of one that is
    in another encoding than its folder says, is US-ASCII or also UTF-8."""
    data, codec = LABELS.sub(b"", data), CODECS.get(charset, charset)
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        return None
    try:
        data.decode("utf-8")
        return None
    except UnicodeDecodeError:
        pass
    words = list(dict.fromkeys(re.findall(r"[^\W\d_]*[^\x00-\x7f\W\d_][^\W\d_]*", text)))[:3]
    # What ends a tag, a comment, a script or a title, so that the links are some.
    ends = b"'\">-->]]></script></style></title></textarea></select></iframe></noscript>"
    links = b"".join(f"<a href='//127.0.0.1/{word}?{word}'>x</a>".encode(codec) for word in words)
    # The second byte of a character may be a letter or a bracket, which stays in a query.
    expected = {f"http://127.0.0.1/{quote(word)}?{quote(word.encode(codec), safe='@[]^_`{|}~' + chr(92))}" for word in words}
    # Otherwise, relref finds that it is a feed.
    return b"<!DOCTYPE html>\n" + data + ends + links, expected


def ours(folder, base):
    """The links of each page that are not US-ASCII, and its encoding."""
    command = [ROOT / "target" / "release" / "relref", "links", "-q", "--format", "jsonl", "--base", base, folder]
    found, charsets = collections.defaultdict(dict), {}
    for line in subprocess.run(command, capture_output=True, text=True).stdout.splitlines():
        link = json.loads(line)
        name = Path(link["page"].replace("%25", "%")).relative_to(folder).as_posix()
        charsets[name] = link["charset"]
        if (link["element"], link["attribute"]) == ("a", "href") and not link["reference"].isascii():
            found[name][link["uri"]] = link["reference"]
    return found, charsets


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--print", action="store_true", help="print every page on which the two differ")
    arguments = arguments.parse_args()
    if not browser.command():
        print("skipped: no Chromium here")
        return
    folder = samples()
    if not folder:
        return
    pages, samples_of = TARGET / "pages", {}
    shutil.rmtree(pages, ignore_errors=True)
    for name, charset in FOLDERS.items():
        for file in sorted((folder / name).iterdir()):
            made = page(file.read_bytes(), charset)
            if made and made[1]:
                copy = pages / name / f"{file.name}.html"
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(made[0])
                samples_of[copy.relative_to(pages).as_posix()] = charset, made[1]
    subprocess.run(["cargo", "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *rest: Handler(*rest, directory=pages))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    found, charsets = ours(pages, base)
    chromium = browser.Browser(TARGET / "profile")
    theirs = dict(chromium.visit([f"{base}/{name}" for name in samples_of], EXPRESSION))
    chromium.close()
    server.shutdown()
    counts, wrong = collections.Counter(pages=len(samples_of), encodings=len({charset for charset, _ in samples_of.values()})), 0
    for name, (charset, expected) in samples_of.items():
        other = theirs[f"{base}/{name}"]
        links = {uri for reference, uri in other["links"] if not reference.isascii() and uri}
        right, right_in_chromium = expected <= set(found[name]), expected <= links
        counts["right in relref"] += right
        counts["right in Chromium"] += right_in_chromium
        counts["the same in Chromium"] += links == set(found[name])
        wrong += not right and name not in KNOWN
        if not right or arguments.print and links != set(found[name]):
            reason = "" if right else f": {KNOWN.get(name, 'NOT EXPLAINED')}"
            print(f"{name}: {charset}, relref {charsets.get(name)}, Chromium {other['charset']}{reason}")
    below = [f"fewer than {least} {what}" for what, least in FLOORS.items() if counts[what] < least]
    print(", ".join(f"{count} {what}" for what, count in counts.items()), *below, f"{wrong} NOT EXPLAINED" if wrong else "all explained", sep=", ")
    sys.exit(1 if below or wrong else 0)


if __name__ == "__main__":
    main()
