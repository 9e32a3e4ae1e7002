#!/usr/bin/env python3
"""Checks that `relref links` finds every URL that Chromium has in a style sheet, resolved the same.

    tests/peers/cssom.py [--made N] [--real N] [--seed N] [--print] [FOLDER]

The style sheets are N (40) made of odd CSS, in several character encodings, and up to N (1000) below FOLDER, by default those of
rustdoc in the toolchain; of sheets with the same bytes, one. They are served on the loopback address. The URLs are read from the
CSSOM: of `@import` rules, of declarations, and of the conditions of groups. Each rule of declarations is then given to an element,
whose computed style has the absolute URLs. The CSSOM leaves out what Chromium does not support, so relref finds more: such links
are counted by reason. Every other difference fails. Skipped with a message where Chromium is missing.
"""

import argparse, bisect, collections, hashlib, http.server, json, random, re, shutil, subprocess, sys, threading, urllib.parse
from pathlib import Path

import browser
from odd_links import made_sheet

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "target" / "cssom"

# A page with a sheet. Its element `i` gets the styles.
PAGE = '<!DOCTYPE html><meta charset=utf-8><link rel=stylesheet href="%s"><i class=relref-probe></i>'

# The references in serialized CSS: in a URL, which may be a string in `url()` or `src()`, but not in a comment or another string.
URLS = r"""
  const escapes = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\n\r\f])?|(\r\n|[\n\r\f])|([^]))/gi;
  const character = code => code == 0 || code > 0x10ffff || code >= 0xd800 && code < 0xe000 ? '\ufffd' : String.fromCodePoint(code);
  const decode = text => text.replace(escapes, (_, hex, line, plain) => hex ? character(parseInt(hex, 16)) : line ? '' : plain);
  const string = /"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'/.source;
  const unquoted = /((?:[^"'() \t\n\r\f\\]|\\[^])*)[ \t\n\r\f]*\)/.source;
  const token = RegExp(`/\\*[^]*?\\*/|(?<![\\w-])(?:url|src)\\([ \t\n\r\f]*(?:${string}|${unquoted})|${string}`, 'gi');
  const urls = text => [...text.matchAll(token)].map(m => m[1] ?? m[2] ?? m[3]).filter(url => url !== undefined).map(decode);
"""

# Returns the references as they stand in the CSSOM, with their absolute URLs or null.
READ = "(() => {" + URLS + r"""
  const sheet = document.querySelector('link').sheet, probe = document.querySelector('i'), found = [];
  probe.style.cssText = 'animation: none !important; transition: none !important';
  const resolve = url => URL.canParse(url, sheet.href) ? new URL(url, sheet.href).href : null;
  const read = rule => {
    if (rule instanceof CSSImportRule) return found.push([rule.href, resolve(rule.href)]);
    if (rule instanceof CSSNamespaceRule) return;
    const { style, cssRules } = rule;
    // In a condition, Chromium makes all white space one space.
    const condition = urls(rule.conditionText ?? '').filter(url => !url.includes(' '));
    const seen = new Set(condition.concat(urls(style?.cssText ?? (cssRules ? '' : rule.cssText))));
    if (rule instanceof CSSStyleRule && !rule.parentRule && seen.size) {
      // Gives the rule to the element, to see how Chromium resolves.
      const selector = rule.selectorText;
      rule.selectorText = '.relref-probe';
      for (const property of [...style].filter(property => !property.startsWith('--'))) {
        const own = urls(style.getPropertyValue(property)), all = urls(getComputedStyle(probe).getPropertyValue(property));
        if (own.length != all.length) continue;
        // Of a URL that is not valid, something is left. Not resolved are a fragment alone (CSS Values 4 §4.5.1.1), and what
        // Chromium takes for the rest of a tag that does not end.
        own.forEach((url, i) => {
          const is_kept = url.startsWith('#') || /</.test(url) && /[\t\n\r]/.test(url);
          found.push([url, resolve(url) && !is_kept ? all[i] : resolve(url)]);
          seen.delete(url);
        });
      }
      rule.selectorText = selector;
    }
    for (const url of seen) found.push([url, resolve(url)]);
    for (const inner of cssRules ?? []) read(inner);
  };
  for (const rule of sheet.cssRules) read(rule);
  return found;
})()"""

