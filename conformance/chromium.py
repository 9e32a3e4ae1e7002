#!/usr/bin/env python3
"""Checks that Chromium finds in the page of each case the links that it says.

    conformance/chromium.py [--print] [ID]…

Each page is loaded at its own URL, without scripts and without network: the DevTools protocol puts its bytes, with the
`Content-Type` of the case, in the place of what a server would send. The links are read from the DOM as absolute URLs: of
elements with a property for them (`href`, `src`, `action`, …) from this, of others by an `a` with the same value. `srcset` is
given to an image, which chooses from it at many densities. The URLs of CSS are those of computed styles and of `@import` rules, and
that of a refresh is where Chromium says it will go. `<?xml-stylesheet?>` counts where its URL was asked for. A fragment alone in
`use` is one of the page where the element that it names is drawn; in other elements of SVG this is not seen, and taken for granted.
No request may go to another URL than those of the case. Where Chromium is known to differ from the standards, the case says why in
`chromium`, and must differ. Skipped with a message where Chromium is missing.
"""

import argparse, base64, json, shutil, sys, tempfile, time

import corpus, devtools

DENSITIES = [0.01, 0.25, 0.5, 1, 1.5, 2, 3, 4, 10]

# Returns the links as (element, attribute, URL), and the number of values of `srcset`, which `candidates` then has.
READ = r"""(table => {
  const HTML = 'http://www.w3.org/1999/xhtml', SVG = 'http://www.w3.org/2000/svg', XLINK = 'http://www.w3.org/1999/xlink';
  const links = [], sheets = [];
  const anchor = document.createElementNS(HTML, 'a'), probe = document.createElementNS(HTML, 'i');
  // Names of SVG that are not in lower case; those of links are.
  const camels = new Map(['linearGradient', 'radialGradient', 'textPath', 'feImage'].map(name => [name, name.toLowerCase()]));
  // The URL of a reference, or null: an `a` without a valid URL has no scheme.
  const resolve = reference => { anchor.href = reference; return anchor.protocol == ':' ? null : anchor.href; };
  // In CSS and between elements of SVG, a fragment alone is one of the document.
  const local = fragment => new URL(fragment, document.URL).href;
  const absolute = url => url.startsWith('#') ? local(url) : url;
  const add = (element, attribute, url) => url == null || links.push([element, attribute, url]);

  const escapes = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\n\r\f])?|([^]))/gi;
  const decode = text => text.replace(escapes, (_, hex, plain) => hex ? String.fromCodePoint(parseInt(hex, 16)) : plain);
  const urls = text => [...text.matchAll(/url\("((?:[^"\\]|\\[^])*)"\)/g)].map(match => decode(match[1])).filter(url => url);
  // `element` has the style; without one, a probe gets it.
  const declarations = (name, attribute, style, element) => {
    for (const property of [...style].filter(property => !property.startsWith('--'))) {
      const own = urls(style.getPropertyValue(property));
      if (!element) probe.style.cssText = `${property}: ${style.getPropertyValue(property)}`;
      const all = urls(getComputedStyle(element ?? probe).getPropertyValue(property));
      own.forEach((url, i) => add(name, attribute, absolute(own.length == all.length ? all[i] : resolve(url) ?? '') || null));
    }
  };
  const rules = list => {
    for (const rule of list) {
      if (rule instanceof CSSImportRule) add('style', 'text', resolve(rule.href));
      else if (rule.style) declarations('style', 'text', rule.style);
      if (rule.cssRules) rules(rule.cssRules);
    }
  };

  // A file without elements that Chromium knows is shown by a page of its own, which has it in an element.
  const all = [...(document.getElementById('webkit-xml-viewer-source-xml') ?? document).querySelectorAll('*')];
  document.documentElement.append(probe);
  window.candidates = [];
  for (const element of all) {
    const is_html = element.namespaceURI == HTML, is_svg = element.namespaceURI == SVG;
    const name = is_svg ? camels.get(element.localName) ?? element.localName : element.localName;
    if (is_svg && [...camels.values()].includes(element.localName)) continue;
    for (const { localName, namespaceURI, value } of element.attributes) {
      if (namespaceURI && namespaceURI != XLINK) continue;
      const attribute = namespaceURI ? 'xlink:' + localName : localName;
      const key = `* ${attribute}` in table ? `* ${attribute}` : `${name} ${attribute}`, sort = table[key];
      const of_svg = /in SVG/.test(sort);
      const is_here = is_html ? !of_svg : is_svg && (of_svg || key == 'a href');
      if (!sort || key != '* style' && !is_here || sort == 'CSS' && !element.style) continue;
      if (sort == 'CSS') declarations(name, attribute, element.style, element);
      else if (sort == 'CSS, in SVG') {
        for (const url of urls(getComputedStyle(element).getPropertyValue(attribute))) add(name, attribute, absolute(url));
      }
      else if (sort == 'image candidates') candidates.push([name, attribute, value]);
      else if (sort == 'refresh' || name == 'input' && attribute == 'src' && element.type != 'image') continue;
      else if (attribute == 'xlink:href' && element.hasAttributeNS(null, 'href')) continue;
      else if (!/also empty/.test(sort) && !value) continue;
      else if (/or local/.test(sort) && value.startsWith('#')) {
        const is_found = name != 'use' || element.getBBox().width;
        add(name, attribute, is_found ? local(value) : resolve(value));
      } else {
        const property = element[attribute == 'formaction' ? 'formAction' : attribute];
        const is_url = is_html && typeof property == 'string' && attribute != 'background';
        // Of a reference that is not valid, the property is the reference.
        add(name, attribute, is_url && (resolve(value) != null || !value) ? property : resolve(value));
      }
    }
    if (name == 'style' && element.sheet) rules(element.sheet.cssRules);
  }
  probe.remove();
  for (const node of document.childNodes) {
    if (node.nodeType != Node.PROCESSING_INSTRUCTION_NODE || node.target != 'xml-stylesheet') continue;
    // What the pseudo-attributes are as attributes. A base comes too late for them.
    const { attributes } = new DOMParser().parseFromString(`<x ${node.data}/>`, 'text/xml').documentElement;
    if (attributes.href?.value) sheets.push(['xml-stylesheet', 'href', new URL(attributes.href.value, document.URL).href]);
  }
  return { links, sheets, candidates: candidates.length };
})(%s)"""

