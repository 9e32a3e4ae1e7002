#!/usr/bin/env python3
"""Checks that `relref normalize --key cdx` makes the keys that the Python package surt makes, by which pywb indexes.

    tests/peers/cdx.py [--most N] [--show N] [FOLDER]

The URIs are N (100,000): half of them links of the pages below FOLDER, by default what `cargo doc` writes and the documentation of
Rust, the other half random ones made of odd parts. At least 99.9 % of each half must have the same key, or none in both. Some of
those that differ are printed. Needs Python 3.8 and, the first time, PyPI: the environment is made in target/surt-venv.
"""

import argparse, json, os, random, subprocess, sys
from pathlib import Path

import environment

ROOT = Path(__file__).resolve().parents[2]

environment.enter("surt-venv", ["surt==0.3.1"])

import surt  # noqa: E402

SCHEMES = ["http://"] * 12 + ["https://"] * 6 + ["HTTP://", "Http://", "ftp://", "x://", "//", "", "http:/", "http:", "https:///"]
OTHERS = ["mailto:", "javascript:", "data:", "foo:", "file:///", "file:/", "urn:", "dns:", "filedesc:", "a.b:80/"]
USERS = [""] * 20 + ["u@", "u:p@", "@", "u@v@", ":@"]
LABELS = ["www.", "www2.", "WWW.", "a", "Example", "com", "co.uk", "b-c", "x_y", "1", "02", "256", "%41", "%2e", "ü", "ß", "é",
          "%C3%BC", "xn--bcher-kva", "XN--BCHER-KVA", "ＸＮ--bcher-kva", "xn--ü", "xn--Ü-a", "xn--ａ", "ａ", "Ⅷ", "ſ", "ẞ", "a\u00ad", "İ", "。",
          "☃", "日本", "[::1]", " ", "!", "%zz", "..", "127.0.0.1", "%2541", "Ü", "%ff"]
NUMBERS = ["", "0", "1", "2", "9", "00", "07", "08", "010", "099", "255", "256", "0377", "0400", "65536", "0x1", "4294967296"]
PORTS = [""] * 20 + [":80", ":443", ":8080", ":", ":0", ":080", ":65536", ":x"]
SEGMENTS = ["a", "B", "c.html", "index.php", "..", ".", "...", "", "%2e%2e", "%2F", "%2541", "%", "%zz", "é", "%C3%A9", "%E9", " ",
            "+", "~", "%7E", ";jsessionid=" + "a1" * 16, "(S(" + "a1" * 12 + "))", "(" + "b2" * 12 + ")", "x.aspx", "y.ASPX",
            "http:", "%3F", "%23", "a;b=c", "\t", "\\", "\"<>`", "%00", "%0A", "/", "%252e", "(F(" + "c3" * 12 + ")B(" + "d4" * 12 + "))"]
PARAMS = ["a", "b", "A=1", "a=", "a=2", "=x", "", "b=%26", "c=%3D", "d=é", "d=%C3%A9", "utm_source=x", "sid=" + "a1" * 16,
          "SID=" + "A1" * 16, "xsid=" + "a1" * 16, "sid=" + "a1" * 15, "jsessionid=" + "0f" * 16, "PHPSESSID=" + "9z" * 16,
          "ASPSESSIONIDABCDEFGH=" + "ABCD" * 6, "cfid=1&cftoken=2", "CFID=1", "CFTOKEN=x", "q=a+b", "q=%2541", "%", "?", "/..", "[]",
          "a-b=1", "ab", "%73id=" + "b2" * 16]


def odd(rng):
    """A random URI made of odd parts."""
    if rng.random() < 0.06:
        text = rng.choice(OTHERS)
    else:
        text = rng.choice(SCHEMES) + rng.choice(USERS)
        if rng.random() < 0.1:
            text += ".".join(rng.choice(NUMBERS) for _ in range(rng.randrange(1, 6)))
        else:
            text += ".".join(rng.choice(LABELS[3:7] if rng.random() < 0.7 else LABELS) for _ in range(rng.randrange(1, 4)))
        text += rng.choice(PORTS)
    if rng.random() < 0.95:
        text += "/" if rng.random() < 0.97 else ""
        text += "/".join(rng.choice(SEGMENTS[:4] if rng.random() < 0.5 else SEGMENTS) for _ in range(rng.randrange(5)))
    if rng.random() < 0.5:
        text += "?" + "&".join(rng.choice(PARAMS) for _ in range(rng.randrange(6)))
    if rng.random() < 0.2:
        text += "#" + rng.choice(["", "top", "a?b", "#"])
    return text


def real(folders, most):
    """The links of pages, each once."""
    command = [relref(), "links", "--quiet", "--follow", "--unique", "--format", "text", "--base", "http://docs.example.com/"]
    done = subprocess.run([*command, *folders], stdout=subprocess.PIPE, check=False)
    uris = sorted(set(done.stdout.decode().splitlines()))
    random.Random(2).shuffle(uris)
    return uris[:most]


def relref():
    return ROOT / "target" / "release" / ("relref.exe" if os.name == "nt" else "relref")


def keys(uris):
    """The keys that relref makes; empty where there is none."""
    done = subprocess.run([relref(), "normalize", "--key", "cdx", "--json"], input="\n".join(uris).encode() + b"\n", capture_output=True)
    lines = done.stdout.decode().split("\n")[:-1]
    assert len(lines) == len(uris), done.stderr.decode()[-1000:]
    return [json.loads(line).get("key", "") for line in lines]


def expected(uri):
    try:
        return surt.surt(uri)
    except (ValueError, AttributeError):
        return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=100_000)
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("folders", nargs="*")
    args = parser.parse_args()
    subprocess.run(["cargo", "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], stdout=subprocess.PIPE, text=True).stdout.strip()
    folders = args.folders or [path for path in (f"{sysroot}/share/doc/rust/html", f"{ROOT}/target/doc") if os.path.isdir(path)]
    rng = random.Random(1)
    halves = {"odd": [odd(rng).replace("\n", "") for _ in range(args.most // 2)]}
    if folders:
        halves["real"] = real(folders, args.most - args.most // 2)
    else:
        print("skipped: no pages with links; the URIs are all made")
    failed = False
    for name, uris in halves.items():
        differ = [(uri, key, one) for uri, key in zip(uris, keys(uris)) if key != (one := expected(uri))]
        for uri, key, one in differ[: args.show]:
            print(f"{ascii(uri)}\n  relref {ascii(key)}\n  surt   {ascii(one)}")
        print(f"{len(uris)} {name} URIs, {len(differ)} keys differ")
        failed |= len(differ) * 1000 > len(uris)
    sys.exit(failed)


main()
