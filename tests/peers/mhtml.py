#!/usr/bin/env python3
"""Checks that `relref links` reads from MHTML files and mails the parts that Python's package `email` reads.

    tests/peers/mhtml.py [--most N] [FOLDER]

The files are up to N (300) pages below FOLDER, by default what `cargo doc` writes, in messages that the package `email` writes:
in every transfer encoding and several character encodings, nested, with absolute and relative locations; and the messages of
CPython's own tests, if they are installed. Of each, the links must be those of the HTML parts as `email` decodes them. Needs only
the standard library.
"""

import argparse, email, email.policy, json, os, random, subprocess, sysconfig
from email import charset, encoders
from email.message import Message
from pathlib import Path
from urllib.parse import urljoin, uses_relative

uses_relative.append("thismessage")
ROOT = Path(__file__).resolve().parents[2]
HTML = ("text/html", "application/xhtml+xml")
CHARSETS = ["utf-8", "windows-1251", "windows-1252", "euc-jp", "euc-kr", "koi8-r"]


def links(binary, *args):
    """What the command prints, and its messages."""
    run = subprocess.run([binary, "links", "--quiet", "--format", "jsonl", *args], capture_output=True)
    return [json.loads(line) for line in run.stdout.splitlines()], run.stderr.decode()


def part(body, coding, encoding, location):
    """A part with this body."""
    one = Message()
    one["Content-Type"] = f'text/html; charset="{encoding}"'
    if location:
        one["Content-Location"] = location
    one.set_payload(body)
    {"base64": encoders.encode_base64, "quoted-printable": encoders.encode_quopri, "8bit": encoders.encode_7or8bit}[coding](one)
    return one


def multipart(kind, parts, location=None):
    whole = Message()
    whole["MIME-Version"] = "1.0"
    whole.add_header("Content-Type", f"multipart/{kind}", boundary=f"----=_{random.getrandbits(64):x}")
    if location:
        whole["Content-Location"] = location
    for one in parts:
        whole.attach(one)
    return whole


def messages(pages):
    """Messages of these pages. In each multipart after the first level, locations are relative."""
    for number in range(0, len(pages), 10):
        parts = []
        for at, (name, text) in enumerate(pages[number : number + 10]):
            encoding = CHARSETS[at % len(CHARSETS)]
            body = text.encode(encoding, "xmlcharrefreplace")
            parts.append(part(body, ["base64", "quoted-printable", "8bit"][at % 3], encoding, f"http://example.com/{name}" if at % 2 else name))
        image = Message()
        image["Content-Type"] = "image/png"
        image.set_payload(os.urandom(3000))
        encoders.encode_base64(image)
        inner = multipart("alternative", parts[3:5], "sub/")
        inner = multipart("mixed", [inner, image, *parts[5:7]])
        yield multipart("related", [*parts[:3], inner, *parts[7:]], "http://example.com/around/").as_bytes()


def tests_of_cpython():
    folders = [Path(sysconfig.get_path("stdlib")) / "test" / place for place in ("test_email/data", "../../test/test_email/data")]
    for folder in folders:
        for path in sorted(folder.glob("msg_*.txt")):
            yield path.read_bytes()


def base(parts, own):
    """The URI of a part by the fields of the multiparts around it."""
    at = "thismessage:/"
    for one in [*parts, own]:
        for name in ("Content-Base", "Content-Location"):
            if one[name]:
                at = urljoin(at, "".join(line.strip() for line in str(one[name]).splitlines()))
    return at


def walk(message, around=()):
    """The leaves of a message, with the multiparts around each."""
    if message.is_multipart():
        for one in message.get_payload():
            yield from walk(one, (*around, message))
    else:
        yield message, around


def compare(binary, message, folder, place):
    """The number of pages and links that both found; ends where they differ."""
    path = folder / "message.mht"
    path.write_bytes(message)
    expected, pages = [], 0
    for one, around in walk(email.message_from_bytes(message, policy=email.policy.compat32)):
        if one.get_content_type() not in HTML:
            continue
        uri = base(around, one)
        page = folder / "page.html"
        page.write_bytes(one.get_payload(decode=True))
        encoding = one.get_content_charset()
        its, problems = links(binary, "--base", uri, *(["--charset", encoding] if encoding else []), str(page))
        assert not problems, (place, problems)
        pages += 1
        expected += [{**link, "page": uri} for link in its]
    found, problems = links(binary, str(path))
    names = ("page", "element", "attribute", "reference", "uri")
    for number in range(max(len(found), len(expected))):
        one, other = (
            {name: all[number][name] for name in names} if number < len(all) else None for all in (found, expected)
        )
        assert one == other, f"{place}: link {number}: relref has {one}, email has {other}; {problems}"
    return pages, len(expected), problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=300)
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    cargo = os.environ.get("CARGO", "cargo")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    binary = os.environ.get("RELREF") or target / "release" / "relref"
    if not os.environ.get("RELREF"):
        subprocess.run([cargo, "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    folder = args.folder
    if not folder:
        subprocess.run([cargo, "doc", "--quiet", "--locked", "--no-deps", "--workspace", "--all-features"], cwd=ROOT, check=True)
        folder = target / "doc"
    random.seed(1)
    real = sorted(path for path in folder.rglob("*.html") if path.stat().st_size < 1 << 20)
    real = real[:: max(1, len(real) // args.most)][: args.most]
    pages = [(path.relative_to(folder).as_posix().replace(" ", "%20"), path.read_text("utf-8", "replace")) for path in real]
    assert pages, f"no pages in {folder}"
    place = target / "mhtml"
    place.mkdir(exist_ok=True)
    count = [0, 0, 0]
    for number, message in enumerate(messages(pages)):
        its_pages, its_links, problems = compare(binary, message, place, f"message {number}")
        assert not problems, problems
        count = [count[0] + 1, count[1] + its_pages, count[2] + its_links]
    assert count[1] == len(pages), count
    for number, message in enumerate(tests_of_cpython()):
        its_pages, its_links, _ = compare(binary, message, place, f"CPython's message {number + 1}")
        count = [count[0] + 1, count[1] + its_pages, count[2] + its_links]
    print("{} messages, {} pages, {} links: the same".format(*count))


main()
