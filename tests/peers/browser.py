"""Chromium, driven by its DevTools protocol through a pipe: needs no package. Also the differences of Chromium that are known."""

import json, os, re, shutil, subprocess, unicodedata
from collections import deque


def command():
    """The path of Chromium, or None."""
    return next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)


class Browser:
    """A headless Chromium without network: only the loopback address resolves."""

    def __init__(self, profile):
        to_read, self.output = os.pipe()
        self.input, to_write = os.pipe()
        # The browser reads from descriptor 3 and writes to 4. High numbers first, so that none is overwritten.
        ends = []

        def place():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        import fcntl
        ends += [fcntl.fcntl(end, fcntl.F_DUPFD, 100) for end in (to_read, to_write)]
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
                   "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={profile}"]
        self.process = subprocess.Popen([command(), *options], preexec_fn=place, pass_fds=(3, 4), close_fds=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (to_read, to_write, *ends):
            os.close(end)
        self.count, self.rest, self.messages = 0, b"", deque()

    def send(self, method, session=None, **parameters):
        """Sends a command. Returns its number, which its answer has as well."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data):]
        return self.count

    def receive(self):
        """The next message: an answer or an event."""
        while not self.messages:
            data = os.read(self.input, 1 << 20)
            if not data:
                raise EOFError("Chromium has ended")
            *messages, self.rest = (self.rest + data).split(b"\0")
            self.messages.extend(map(json.loads, messages))
        return self.messages.popleft()

    def call(self, method, session=None, **parameters):
        """Sends a command and returns its result. Events before it are lost."""
        number = self.send(method, session, **parameters)
        while True:
            message = self.receive()
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def tab(self):
        """Opens a tab. Returns its session."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable", session)
        return session

    def visit(self, urls, expression, tabs=4):
        """Loads each page and evaluates an expression in it. Yields pairs of a URL and the value, in any order."""
        waiting, loading, asked = deque(urls), {}, {}

        def next_page(session):
            if waiting:
                loading[session] = waiting.popleft()
                self.send("Page.navigate", session, url=loading[session])

        for session in [self.tab() for _ in range(min(tabs, len(waiting)))]:
            next_page(session)
        while loading or asked:
            message = self.receive()
            session = message.get("sessionId")
            if message.get("method") == "Page.loadEventFired" and session in loading:
                number = self.send("Runtime.evaluate", session, expression=expression, returnByValue=True)
                asked[number] = loading.pop(session)
            elif message.get("id") in asked:
                url, result = asked.pop(message["id"]), message["result"]
                if "exceptionDetails" in result:
                    raise RuntimeError(f"{url}: {result['exceptionDetails']}")
                yield url, result["result"]["value"]
                next_page(session)

    def close(self):
        self.send("Browser.close")
        self.process.wait()
        os.close(self.output)
        os.close(self.input)


SPECIAL = {"http", "https", "ws", "wss", "ftp", "file"}


def scheme(base, reference):
    """The scheme of a reference, or else of its base."""
    return re.match("[A-Za-z][A-Za-z0-9+.-]*(?=:)|", reference)[0].lower() or base.split(":")[0].lower()


def authority(url):
    return re.match("(?:[^:]*://([^/?#]*))?", url or "")[1] or ""


def after_authority(url):
    return re.sub("^[^:]*://[^/?#]*", "", url)


def same_but(*characters):
    """A test whether two URLs are the same if these characters are percent-encoded in both."""
    table = str.maketrans({character: f"%{ord(character):02X}" for character in characters})
    return lambda base, reference, ours, theirs: ours and theirs and ours.translate(table) == theirs.translate(table)


def is_odd(host):
    """Reports whether a host has characters that Chromium encodes and the Standard does not."""
    host = re.sub(r":\d*$", "", host.rpartition("@")[2])
    return re.search(r"[^A-Za-z0-9._-]", re.sub(r"^\[[0-9A-Fa-f:.]*\]$", "", host))


def odd_host(base, reference, ours, theirs):
    if not ours and re.match(r"\w+:", base) and is_odd(re.match(r"\w+:[/\\]*([^/\\?#]*)", base)[1]):
        return True
    odd = is_odd(authority(theirs)) or re.search("\\[.*\\][\u200b\u00ad]|[\u200b\u00ad]\\[", reference)
    after = [after_authority(url or "").replace("|", "%7C") for url in (ours, theirs)]
    return scheme(base, reference) in SPECIAL and odd and (not ours or after[0] == after[1])


def wide_host(base, reference, ours, theirs):
    return not ours and any(c > "\x7f" and unicodedata.normalize("NFKC", c) in "%:" for c in authority(reference))


def leading_zero(base, reference, ours, theirs):
    return not ours and theirs and re.search(r"\[[0-9A-Fa-f:]*:(\d+\.)*0\d[\d.]*\]", authority(reference))


def same_but_query(ours, theirs):
    without = [re.sub(r"\?[^#]*", "?", url or "") for url in (ours, theirs)]
    return without[0] == without[1]


def base_query(base, reference, ours, theirs):
    is_taken = "?" in base and "?" not in reference.split("#")[0]
    return is_taken and scheme(base, "") in SPECIAL and same_but_query(ours, theirs)


def socket_query(base, reference, ours, theirs):
    return scheme(base, reference) in ("ws", "wss") and not reference.isascii() and same_but_query(ours, theirs)


def of_file(base, reference, ours, theirs):
    return "file" in (scheme(base, ""), scheme(base, reference))


# Differences that are known: a reason, and a test of (base, reference, our URL or None, theirs or None).
KNOWN = [
    ("Chromium's base is about:blank, not the page, if a `base` element is no valid URL", lambda base, *_: base == "about:blank"),
    ("Chromium encodes `|` in paths", same_but("|")),
    ("Chromium does not encode `'` in user names", same_but("|", "'")),
    ("Chromium has URLs with odd characters in hosts, such as spaces, and encodes them", odd_host),
    ("Chromium reads wide forms of `%` and `:` in hosts as these", wide_host),
    ("Chromium takes leading zeros in the IPv4 address of an IPv6 address", leading_zero),
    ("Chromium encodes the query of a `base` element in UTF-8, not as its page", base_query),
    ("Chromium encodes the query of `ws` and `wss` URLs in the encoding of the page, not in UTF-8", socket_query),
    ("Chromium's `file:` URLs depend on the platform: drive letters, empty segments, hosts without a path", of_file),
    ("Chromium's URLs of schemes that are not special are not those of the Standard",
     lambda base, reference, ours, theirs: scheme(base, reference) not in SPECIAL),
    ("Chromium refuses bases of schemes that are not special, such as those with private-use characters in the host",
     lambda base, reference, ours, theirs: not theirs and scheme(base, "") not in SPECIAL),
]


def known(base, reference, ours, theirs):
    """The reason of a difference, or None."""
    base, reference = (re.sub("[\t\n\r]", "", text.strip("".join(map(chr, range(33))))) for text in (base or "", reference))
    return next((why for why, test in KNOWN if test(base, reference, ours, theirs)), None)