# Returns of each list of style sheets, in which a reference stands with less and less around it, the first that has it.
TRY = "(() => {" + URLS + r"""
  const clean = text => text.replace(/^[\0- ]+|[\0- ]+$/g, '').replace(/[\t\n\r]/g, '');
  const has = (css, reference) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    return [...sheet.cssRules].some(rule => urls(rule.cssText).some(url => clean(url) == reference));
  };
  return %s.map(([reference, ...sheets]) => sheets.findIndex(css => has(css, reference)));
})()"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves style sheets, and pages that have one. No scripts run, and no pictures and fonts are loaded."""

    def do_GET(self):
        if not self.path.startswith("/?"):
            return super().do_GET()
        page = (PAGE % self.path[2:].replace('"', "&quot;")).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def end_headers(self):
        self.send_header("Content-Security-Policy", "sandbox allow-same-origin; default-src 'none'; style-src 'self'")
        super().end_headers()

    def guess_type(self, path):
        return "text/css"

    def log_message(self, *_):
        pass


def relref(folder, base):
    """Returns the output of the command, by sheet: links with the reference, URI and place."""
    subprocess.run(["cargo", "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    command = [ROOT / "target" / "release" / "relref", "links", "--quiet", "--format", "jsonl", "--base", base, folder]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = collections.defaultdict(list)
    for link in map(json.loads, output.splitlines()):
        found[Path(link["page"].replace("%25", "%")).relative_to(folder).as_posix()].append(link)
    return found


def clean(text):
    return re.sub("[\t\n\r]", "", text.strip("".join(map(chr, range(33)))))


def reason(base, reference, ours, theirs):
    """The reason of a difference, or None."""
    if ours is None and reference.startswith("#"):
        return "a URL that is only a fragment means the document that has the sheet, which is not known (CSS Values 4 §4.5.1)"
    if ours and theirs and not reference.isascii() and browser.same_but_query(ours, theirs):
        return "Chromium encodes queries in the encoding of the style sheet, not in UTF-8 (CSS Values 4 §4.5.4)"
    return browser.known(base, reference, ours, theirs)


class Blocks:
    """The pieces of a style sheet between braces and semicolons."""

    MARKS = re.compile(r"""/\*.*?(?:\*/|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|\burl\(\s*(?!["'\s])(?:[^)\\]|\\.)*\)?|\\.|([][{}();])""",
                       re.S | re.I)
    HEAD = re.compile(r"(?:\s|/\*.*?\*/|<!--|-->)*(@|--)?", re.S)

    def __init__(self, css):
        self.css, self.starts, self.pieces, self.ends = css, [], [], []
        preludes, blocks, inner, start = [], [], [], 0
        for match in [*filter(lambda match: match[1], self.MARKS.finditer(css)), None]:
            mark, end, after = (match[1], match.start(), match.end()) if match else ("", len(css), len(css))
            kind = self.HEAD.match(css, start)[1]
            # No mark counts in brackets but those that end them. Braces are brackets in the value of a custom property.
            if mark in ("(", "[") or mark == "{" and (inner or blocks and kind == "--"):
                inner.append({"(": ")", "[": "]", "{": "}"}[mark])
                continue
            if match and inner and mark == inner[-1]:
                inner.pop()
                continue
            # Outside of blocks, what is not an at-rule goes up to a block.
            if match and inner or mark in (")", "]") or not blocks and (mark == "}" or mark == ";" and kind != "@"):
                continue
            self.starts.append(start)
            self.pieces.append((css[start:end], end, mark, tuple(preludes), blocks[-1] if blocks else None))
            if mark == "{":
                preludes.append(css[start:end])
                blocks.append(len(self.ends))
                self.ends.append(len(css))
            elif mark == "}" and blocks:
                preludes.pop()
                self.ends[blocks.pop()] = end
            start = after

    def around(self, position):
        """Why a link at a position may not be in the CSSOM: a reason, or style sheets with less and less around it."""
        piece, end, mark, preludes, block = self.pieces[bisect.bisect(self.starts, position) - 1]
        piece = re.sub(r"/\*.*?\*/", " ", piece, flags=re.S)
        if re.match(r"\s*(<!--\s*)?@import", piece, re.I):
            return "an @import that is not at the start, or with a condition that Chromium does not support"
        if mark == "{":
            return "in a selector or the prelude of an at-rule"
        within = lambda *texts: "".join(prelude + "{" for prelude in preludes) + "".join(texts) + "}" * len(preludes)
        rest = self.css[end : self.ends[block]] if block is not None else ""
        return [within(piece, rest), within(piece), piece if "font-face" in "".join(preludes[-1:]) else f"a {{ {piece} }}"]


# By the first style sheet of `around` that has the link: none is -1.
REASONS = {
    1: "a later declaration overrides it",
    2: "in a rule that Chromium does not support",
    -1: "in a declaration that Chromium does not support",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--made", type=int, default=40)
    parser.add_argument("--real", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--print", action="store_true", help="print every link that only relref finds")
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    if not browser.command():
        print("skipped: no Chromium here")
        return
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True).stdout.strip()
    folder = args.folder or Path(sysroot) / "share" / "doc" / "rust" / "html"
    sheets = TARGET / "sheets"
    shutil.rmtree(sheets, ignore_errors=True)
    (sheets / "made").mkdir(parents=True)
    by_bytes = {hashlib.sha256(sheet.read_bytes()).digest(): sheet for sheet in sorted(folder.rglob("*.css")) if sheet.is_file()}
    real = sorted(by_bytes.values())
    assert real or not args.real, f"no style sheets in {folder}"
    for sheet in real[:: max(1, len(real) // args.real)][: args.real] if args.real else []:
        copy = sheets / "real" / sheet.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(sheet, copy)
    choose = random.Random(args.seed)
    for number in range(args.made):
        (sheets / "made" / f"{number}.css").write_bytes(made_sheet(choose))

    serve = lambda *arguments: Handler(*arguments, directory=sheets)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    ours = relref(sheets, base)
    names = [sheet.relative_to(sheets).as_posix() for sheet in sorted(sheets.rglob("*.css"))]
    pages = {f"{base}/?/{urllib.parse.quote(name)}": name for name in names}
    only_ours, differences, compared = [], collections.defaultdict(list), 0
    chromium = browser.Browser(TARGET / "profile")
    for page, found in chromium.visit(pages, READ):
        name = pages[page]
        mine = {link["reference"]: link["uri"] for link in ours[name]}
        theirs = {(clean(reference), uri) for reference, uri in found if clean(reference)}
        compared += len(theirs)
        for reference, uri in theirs:
            if uri != mine.get(reference):
                why = reason(f"{base}/{name}", reference, mine.get(reference), uri)
                differences[why].append((name, reference, mine.get(reference), uri))
        references = {reference for reference, _ in theirs}
        only_ours += [(name, link) for link in ours[name] if link["reference"] not in references]

    to_try, by_name = [], {}
    for name, link in only_ours:
        css = (sheets / name).read_bytes()
        decode = lambda data: data.decode(link["charset"], "replace")
        if name not in by_name:
            by_name[name] = Blocks(decode(css))
        why = by_name[name].around(len(decode(css[: link["start"]])))
        if isinstance(why, str):
            differences[why].append((name, link["reference"], link["uri"], None))
        else:
            to_try.append((name, link, why))
    session = chromium.tab()
    for start in range(0, len(to_try), 100):
        some = to_try[start : start + 100]
        expression = TRY % json.dumps([[link["reference"], *css] for _, link, css in some])
        result = chromium.call("Runtime.evaluate", session, expression=expression, returnByValue=True)["result"]
        for (name, link, css), index in zip(some, result["value"]):
            differences[REASONS.get(index)].append((name, link["reference"], link["uri"], css[1]))
    chromium.close()
    server.shutdown()
    for why, rows in sorted(differences.items(), key=lambda item: item[0] or ""):
        print(f"{len(rows)}: {why or 'NOT EXPLAINED'}")
        for row in rows if args.print else rows[:20] if not why else []:
            print("   ", json.dumps(row, ensure_ascii=False))
    unknown = len(differences[None])
    print(f"{len(names)} style sheets, {compared} comparisons of links, {sum(map(len, differences.values()))} differences, "
          + (f"{unknown} NOT EXPLAINED" if unknown else "all explained"))
    sys.exit(1 if unknown else 0)


main()
