"""The page of results: one file, without scripts, in light and dark."""

from html import escape

STYLE = """
:root { color-scheme: light dark; --line: #8886; --good: #0a7d28; --bad: #b3261e; --back: #8881 }
@media (prefers-color-scheme: dark) { :root { --good: #6dd58c; --bad: #ff8a80 } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 90rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
.wide { overflow-x: auto }
caption { text-align: left; padding: .5rem 0 }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top }
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
    verdicts = [(name, *tool["verdicts"][case["id"]]) for name, tool in tools.items()]
    wrong = [f'<p class="wrong">{escape(name)}: <code>{escape(why)}</code></p>' for name, verdict, why in verdicts if verdict == "wrong"]
    links = "\n".join(map(" ".join, case["links"])) or "none"
    charset = f", charset <code>{escape(case['charset'])}</code>" if case["charset"] else ""
    media_type = f", type <code>{case['type']}</code>" if case["type"] != "text/html" else ""
    rule = case["rule"]
    return f"""<tr id="{case["id"]}">
<th scope="row">{escape(case["title"])}<br><a href="#{case["id"]}"><code>{case["id"]}</code></a></th>
<td><code>{escape(case.get("page", case.get("text", ""))[:600])}</code><p>at <code>{escape(case["url"])}</code>{media_type}{charset}</p></td>
<td><code>{escape(links)}</code></td>
<td>{escape(rule["says"])} <a href="{escape(rule["url"])}">{escape(rule["section"])}</a></td>
<td>{"".join(wrong) or "none"}</td></tr>"""


def tool_row(name, tool):
    lists = [tool["rows"], tool.get("needs", []), tool.get("schemes", ["all"])]
    texts = [tool["is"], *map(", ".join, lists), tool.get("source", "")]
    return f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td>{escape(text)}</td>" for text in texts)}</tr>'


def group(name, cases, tools):
    rows = [case_row(case, tools) for case in cases if case["group"] == name]
    return f"""<details><summary>{name}: {len(rows)} cases</summary><div class="wide"><table>
<thead>{heads(["Case", "Page", "Links", "Rule", "Wrong"])}</thead><tbody>{"".join(rows)}</tbody></table></div></details>"""


def heads(names):
    return "<tr>" + "".join(f'<th scope="col">{name}</th>' for name in names) + "</tr>"


def html(cases, groups, rows, document):
    tools = document["tools"]
    title = lambda name: f'<th scope="row">{escape(name)} {escape(tools[name]["version"])}</th>'
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Which links does this page have?</title><style>{STYLE}</style></head><body><main>
<h1>Which links does this page have?</h1>
<p>{document["cases"]} pages, the links that they have by the standards of HTML, URLs, CSS, SVG and XML, each checked in Chromium, and what
{len(tools)} tools find. Made on {document["date"]}.</p>
<div class="wide"><table class="numbers">
<caption>Cases in which a tool finds all links that it claims to find, and no others, of those it claims</caption>
<thead>{heads(["Tool", *groups, "all"])}</thead>
<tbody>{"".join(f"<tr>{title(name)}{''.join(map(number, counts))}</tr>" for name, counts in rows)}</tbody></table></div>
<h2>How tools are judged</h2>
<p>A tool is asked only for what it claims: for the elements and attributes of which it finds the plainest link, for the schemes that
it says it takes, for XHTML and SVG files if it takes them, and for pages in other character encodings only if it takes bytes, or the
charset that HTTP says. Its URLs are compared as a browser reads them: one that is not encoded, but means the same, is right. What a tool finds elsewhere is not counted.</p>
<div class="wide"><table><caption>What each tool claims</caption>
<thead>{heads(["Tool", "Used", "Elements and attributes", "Other needs", "Schemes", "From"])}</thead>
<tbody>{"".join(tool_row(*tool) for tool in tools.items())}</tbody></table></div>
<h2>The cases</h2>
{"".join(group(name, cases, tools) for name in groups)}
</main></body></html>
"""
