"""A server of archives on the loopback interface whose connections fail in many ways."""

import collections
import contextlib
import http.server
import re
import threading


class Faulty(http.server.BaseHTTPRequestHandler):
    """The name of a file says what goes wrong, and `-2` that it does so only twice, for each range of bytes."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.answer()

    def do_GET(self):
        self.answer()

    def answer(self):
        content = self.server.content
        ranged = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        self.server.requests[self.path] += 1
        self.server.ranges[self.path, self.command, self.headers.get("Range")] += 1
        fault, _, times = self.path.strip("/").partition(".")[0].partition("-")
        if fault == "late" and self.command == "GET" and ranged and int(ranged[1]) > 0:
            fault = "drop"
        if times and self.server.ranges[self.path, self.command, self.headers.get("Range")] > int(times):
            fault = "none"
        if fault == "drop":
            self.close_connection = True
            return
        if fault.isdigit():
            self.send_response(int(fault))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        # As servers do that know no ranges.
        is_whole = not ranged or self.path.startswith("/stream")
        start, end = (0, len(content)) if is_whole else (int(ranged[1]), min(len(content), int(ranged[2] or len(content)) + 1))
        self.send_response(200 if is_whole else 206)
        self.send_header("Accept-Ranges", "none" if self.path.startswith("/stream") else "bytes")
        self.send_header("Content-Length", str(end - start))
        if not is_whole:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(content)}")
        self.end_headers()
        if self.command == "HEAD":
            return
        if fault.endswith("cut"):
            self.wfile.write(content[start : (start + end) // 2])
            self.close_connection = True
        else:
            self.wfile.write(content[start:end])

    def log_message(self, *args):
        pass


@contextlib.contextmanager
def serve(content: bytes):
    """Serves some bytes at every path. The server has `uri` and `requests`, their number by path."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Faulty) as server:
        server.content, server.requests, server.ranges = content, collections.Counter(), collections.Counter()
        server.uri = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
