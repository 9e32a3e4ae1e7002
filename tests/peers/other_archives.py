"""Archives that are not WARC files with gzip, for archives.py: .warc.zst, WAT, WACZ, ARC, each with the links that it has."""

import gzip, html.parser, json, re, subprocess, sys, tarfile
from io import BytesIO

import environment

SPACE = "\t\n\f\r "


def zstandard_archives(archive, links, place):
    """Writes the records of an uncompressed archive, which has these links, as frames of the package zstandard."""
    if not environment.also(["zstandard==0.25.0"]):
        return
    import zstandard

    content = archive.read_bytes()
    offsets = sorted({link["offset"] for link in links})
    starts = [0, *offsets, len(content)]
    # The parts between pages may have several records; a frame may, too.
    parts = [content[start:end] for start, end in zip(starts, starts[1:])]
    trained = zstandard.train_dictionary(64 << 10, [part[:4096] for part in parts])
    plain, compressed = trained.as_bytes(), zstandard.compress(trained.as_bytes())
    for name, dictionary in (("none", None), ("plain", plain), ("compressed", compressed)):
        path, where, out = place / f"dictionary-{name}.warc.zst", {}, b""
        if dictionary:
            out = b"\x5d\x2a\x4d\x18" + len(dictionary).to_bytes(4, "little") + dictionary
        for number, (start, part) in enumerate(zip(starts, parts)):
            where[start] = len(out)
            settings = {"level": 1 + number % 19, "write_checksum": number % 2 == 0, "write_content_size": number % 3 == 0}
            out += zstandard.ZstdCompressor(dict_data=trained if dictionary else None, **settings).compress(part)
        path.write_bytes(out)
        yield path, [{**link, "archive": str(path), "offset": where[link["offset"]]} for link in links]


def wacz_archives(archives, place):
    """Writes a WACZ file of archives, which have these links, by the package wacz."""
    if not environment.also(["wacz==0.6.0"]):
        return
    path = place / "a.wacz"
    path.unlink(missing_ok=True)
    names = [str(archive) for archive, _ in archives]
    subprocess.run([sys.executable, "-m", "wacz", "create", "--output", str(path), *names], check=True, capture_output=True)
    expected = []
    for archive, links in archives:
        expected += [{**link, "archive": f"{path}:archive/{archive.name}"} for link in links]
    yield path, expected


# What is damaged on purpose: lengths that are no numbers, a response of HTTPX, line ends of CR CR LF, and one gzip member for all records.
DAMAGED_SAMPLES = {"bad.arc", "example-extra.warc", "missing-status-text.warc", "example-bad.warc.gz.bad"}


def samples(place):
    """The sample archives of the package pywb that are not damaged on purpose."""
    folder = place / "pywb-2.8.3" / "sample_archive" / "warcs"
    if not folder.is_dir():
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", place, "pywb==2.8.3"]
        try:
            subprocess.run(command, check=True, capture_output=True)
        except subprocess.CalledProcessError:
            print("skipped: the samples of pywb cannot be downloaded")
            return []
        with tarfile.open(place / "pywb-2.8.3.tar.gz") as archive:
            archive.extractall(place)
    return [archive for archive in sorted(folder.iterdir()) if archive.name not in DAMAGED_SAMPLES]


# The first article of the Universal Declaration of Human Rights, in the character encodings of its languages.
ARTICLES = {
    "koi8-r": "Все люди рождаются свободными и равными в своем достоинстве и правах.",
    "windows-1251": "Всі люди народжуються вільними і рівними у своїй гідності та правах.",
    "euc-kr": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "shift_jis": "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "gb18030": "人人生而自由,在尊严和权利上一律平等。",
    "iso-8859-7": "Ολοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
    "windows-1252": "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
    "utf-8": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
}


def texts():
    """Pages with links that have the words of a text, with the character encoding in their heads or in the pages."""
    for number, (charset, text) in enumerate(ARTICLES.items()):
        links = "\n".join(f'<a href="/{word}?{word}#{word}">{word}</a>' for word in text.split())
        is_in_head = number % 2 == 1
        page = links if is_in_head else f"<meta charset={charset}>{links}"
        yield f"http://192.0.2.{number}/", page.encode(charset), charset if is_in_head else None


