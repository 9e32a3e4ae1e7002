"""The cases of this folder, and the table of attributes that they are about."""

import base64, json
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def attributes():
    """The rows of the table: (element, attribute) and the sort of the value."""
    rows = (FOLDER / "attributes.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {tuple(row.split("\t")[:2]): row.split("\t")[2] for row in rows}


def cases():
    """Every case, with its page as `bytes` and its `type`."""
    for file in sorted((FOLDER / "cases").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            case.setdefault("type", "text/html")
            case["bytes"] = base64.b64decode(case["base64"]) if "base64" in case else case["page"].encode()
            yield case


def pairs(links):
    """The (element, attribute) of links; that of `style` attributes is the row of any element."""
    return {("*" if link[1] == "style" else link[0], link[1]) for link in links}
