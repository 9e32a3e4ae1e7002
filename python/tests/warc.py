"""Small WARC archives and WACZ files."""

import gzip
import io
import zipfile


def record(uri: str, body: "str | bytes", head: str = "Content-Type: text/html; charset=utf-8", kind: str = "response") -> bytes:
    """Returns a record of an HTTP response."""
    body = body.encode() if isinstance(body, str) else body
    content = f"HTTP/1.1 200 OK\r\n{head}\r\n\r\n".encode() + body
    return (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nContent-Type: application/http\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    ).encode() + content + b"\r\n\r\n"


def archive(records: "list[bytes]", gzipped: bool = True) -> bytes:
    """Returns an archive with a gzip member for each record."""
    return b"".join(gzip.compress(record) if gzipped else record for record in records)


def wacz(archives: "dict[str, bytes]", method: int = zipfile.ZIP_STORED) -> bytes:
    """Returns a WACZ file with these archives, and with other files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as zipped:
        zipped.writestr("datapackage.json", "{}")
        for name, archive in archives.items():
            zipped.writestr(f"archive/{name}", archive)
        zipped.writestr("pages/archive/none.warc", record("http://none/", "<a href=none>"))
    return file.getvalue()