def write_arc(path, pages, codings, version, is_gzip):
    """Writes an ARC file, with records of every type around the pages, and returns the offset of each page. No package for Python
    writes such files."""
    fields = "URL IP-address Archive-date Content-type Archive-length"
    more = ""
    if version == 2:
        fields = fields.replace("Archive-length", "Result-code Checksum Location Offset Filename Archive-length")
        more = " 200 fac069150613fe55599cc7fa88aa089d - 209 a.arc"
    offsets = {}
    with open(path, "wb") as file:

        def write(uri, media, content):
            record = f"{uri} 192.0.2.1 20080430204825 {media}{more} {len(content)}\n".encode() + content + b"\n"
            file.write(gzip.compress(record) if is_gzip else record)

        write(f"filedesc://{path.name}", "text/plain", f"{version} 0 relref\n{fields}\n".encode())
        write("dns:example.com", "text/dns", b"20080430204825\nexample.com. 1 IN A 192.0.2.1\n")
        for number, (uri, page, charset) in enumerate(pages):
            its, encode = codings[number % len(codings)]
            offsets[uri] = file.tell()
            media = "text/html" + (f"; charset={charset}" if charset else "")
            head = "".join(f"{name}: {value}\r\n" for name, value in [("Content-Type", media), *its])
            write(uri, "text/html", f"HTTP/1.1 200 OK\r\n{head}\r\n".encode() + encode(page))
            if number % 10 == 0:
                write(uri + "i", "image/png", b"HTTP/1.0 200 OK\r\nContent-Type: image/png\r\n\r\n" + page)
    return offsets


def as_version_2(one, links, two, offsets):
    """The links of an ARC file of version 1 as those of one of version 2, which has its pages at these offsets, if the package
    warctools reads the same records from both."""
    if not environment.also(["warctools==5.0.1"]):
        return None
    from hanzo.warctools import ArchiveRecord

    def records(path):
        for _, record, errors in ArchiveRecord.open_archive(str(path), gzip="auto").read_records(limit=None):
            assert not errors, errors
            if record is not None and record.type == b"response":
                # Each compression has its own time in it.
                yield record.url, len(record.content[1])

    read = list(records(one))
    assert read == list(records(two)) and len(read) > len(offsets), len(read)
    return [{**link, "archive": str(two), "offset": offsets[link["page"]]} for link in links]


class WatLinks(html.parser.HTMLParser):
    """The HTML metadata of a page, as WAT files have it."""

    HEAD = {"link": ("Link", "href"), "script": ("Scripts", "src")}
    BODY = {"a": "href", "area": "href", "img": "src", "iframe": "src", "form": "action", "blockquote": "cite", "video": "poster"}

    def __init__(self, page):
        super().__init__()
        self.head, self.links, self.open = {"Title": "", "Metas": [], "Link": [], "Scripts": []}, [], None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        its = dict(attributes)
        if tag == "meta":
            self.head["Metas"].append(its)
        elif tag == "base":
            self.head.setdefault("Base", its.get("href"))
        elif tag in self.HEAD:
            name, attribute = self.HEAD[tag]
            kept = {name: its[name] for name in ("rel", "type") if its.get(name)}
            self.head[name].append({"path": f"{tag.upper()}@/{attribute}", "url": its.get(attribute), **kept})
        elif tag in self.BODY:
            attribute = self.BODY[tag]
            link = {"path": f"{tag.upper()}@/{attribute}", "url": its.get(attribute)}
            link.update({name: its[name] for name in ("alt", "rel", "method") if its.get(name)})
            self.links.append(link)
            if tag == "a":
                self.open = link

    def handle_endtag(self, tag):
        if tag == "a":
            self.open = None

    def handle_data(self, text):
        if self.open is not None:
            self.open["text"] = self.open.get("text", "") + text


# Links that authors and the makers of WAT files write, too.
ODD_LINKS = [
    {"path": "A@/href", "url": " \n a b\t?c d#e f \r\n"},
    {"path": "A@/href", "url": "\ud83d/é/\U0001f600?\ud800x", "text": "\udc00 a \n  b\u3000c "},
    {"path": "A@/href", "url": "//[bad/"},
    {"path": "A@/href", "url": "http:x", "href": "not this one"},
    {"path": "A@/href", "href": "JavaScript:alert(1)", "rel": "NoFollow  noopener"},
    {"path": "A@/href", "url": None},
    {"path": "A@/href", "url": 7, "unknown": [{"a": [None, True, 1.5e300]}]},
    {"path": "A@/href", "url": "", "text": ""},
    {"path": "STYLE/#text", "href": "image.png"},
    {"path": "FORM@/action", "url": "?a=%zz", "method": "post"},
    {"url": "no path"},
    {},
]


