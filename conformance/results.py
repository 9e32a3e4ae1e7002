"""The page of results: one file, without scripts, in light and dark."""

from html import escape

STYLE = """
:root { color-scheme: light dark; --line: #8886; --good: #0a7d28; --bad: #b3261e; --back: #8881 }
@media (prefers-color-scheme: dark) { :root { --good: #6dd58c; --bad: #ff8a80 } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 90rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } .wide { overflow-x: auto }
caption { text-align: left; padding: .5rem 0 } th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top }
.numbers td { text-align: right; font-variant-numeric: tabular-nums } thead th, tbody th { background: var(--back) }
.all { color: var(--good); font-weight: 600 } .none { opacity: .6 } .wrong { color: var(--bad) }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap }
summary { cursor: pointer; padding: .4rem 0; font-weight: 600 } details p { margin: .2rem 0 }
a:focus-visible, summary:focus-visible { outline: 3px solid currentColor; outline-offset: 2px }
"""


def number(counts):
    right, claimed = counts
    if not claimed:
        return '<td class="none">not claimed</td>'
    return f'<td class="{"all" if right == claimed else ""}">{right} of {claimed}</td>'


def case_row(case, tools):
    wrong = [(name, tool["verdicts"][case["id"]][1]) for name, tool in tools.items() if tool["verdicts"][case["id"]][0] == "wrong"]
    links = "\n".join(" ".join(link) for link in case["links"]) or "none"
    rule = case["rule"]
    page = case.get("page", case.get("text", ""))
    others = f", charset <code>{escape(case['charset'])}</code>" if case["charset"] else ""
    by = "".join(f'<p class="wrong">{escape(name)}: <code>{escape(why)}</code></p>' for name, why in wrong) or "<p>none</p>"
    return (f'<tr id="{case["id"]}"><th scope="row">{escape(case["title"])}<br><a href="#{case["id"]}"><code>{case["id"]}</code></a></th>'
            f'<td><code>{escape(page[:600])}</code><p>at <code>{escape(case["url"])}</code>{others}</p></td><td><code>{escape(links)}</code></td>'
            f'<td>{escape(rule["says"])} <a href="{escape(rule["url"])}">{escape(rule["section"])}</a></td><td>{by}</td></tr>')


def html(cases, groups, rows, document):
    tools = document["tools"]
    head = "".join(f'<th scope="col">{group}</th>' for group in [*groups, "all"])
    body = "".join(f'<tr><th scope="row">{escape(name)} {escape(tools[name]["version"])}</th>{"".join(map(number, counts))}</tr>' for name, counts in rows)
    claims = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(tool["is"])}</td><td>{escape(", ".join(tool["rows"]))}</td>'
        f'<td>{escape(", ".join(tool.get("needs", [])) or "UTF-8 alone")}</td><td>{escape(", ".join(tool.get("schemes") or ["all"]))}</td>'
        f'<td>{escape(tool.get("source", ""))}</td></tr>' for name, tool in tools.items())
    details = "".join(
        f'<details><summary>{group}: {sum(case["group"] == group for case in cases)} cases</summary><div class="wide"><table>'
        f'<thead><tr><th scope="col">Case</th><th scope="col">Page</th><th scope="col">Links</th><th scope="col">Rule</th>'
        f'<th scope="col">Wrong</th></tr></thead><tbody>{"".join(case_row(case, tools) for case in cases if case["group"] == group)}'
        f'</tbody></table></div></details>' for group in groups)
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Which links does this page have?</title><style>{STYLE}</style></head><body><main>
<h1>Which links does this page have?</h1>
<p>{document["cases"]} pages, the links that they have by the standards of HTML, URLs, CSS and SVG, each checked in Chromium, and what
{len(tools)} tools find. Made on {document["date"]}.</p>
<div class="wide"><table class="numbers"><caption>Cases in which a tool finds all links that it claims to find, and no others, of those it claims</caption>
<thead><tr><th scope="col">Tool</th>{head}</tr></thead><tbody>{body}</tbody></table></div>
<h2>How tools are judged</h2>
<p>A tool is asked only for what it claims: for the elements and attributes of which it finds the plainest link, for the schemes that
it says it takes, and for pages in other character encodings only if it takes bytes, or the charset that HTTP says. Its URLs are
compared as a browser reads them: one that is not encoded, but means the same, is right. What a tool finds elsewhere is not counted.</p>
<div class="wide"><table><caption>What each tool claims</caption><thead><tr><th scope="col">Tool</th><th scope="col">Used</th>
<th scope="col">Elements and attributes</th><th scope="col">Encodings</th><th scope="col">Schemes</th><th scope="col">From</th></tr></thead>
<tbody>{claims}</tbody></table></div>
<h2>The cases</h2>{details}
</main></body></html>
"""
