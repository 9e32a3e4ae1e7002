#!/usr/bin/env python3
"""Opens the page in Chromium, from its file, and checks that it says what the command says.

    tests/peers/page.py

Builds the page by `web/build`. Its answers to every puzzle and to the pairs of the tables of vectors must be those of `relref
compare`, and those of `new URL`. Checks quotations against tests/specs, drawings, links, the history, keys, contrast, narrow
screens, hostile input, that no request leaves and that nothing is an error. Writes screenshots to target/web/shots. Skipped with a
message where Chromium or the target of Rust for WebAssembly is missing.
"""

import base64, collections, gzip, html, json, os, re, shutil, subprocess, sys, tempfile, time
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import browser

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PAGE = TARGET / "web" / "index.html"
SHOTS = TARGET / "web" / "shots"
VECTORS = ROOT / "tests" / "vectors"
MOST_BYTES = 150_000

RULE_SETS = ["url7", "draft-www-uri-00", "rfc1630", "rfc1808", "rfc2396", "rfc3986", "whatwg"]

# How many different answers each puzzle has. The sentences on the page say why.
PUZZLES = {
    "../ that eats a host": 2, "/ in an archive": 2, "A query alone": 2, "Empty reference": 2, "Only ?": 3, "Trailing slash": 1, "//host": 1,
    "// after ///": 2, "Above the root": 2, "/x/../g": 2, "http:g": 2, "Backslash": 2, ";": 2, "Not ASCII": 2,
    "g": 1, "/g": 2, "//g": 1, "../g": 1, "g:h": 1,
}

# Returns what the page shows: the row of each rule set as its answer or null, then that of the browser, and the drawn results.
SHOWN = """(() => {
  const row = row => row.querySelector('.error') ? null : row.querySelector('code.uri').textContent;
  const rows = [...document.querySelectorAll('#rows tr')];
  const drawn = [...document.querySelectorAll('details')].map(one => {
    const lines = one.querySelectorAll('.lines > .line');
    return [one.dataset.rules, lines.length ? lines[2].textContent : null];
  });
  return { rows: rows.map(one => [one.dataset.rules, row(one), one.querySelector('.badge').dataset.letter]), drawn,
    errors: rows.map(one => one.querySelector('.error')?.textContent).filter(Boolean) };
})()"""

# Types each pair into the inputs, as a reader would, and returns what is shown, and the answer of `new URL`.
ASK = """(pairs => pairs.map(([base, reference]) => {
  for (const [id, value] of [['base', base], ['reference', reference]]) {
    const input = document.getElementById(id);
    input.value = value;
    input.dispatchEvent(new Event('input'));
  }
  let href = null;
  try { href = new URL(reference, base).href } catch {}
  return { ...%s, href };
}))""" % SHOWN

# Returns the texts whose contrast with the color around them is less than 4.5.
FAINT = r"""(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = color => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const paper = element => {
    for (let one = element; one; one = one.parentElement) {
      const color = rgb(getComputedStyle(one).backgroundColor);
      if (color[3] == 255) return color;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, element = text.parentElement, style = getComputedStyle(element);
    if (!text.data.trim() || style.visibility == 'hidden' || !element.getClientRects().length) continue;
    const [a, b] = [light(rgb(style.color)), light(paper(element))].sort((a, b) => b - a);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) found.push([text.data.slice(0, 40), element.className, contrast]);
  }
  return found;
})()"""