def write_wat(path, pages, writer_class):
    """Writes a WAT file. Its JSON is made here: every maker of such files is part of a crawler in Java."""
    with open(path, "wb") as file:
        writer = writer_class(file, gzip=True)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "relref"}))
        for number, (uri, page) in enumerate(pages):
            found = WatLinks(page.decode("utf-8", "replace"))
            if number % 7 == 0:
                found.links[number % 5 : number % 5] = ODD_LINKS
                found.head["Metas"].append({"http-equiv": "Refresh", "content": f"5; url=page {number}.html"})
            if number % 11 == 1:
                found.head["Base"] = ["../other/", "http://base.example/a/b", "//[bad", ""][number // 11 % 4]
            fields = {"Content-Type": "text/html", "Server": "x"}
            if number % 5 == 0:
                fields["Location"] = "moved here"
            if number % 13 == 0:
                fields["Content-Location"] = ["/one", "two?three"]
            response = {"Headers": fields, "HTML-Metadata": {"Head": found.head, "Links": found.links}}
            response = {"Response-Message": {"Status": "200", "Version": "HTTP/1.1"}, **response}
            envelope = {"WARC-Header-Metadata": {"WARC-Target-URI": uri}, "Payload-Metadata": {"HTTP-Response-Metadata": response}}
            record = {"Container": {"Filename": "a.warc.gz", "Compressed": True, "Offset": str(number)}, "Envelope": envelope}
            content = json.dumps(record, ensure_ascii=number % 2 == 0 or number % 7 == 0, indent=[None, 1][number % 3 == 0])
            if number % 4 == 0:
                content = content.replace("/", "\\/")
            payload = BytesIO(content.encode())
            writer.write_record(writer.create_warc_record(uri, "metadata", payload=payload, warc_content_type="application/json"))


def read_wat(path, iterator_class, resolve):
    """The links of a WAT file, by Python's reader of JSON; `resolve` returns the results of pairs, "" for no valid URL."""
    found, bases = [], []
    with open(path, "rb") as file:
        records = iterator_class(file)
        for record in records:
            if record.rec_type != "metadata":
                continue
            envelope = json.loads(record.content_stream().read())["Envelope"]
            uri = record.rec_headers.get_header("WARC-Target-URI")
            assert envelope["WARC-Header-Metadata"]["WARC-Target-URI"] == uri
            response = envelope["Payload-Metadata"]["HTTP-Response-Metadata"]
            head, links = response["HTML-Metadata"]["Head"], response["HTML-Metadata"]["Links"]
            bases.append((uri, head.get("Base") or ""))
            place = {"page": uri, "archive": str(path), "offset": records.get_record_offset()}
            for name, value in response["Headers"].items():
                if name in ("Location", "Content-Location"):
                    for one in [value] if isinstance(value, str) else value:
                        found.append((None, {**place, "element": "http", "attribute": name.lower(), "rel": "", "text": ""}, one))
            for link in [*metas(head), *head["Link"], *head["Scripts"], *links]:
                value = link["url"] if isinstance(link.get("url"), str) else link.get("href")
                if not isinstance(value, str):
                    continue
                element, _, attribute = link.get("path", "").lower().partition("/")
                text = " ".join(re.split(f"[{SPACE}]+", link.get("text") or link.get("alt") or "")).strip(" ")
                names = {"element": element.rstrip("@"), "attribute": attribute.lstrip("#"), "rel": link.get("rel", "")}
                found.append((len(bases) - 1, {**place, **names, "text": scalar(text)}, value))
    bases = [base or uri for (uri, _), base in zip(bases, resolve(bases))]
    pairs = [(link["page"] if base is None else bases[base], clean(scalar(value))) for base, link, value in found]
    rows = zip(found, pairs, resolve(pairs))
    return [{**link, "reference": reference, "uri": uri} for (_, link, _), (_, reference), uri in rows if uri]


def metas(head):
    """The refreshes of a page, as links."""
    for meta in head["Metas"]:
        if (meta.get("http-equiv") or "").lower() == "refresh":
            url = re.fullmatch(r"\s*\d+\s*[;,]\s*url\s*=\s*(.*)", meta["content"], re.IGNORECASE | re.DOTALL)
            yield {"path": "META@/content", "url": url[1]}


def clean(reference):
    """The reference without what the URL Standard removes first."""
    return re.sub("[\t\n\r]", "", reference.strip("".join(map(chr, range(33)))))


def scalar(text):
    """The text with U+FFFD for each surrogate that is alone."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
