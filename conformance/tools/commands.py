"""Commands: reads a case a line from standard input, and prints its links.

    commands.py NAME PATH

lychee and relref read a file. wget and LinkChecker fetch the page through a proxy on the loopback address, which answers
every other request with 404.
"""

import base64, csv, http.server, io, json, os, re, subprocess, sys, tempfile, threading
from pathlib import Path

FOLDER = Path(tempfile.mkdtemp())
ENDINGS = {"application/xhtml+xml": "xhtml", "image/svg+xml": "svg"}


class Proxy(http.server.BaseHTTPRequestHandler):
    """Serves the current page at its URL."""

    url, head, page = "", "", b""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        is_page = self.path == Proxy.url
        body = Proxy.page if is_page else b""
        self.send_response(200 if is_page else 404)
        self.send_header("Content-Type", Proxy.head if is_page else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET

    def do_CONNECT(self):
        self.send_error(403)

    def log_message(self, *_):
        pass


def serve(case, page):
    """Sets the page. Returns the environment with the proxy, or None for a page that is not fetched by HTTP without TLS."""
    url = re.sub("#.*", "", case["url"])
    if not url.startswith("http://") or "@" in url:
        return None
    Proxy.url = url if url.count("/") > 2 else url + "/"
    Proxy.page, Proxy.head = page, case["type"] + (f"; charset={case['charset']}" if case["charset"] else "")
    proxy = f"http://127.0.0.1:{SERVER.server_port}"
    return {**os.environ, "http_proxy": proxy, "https_proxy": proxy, "ftp_proxy": proxy, "no_proxy": "", "HOME": str(FOLDER)}


def write(case, page):
    """Writes the page to a file, whose name says its type."""
    file = FOLDER / f"page.{ENDINGS.get(case['type'], 'html')}"
    file.write_bytes(page)
    return file


def relref(path, case, page):
    file = write(case, page)
    command = [path, "links", "--quiet", "--format", "jsonl", "--base", case["url"]]
    run = lambda *more: subprocess.run([*command, *more, file], capture_output=True, text=True)
    result = run("--charset", case["charset"]) if case["charset"] else run()
    if result.returncode == 2 and case["charset"]:
        # HTTP's charset is no label that is known: none was given.
        result = run()
    links = map(json.loads, result.stdout.splitlines())
    return {"links": [[link["element"], link["attribute"], link["uri"]] for link in links]}


def lychee(path, case, page):
    file = write(case, page)
    options = ["--dump", "--verbose", "--include-mail", "--include-fragments", "--no-progress", "--base-url", case["url"]]
    result = subprocess.run([path, *options, file], capture_output=True, text=True)
    if result.returncode:
        return {"error": result.stderr[:300]}
    # Each line is a URL, the file and, of example.com and the like, a word.
    return {"urls": [line.rsplit(f" ({file})", 1)[0] for line in result.stdout.splitlines()]}


def wget(path, case, page):
    environment = serve(case, page)
    if environment is None:
        return {"not_run": "https, a user or a file"}
    options = ["--debug", "--spider", "--recursive", "--level=1", "--span-hosts", "--page-requisites", "--execute=robots=off"]
    result = subprocess.run([path, *options, "--tries=1", Proxy.url], capture_output=True, env=environment, cwd=FOLDER)
    log = result.stderr.decode("utf-8", "replace")
    return {"urls": re.findall('^Deciding whether to enqueue "(.*)"\\.$', log, re.M)}


def linkchecker(path, case, page):
    environment = serve(case, page)
    if environment is None:
        return {"not_run": "https, a user or a file"}
    config = FOLDER / "linkcheckerrc"
    settings = ["threads=0", "maxrequestspersecond=1000", "robotstxt=0", "timeout=5", "recursionlevel=1"]
    config.write_text("\n".join(["[checking]", *settings, "[output]", "status=0", "warnings=0", ""]))
    # Its modules are loaded once; each page has a process of its own.
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writer, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.environ.update(environment)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8")
        sys.argv = ["linkchecker", "-f", str(config), "--check-extern", "--verbose", "--no-robots", "-o", "csv/utf_8", Proxy.url]
        try:
            LINKCHECKER()
        except SystemExit:
            pass
        finally:
            sys.stdout.flush()
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as output:
        text = output.read().decode("utf-8", "replace")
    os.waitpid(child, 0)
    text = re.sub("^#.*\n", "", text, flags=re.M)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=";")
    return {"urls": [row["url"] or row["urlname"] for row in rows if row.get("parentname")]}


TOOLS = {"relref": relref, "lychee": lychee, "wget": wget, "LinkChecker": linkchecker}


def main():
    global SERVER, LINKCHECKER
    name, path = sys.argv[1:3]
    if name == "LinkChecker":
        from linkcheck.command.linkchecker import linkchecker as LINKCHECKER
    SERVER = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=SERVER.serve_forever, daemon=True).start()
    for line in sys.stdin:
        case = json.loads(line)
        try:
            answer = TOOLS[name](path, case, base64.b64decode(case["page"]))
        except (OSError, ValueError, KeyError, csv.Error) as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps({"id": case["id"], **answer}), flush=True)


main()
