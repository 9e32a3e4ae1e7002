"""Chromium, driven by its DevTools protocol through a pipe: needs no package."""

import json, os, shutil, subprocess
from collections import deque


def command():
    """The path of Chromium, or None."""
    return next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)


class Browser:
    """A headless Chromium without network: only the loopback address resolves."""

    def __init__(self, profile, *more_options):
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
                   "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={profile}", *more_options]
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