# Gives each `srcset` to an image. The URL that it chooses is read later.
CHOOSE = """{
  window.images = candidates.map(([name, attribute, value]) => {
    const image = new Image();
    image.sizes = '100px';
    image.srcset = value;
    return [name, attribute, image];
  });
}"""
CHOSEN = """(images.every(([, , image]) => image.currentSrc || image.complete)
  && images.map(([name, attribute, image]) => [name, attribute, image.currentSrc]).filter(link => URL.canParse(link[2])))"""

# The links of a page that cannot be served at its URL.
PARSED = r"""((page, url) => [...new DOMParser().parseFromString(page, 'text/html').querySelectorAll('a[href]')].map(
  element => ['a', 'href', new URL(element.getAttribute('href'), url).href]))(%s, %s)"""


class Tab:
    """A tab in which nothing is fetched: what is asked for is kept."""

    def __init__(self, browser):
        self.browser, self.session = browser, browser.tab()
        self.page, self.requests, self.refreshes, self.is_loaded = None, [], [], False
        self.call("Emulation.setScriptExecutionDisabled", value=True)
        self.call("Fetch.enable", patterns=[{"urlPattern": "*"}])

    def call(self, method, **parameters):
        """Sends a command and returns its result. Meanwhile, answers requests."""
        number = self.browser.send(method, self.session, **parameters)
        while True:
            message = self.browser.receive()
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.event(message)

    def event(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Fetch.requestPaused":
            request = parameters["request"]
            if self.page is not None and parameters["resourceType"] == "Document":
                self.browser.send("Fetch.fulfillRequest", self.session, requestId=parameters["requestId"], responseCode=200,
                                  responseHeaders=[{"name": "Content-Type", "value": self.type}], body=self.page)
                self.page = None
            else:
                self.requests.append(request["url"] + request.get("urlFragment", ""))
                self.browser.send("Fetch.failRequest", self.session, requestId=parameters["requestId"], errorReason="Aborted")
        elif method == "Page.frameScheduledNavigation" and parameters["reason"] == "metaTagRefresh":
            self.refreshes.append(parameters["url"])
        elif method == "Page.loadEventFired":
            self.is_loaded = True

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def load(self, url, page=None, media_type="text/html", charset=None):
        """Loads a page. `page` is put in the place of what a server would send."""
        self.page = None if page is None else base64.b64encode(page).decode()
        self.type = media_type + (f"; charset={charset}" if charset else "")
        self.requests, self.refreshes, self.is_loaded = [], [], False
        self.call("Page.navigate", url=url)
        while not self.is_loaded:
            self.event(self.browser.receive())

    def links(self, case):
        """The links of a page, and what was asked for."""
        # From the page itself, its URL with a fragment would only be scrolled to.
        self.load("about:blank")
        if not case["url"].startswith("http"):
            return self.evaluate(PARSED % (json.dumps(case["page"]), json.dumps(case["url"]))), []
        self.load(case["url"], case["bytes"], case["type"], case["charset"])
        found = self.evaluate(READ % TABLE)
        links = found["links"] + [link for link in found["sheets"] if without_fragment(link[2]) in self.requests]
        links += [["meta", "content", url] for url in self.refreshes[:1] if self.evaluate(f"URL.canParse({json.dumps(url)})")]
        if found["candidates"]:
            chosen = set()
            for density in DENSITIES:
                self.call("Emulation.setDeviceMetricsOverride", width=800, height=600, deviceScaleFactor=density, mobile=False)
                self.evaluate(CHOOSE)
                # An image chooses a little later.
                while (found := self.evaluate(CHOSEN)) is False:
                    time.sleep(0.001)
                chosen |= set(map(tuple, found))
            self.call("Emulation.clearDeviceMetricsOverride")
            links += map(list, chosen)
        return links, self.requests


TABLE = json.dumps({" ".join(key): sort for key, sort in corpus.attributes().items()})


def without_fragment(url):
    return url.split("#")[0]


def difference(case, links, requests):
    """Returns how Chromium differs from a case, or None."""
    may = set(map(tuple, case.get("may", [])))
    # As sets: the parser makes an `a` that is not closed again, and an image does not choose a URL twice.
    ours, theirs = set(map(tuple, case["links"])), set(map(tuple, links)) - may
    if ours != theirs:
        return f"only the case: {sorted(ours - theirs)}; only Chromium: {sorted(theirs - ours)}"
    known = {without_fragment(link[2]) for link in [*case["links"], *may]}
    others = [url for url in requests if without_fragment(url) not in known and not url.endswith("/favicon.ico")]
    return f"asked for {others}" if others else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--print", action="store_true", help="print the differences that cases explain, too")
    parser.add_argument("ids", nargs="*", metavar="ID")
    args = parser.parse_args()
    if not devtools.command():
        print("skipped: no Chromium here")
        return
    profile = tempfile.mkdtemp()
    browser = devtools.Browser(profile, "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable")
    wrong = explained = count = 0
    try:
        tab = Tab(browser)
        for case in corpus.cases():
            if args.ids and case["id"] not in args.ids:
                continue
            count += 1
            links, requests = tab.links(case)
            why, reason = difference(case, links, requests), case.get("chromium")
            explained += bool(why and reason)
            if bool(why) != bool(reason):
                wrong += 1
                print(f"{case['id']}: {why or f'no difference, but the case says: {reason}'}")
            elif why and args.print:
                print(f"{case['id']}: {why}: {reason}")
    finally:
        browser.close()
        shutil.rmtree(profile, ignore_errors=True)
    found = count - wrong - explained
    print(f"{count} cases: Chromium finds the links of {found}; {explained} differences are explained, {wrong} are not")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
