#!/usr/bin/env python3
"""Asks Node's `whatwg-url` and Chromium whether they resolve as `relref::whatwg` does.

    tests/peers/whatwg.py [--chromium] [COUNT]

Random pairs of a base and a reference (100,000), and those of tests/vectors/whatwg/more.jsonl, are resolved by all. A peer
that is missing is skipped with a message, and Chromium, which takes a minute, is asked only with `--chromium`.
`whatwg-url`, which transcribes the Standard, must agree, except on users and passwords with characters beyond U+FFFF.
Chromium does not follow the Standard everywhere: the kinds of its differences are in `browser.py`, and any other fails.
Needs, the first time, npm.
"""

import argparse, collections, html, json, os, re, shutil, subprocess, sys
from pathlib import Path

import browser

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests" / "vectors" / "whatwg" / "more.jsonl"
TARGET = ROOT / "target" / "whatwg-peers"
CHROMIUM_AT_ONCE = 20_000

NODE = """
const { URL } = require('whatwg-url');
const lines = require('fs').readFileSync(process.argv[1], 'utf8').trimEnd().split('\\n').map(JSON.parse);
const answer = (base, reference) => { try { return new URL(reference, base ?? undefined).href } catch { return null } };
console.log(JSON.stringify(lines.map(([base, reference]) => answer(base, reference))));
"""

PAGE = """<!DOCTYPE html><meta charset=utf-8><pre id=out></pre><script>
const pairs = %s;
const answer = (base, reference) => { try { return new URL(reference, base ?? undefined).href } catch { return null } };
document.getElementById('out').textContent = JSON.stringify(pairs.map(([base, reference]) => answer(base, reference)));
</script>"""


def pairs(count):
    file = TARGET / "pairs.jsonl"
    file.unlink(missing_ok=True)
    command = "cargo test --quiet --package relref --all-features --test relref -- whatwg::pairs::random_pairs_as_lines".split()
    environment = {**os.environ, "RELREF_PAIRS": str(file), "RELREF_COUNT": str(count)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    with file.open("a") as lines:
        for line in VECTORS.read_text().splitlines():
            reference, base, href = json.loads(line)
            print(json.dumps([base, reference, href]), file=lines)
    return file, [json.loads(line) for line in file.read_text().splitlines()]


def node(file, _):
    if not shutil.which("node") or not shutil.which("npm"):
        return "no Node.js here"
    if not (TARGET / "node_modules" / "whatwg-url").exists():
        install = ["npm", "install", "--silent", "--prefix", str(TARGET), "whatwg-url@17.0.0"]
        if subprocess.run(install).returncode:
            return "npm cannot install whatwg-url"
    out = subprocess.run(["node", "-e", NODE, str(file)], cwd=TARGET, check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def known_of_node(base, reference):
    """Returns why `whatwg-url` 17.0.0 differs: it reads a user and password by UTF-16 units, as many as they have characters."""
    if any(re.search("[\U00010000-\U0010ffff][^/?#]*@", text or "") for text in (base, reference)):
        return "a user or password with a character beyond U+FFFF, the last one of which whatwg-url loses"
    return None


def chromium(_, rows):
    if not browser.command():
        return "no Chromium here"
    page, answers = TARGET / "pairs.html", []
    for start in range(0, len(rows), CHROMIUM_AT_ONCE):
        some = [row[:2] for row in rows[start : start + CHROMIUM_AT_ONCE]]
        page.write_text(PAGE % json.dumps(some).replace("</", "<\\/").replace("<!--", "<\\!--"))
        options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={TARGET / 'profile'}", "--dump-dom"]
        dom = subprocess.run([browser.command(), *options, page.as_uri()], capture_output=True, text=True).stdout
        answers += json.loads(html.unescape(re.search(r"<pre id=\"out\">(.*?)</pre>", dom, re.S)[1]))
    return answers


def main():
    TARGET.mkdir(parents=True, exist_ok=True)
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--chromium", action="store_true")
    arguments.add_argument("count", nargs="?", type=int, default=100_000)
    arguments = arguments.parse_args()
    file, rows = pairs(arguments.count)
    failed = False
    for peer in [node, chromium] if arguments.chromium else [node]:
        answers = peer(file, rows)
        if isinstance(answers, str):
            print(f"skipped: {answers}")
            continue
        assert len(answers) == len(rows) > arguments.count, f"{len(answers)} answers to {len(rows)} pairs"
        different = [(row, answer) for row, answer in zip(rows, answers) if row[2] != answer]
        known = browser.known if peer is chromium else lambda base, reference, *_: known_of_node(base, reference)
        reasons = [known(*row[:3], answer) for row, answer in different]
        for why, count in collections.Counter(filter(None, reasons)).items():
            print(f"{count}: {why}")
        unknown = [[*row, answer] for (row, answer), why in zip(different, reasons) if not why]
        for row in unknown[:20]:
            print(json.dumps(row, ensure_ascii=False))
        print(f"{peer.__name__}: {len(different)} of {len(answers)} pairs differ, {len(unknown)} NOT EXPLAINED")
        failed |= bool(unknown)
    sys.exit(failed)


if __name__ == "__main__":
    main()