class Reader(browser.Browser):
    """A browser with one tab, which keeps the events."""

    def __init__(self, profile):
        self.events = []
        super().__init__(profile)
        self.page = self.tab()
        for domain in ["Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable", self.page)

    def receive(self):
        message = super().receive()
        if "method" in message:
            self.events.append(message)
        return message

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", self.page, expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def wait_for(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.evaluate(expression)
            if value:
                return value
            time.sleep(0.02)
        raise RuntimeError(f"never true: {expression}")

    def open(self, fragment=""):
        """Opens the page anew, with a fragment."""
        self.call("Page.navigate", self.page, url="about:blank")
        self.wait_for("location.href == 'about:blank'")
        self.call("Page.navigate", self.page, url=PAGE.as_uri() + fragment)
        self.wait_for("document.documentElement?.dataset.ready !== undefined")

    def screen(self, width, height, scheme):
        self.call("Emulation.setDeviceMetricsOverride", self.page, width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", self.page, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def shot(self, name, height=None):
        """Takes a picture of the page, down to a height."""
        size = self.evaluate("[innerWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": size[0], "height": height or size[1], "scale": 1}
        data = self.call("Page.captureScreenshot", self.page, format="png", captureBeyondViewport=True, clip=clip)["data"]
        (SHOTS / f"{name}.png").write_bytes(base64.b64decode(data))

    def key(self, key, **parameters):
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", self.page, type=kind, key=key, code=key, **parameters)

    def tab_key(self):
        self.key("Tab", windowsVirtualKeyCode=9)


failures = []


def check(is_true, *words):
    if not is_true:
        failures.append(words)
        print("FAILED:", *words)


def pairs():
    """Returns pairs of a base and a reference, from the tables."""
    found = {}
    for name in ["rfc1630", "rfc1808", "rfc2396", "rfc3986", "more"]:
        for row in (VECTORS / f"{name}.tsv").read_text(encoding="utf-8").splitlines()[1:]:
            found[tuple(row.split("\t")[1:3])] = None
    for row in (VECTORS / "nested.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        _, prefix, innermost, reference, _ = row.split("\t")
        found[prefix + innermost, reference] = None
    for row in (VECTORS / "whatwg" / "more.jsonl").read_text(encoding="utf-8").splitlines():
        reference, base, _ = json.loads(row)
        if base and not re.search("[\0\r\n]", base + reference):
            found[base, reference] = None
    return list(found)


def by_command(pairs):
    """Returns what `relref compare` prints for each pair, as a dictionary by rule set."""
    subprocess.run(["cargo", "build", "--quiet", "--locked", "--package", "relref-cli"], cwd=ROOT, check=True)
    by_base = collections.defaultdict(list)
    for base, reference in pairs:
        by_base[base].append(reference)
    answers = {}
    for base, references in by_base.items():
        command = [TARGET / "debug" / "relref", "compare", "--json", "--", base, *references]
        for line in subprocess.run(command, capture_output=True, text=True).stdout.splitlines():
            row = json.loads(line)
            answers[base, row["reference"]] = row["results"]
    return answers


def check_answers(page, puzzles):
    """Compares the answers of the page with those of the command, and of `new URL`."""
    asked = [*[(base, reference) for _, base, reference in puzzles], *pairs()]
    expected = by_command(asked)
    without_tables = differs = drawn = 0
    for (base, reference), shown in zip(asked, page.evaluate(f"{ASK}({json.dumps(asked)})")):
        check([name for name, *_ in shown["rows"]] == [*RULE_SETS, "browser"], "rows:", shown["rows"])
        rows = {name: answer for name, answer, _ in shown["rows"]}
        check(rows.pop("browser") == shown["href"], "the browser's row:", base, reference, shown)
        theirs = expected.get((base, reference), {})
        for name, answer in rows.items():
            if name == "whatwg" and any("needs tables that browsers have" in error for error in shown["errors"]):
                without_tables += 1
            else:
                check(answer == theirs.get(name), name, base, reference, answer, theirs.get(name))
        # The same letter means the same answer.
        check(len({letter for *_, letter in shown["rows"]}) == len({answer for _, answer, _ in shown["rows"]}), "letters:", base, reference)
        for name, result in shown["drawn"]:
            drawn += result is not None
            check(result in (None, rows[name]), "drawn:", name, base, reference, result)
        ours = rows["whatwg"]
        if ours != shown["href"]:
            known = browser.known(base, reference, ours, shown["href"])
            differs += 1
            check(known or not rows["whatwg"], "not explained:", base, reference, ours, shown["href"])
    check(len(asked) >= 200 + len(puzzles), "too few pairs")
    check(without_tables < len(asked) / 10, "too many hosts beyond US-ASCII")
    print(f"page: {len(asked)} pairs of a base and a reference: the answers are those of the command; "
          f"{without_tables} need tables of international host names; in {differs}, Chromium is known to differ from the URL Standard; {drawn} drawings")


def check_puzzles(page):
    buttons = page.evaluate("[...document.querySelectorAll('.puzzles button')].map(one => [one.textContent, one.dataset.base, one.dataset.reference])")
    check([title for title, *_ in buttons] == list(PUZZLES), "the puzzles are", [title for title, *_ in buttons])
    for index, (title, base, reference) in enumerate(buttons):
        found = page.evaluate(f"""(() => {{
          const button = document.querySelectorAll('.puzzles button')[{index}];
          button.click();
          const texts = ['base', 'reference'].map(id => document.getElementById(id).value);
          return {{ ...{SHOWN}, texts, hint: document.getElementById('hint').textContent, pressed: button.getAttribute('aria-pressed'),
            sum: document.getElementById('summary').textContent, hash: location.hash }};
        }})()""")
        check(found["texts"] == [base, reference] and found["pressed"] == "true", "the button fills the inputs:", title)
        answers = len({answer for _, answer, _ in found["rows"]})
        check(answers == PUZZLES.get(title), "different answers of", title, answers)
        check(found["sum"].startswith("One answer" if answers == 1 else f"{answers} different"), "the summary of", title, found["sum"])
        check(len(found["hint"]) > 40, "a sentence for", title)
        check(all(result for _, result in found["drawn"]), "every answer is drawn:", title)
        check(parse_qs(found["hash"][1:], keep_blank_values=True) == {"base": [base], "reference": [reference]}, "the link of", title)
    return buttons


def check_links(page):
    """A link has the inputs, whatever is in them. Typing changes the link, and the button Back brings the text before it back."""
    for pair in [("http://h/a b?c#d", "../x?y=1&z=+%41#é"), ("https://пример.example/日本/", "<script>alert(1)</script>"), ("", ""), ("x:'\"&lt;", "🦀")]:
        page.open("#" + urlencode(dict(zip(["base", "reference"], pair))))
        check(tuple(page.evaluate("['base', 'reference'].map(id => document.getElementById(id).value)")) == pair, "link to inputs:", pair)
        check(page.evaluate("document.querySelectorAll('img, svg, script').length") == 2, "markup is text:", pair)
    page.open("#" + urlencode({"base": "http://h/a/b", "reference": "g"}))
    page.evaluate("document.getElementById('reference').focus()")
    page.call("Input.insertText", page.page, text="/../x?y")
    page.wait_for("new URLSearchParams(location.hash.slice(1)).get('reference') == 'g/../x?y'")
    check(page.evaluate("document.querySelector('[data-rules=rfc3986] code.uri').textContent") == "http://h/a/x?y", "the answer to typed text")
    page.evaluate("history.back()")
    page.wait_for("document.getElementById('reference').value == 'g'")
    check(page.evaluate("document.querySelector('[data-rules=rfc3986] code.uri').textContent") == "http://h/a/g", "the answer after Back")
    page.evaluate("history.forward()")
    page.wait_for("document.getElementById('reference').value == 'g/../x?y'")


def check_keys(page):
    """The key Tab goes through the page in the order of reading, and Enter chooses."""
    page.open()
    order = []
    for _ in range(50):
        page.tab_key()
        order.append(page.evaluate("""(() => { const one = document.activeElement;
          return one.id || one.dataset.base && 'puzzle' || one.localName == 'summary' && 'steps' || one.className || one.localName; })()"""))
    order = order[: order.index("body")]
    groups = [name for index, name in enumerate(order) if index == 0 or order[index - 1] != name]
    check(groups[:4] == ["skip", "base", "reference", "puzzle"] and order.count("puzzle") == len(PUZZLES), "order of Tab:", groups)
    rest = [name for name in groups[4:] if name != "drawing"]
    check(rest == ["steps", "a"], "order of Tab after the puzzles:", groups)
    page.open()
    for _ in range(5):
        page.tab_key()
    page.key("Enter", windowsVirtualKeyCode=13, text="\r")
    check(page.evaluate("document.getElementById('base').value == document.activeElement.dataset.base"), "Enter chooses a puzzle")
    names = page.evaluate("['base', 'reference'].map(id => document.getElementById(id).labels[0].textContent)")
    check(names[0].startswith("Base") and names[1].startswith("Reference"), "labels of the inputs:", names)


def check_errors(page):
    """Where there is no answer, the page says why."""
    for base, summary in [("foo", "No answer"), ("http://[/", "2 different answers"), ("https://пример.example/", "3 different answers")]:
        page.open("#" + urlencode({"base": base, "reference": "g"}))
        found = page.evaluate("[document.getElementById('summary').textContent, document.querySelectorAll('#rows .error').length, "
                              "document.querySelectorAll('article').length]")
        check(found[0].startswith(summary) and "no answer" in found[0].lower() and found[1], "an error:", base, found)


def check_hostile(page):
    """Long input is cut, and the page says where. Markup stays text."""
    for base, reference in [("http://h/" + "a/" * 600_000, "../" * 400_000), ("x:" + "<b>" * 400_000, "\\é" * 500_000), ("/" * 10**6, "🦀" * 500_000)]:
        page.open()
        start = time.monotonic()
        lengths = page.evaluate(f"""(([base, reference]) => {{
          location.hash = new URLSearchParams({{ base, reference }});
          return new Promise(done => setTimeout(() => done([document.getElementById('base').value.length, document.getElementById('reference').value.length,
            document.getElementById('too-long').textContent, document.body.textContent.length, document.querySelectorAll('main b b').length]), 200));
        }})({json.dumps([base, reference])})""")
        seconds = time.monotonic() - start
        check(all(9_999 <= length <= 10_000 for length in lengths[:2]), "long input is cut:", lengths)
        check("cut after 10,000" in lengths[2], "the page says where input is cut:", lengths)
        check(lengths[3] < 2_000_000 and seconds < 10, "a long input takes", seconds, lengths)


def check_looks(page):
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screen(1100, 900, "light")
    page.open()
    page.shot("light")
    # For README: only the question, and why there are two answers.
    page.screen(860, 900, "light")
    page.evaluate("[...document.querySelectorAll('.puzzles button')].find(one => one.textContent == '/ in an archive').click()")
    page.evaluate("""document.querySelectorAll('h3[id], h4[id], .puzzles, #hint, #answers, .legend, details:not([open])')
                     .forEach(one => { one.style.display = 'none' })""")
    page.shot("picture", page.evaluate("document.getElementById('cards').getBoundingClientRect().bottom + scrollY + 10"))
    page.open()
    for scheme in ["light", "dark"]:
        page.screen(1100, 900, scheme)
        for index in [0, 7, 11, 13]:
            page.evaluate(f"document.querySelectorAll('.puzzles button')[{index}].click()")
            page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
            faint = page.evaluate(FAINT)
            check(not faint, "contrast:", scheme, faint)
    page.shot("dark")
    for width in [320, 375, 768]:
        page.screen(width, 800, "light")
        page.open("#" + urlencode({"base": "magic://a/b/c//d/e/f", "reference": "/g"}))
        # A phone's window grows with a page that is too wide.
        check(page.evaluate("document.documentElement.scrollWidth") <= width, "the page is wider than", width)
        if width == 375:
            page.shot("narrow")


def check_without_script(page):
    page.call("Emulation.setScriptExecutionDisabled", page.page, value=True)
    page.call("Page.navigate", page.page, url="about:blank")
    page.wait_for("location.href == 'about:blank'")
    page.call("Page.navigate", page.page, url=PAGE.as_uri())
    page.wait_for("document.readyState == 'complete' && !!document.querySelector('.notice')")
    check(page.evaluate("document.querySelector('noscript').innerText.includes('cannot compute')"), "the notice without scripts")
    page.call("Emulation.setScriptExecutionDisabled", page.page, value=False)


def check_old_browser(page):
    """Where the engine cannot run, the page says so."""
    script = page.call("Page.addScriptToEvaluateOnNewDocument", page.page, source="delete window.DecompressionStream")["identifier"]
    page.call("Page.navigate", page.page, url="about:blank")
    page.call("Page.navigate", page.page, url=PAGE.as_uri())
    page.wait_for("(document.getElementById('summary')?.textContent ?? '').startsWith('The engine does not run')")
    page.call("Page.removeScriptToEvaluateOnNewDocument", page.page, identifier=script)


def check_silence(page):
    """No request, no error on the console, and a policy that would stop a request."""
    requests = [event["params"]["request"]["url"] for event in page.events if event["method"] == "Network.requestWillBeSent"]
    others = [url for url in requests if url.split("#")[0] != PAGE.as_uri() and not url.startswith("data:")]
    check(requests and not others, "requests:", others)
    errors = [event for event in page.events if event["method"] == "Runtime.exceptionThrown"
              or event["method"] == "Runtime.consoleAPICalled" and event["params"]["type"] in ("error", "warning", "assert")
              or event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] in ("error", "warning")]
    check(not errors, "on the console:", errors[:3])
    page.open()
    stopped = page.evaluate("""(async () => {
      const stopped = [];
      addEventListener('securitypolicyviolation', event => stopped.push(event.effectiveDirective));
      await fetch('http://127.0.0.1:9/').catch(() => {});
      new Image().src = 'http://127.0.0.1:9/';
      document.head.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = true' }));
      await new Promise(done => setTimeout(done, 200));
      return [...stopped, window.ran === undefined];
    })()""")
    check(sorted(map(str, stopped)) == ["True", "connect-src", "img-src", "script-src-elem"], "the policy stops:", stopped)


def condensed(text):
    return "".join(text.replace("ﬁ", "fi").split())


def check_quotations():
    """Every quotation of the timeline stands in its document. The others are the engine's, which are checked with it."""
    template = (ROOT / "web" / "index.html").read_text(encoding="utf-8")
    quotations = re.findall(r'<q data-text="([^"]+)">(.*?)</q>', template, re.S)
    for name, words in quotations:
        text = (ROOT / "tests" / "specs" / f"{name}.txt").read_text(encoding="utf-8", errors="replace")
        lines = [line for line in text.splitlines() if "[Page " not in line and not re.match(r"RFC \d+  .*\d$", line)]
        check(condensed(html.unescape(words)) in condensed("\n".join(lines)), name, "does not say:", words)
    check(len(quotations) >= 15 and template.count("<q") == len(quotations), "quotations:", len(quotations))


def main():
    if not browser.command():
        print("skipped: no Chromium here")
        return
    built = subprocess.run([sys.executable, ROOT / "web" / "build"])
    if built.returncode == 3:
        print("skipped: Rust cannot compile to WebAssembly here")
        return
    if built.returncode:
        sys.exit(built.returncode)
    size = len(gzip.compress(PAGE.read_bytes(), 9))
    check(size <= MOST_BYTES, "bytes with gzip:", size)
    check_quotations()
    profile = tempfile.mkdtemp()
    page = Reader(profile)
    try:
        page.screen(1100, 900, "light")
        page.open()
        puzzles = check_puzzles(page)
        check_answers(page, puzzles)
        check_links(page)
        check_keys(page)
        check_errors(page)
        check_hostile(page)
        check_looks(page)
        check_without_script(page)
        check_old_browser(page)
        check_silence(page)
    finally:
        page.close()
        shutil.rmtree(profile, ignore_errors=True)
    print(f"page: {size:,} bytes with gzip, {len(puzzles)} puzzles, {len(failures)} FAILED")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
