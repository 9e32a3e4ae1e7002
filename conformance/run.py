#!/usr/bin/env python3
"""Shows which tools find the links of the cases.

    conformance/run.py [--tools NAME,…] [--command COMMAND]

Installs the tools in target/conformance the first time, runs each on every case, prints a table and writes results.html and
results.json there. A tool that cannot be installed is skipped, with the reason. --command runs one of your own, alone: it is called
with the file of a page, the page's URL, the charset that HTTP says, which may be empty, and the page's media type, and prints a link
a line: element, attribute and URL with tabs between them, or a URL alone. Exits with 1 if relref, or your command, is wrong anywhere.
"""

import argparse, base64, concurrent.futures, datetime, json, shlex, subprocess, sys, tempfile
from pathlib import Path

import corpus

sys.path.append(str(corpus.FOLDER / "tools"))

import tools  # noqa: E402

SORTS = {" ".join(key): sort for key, sort in corpus.attributes().items()}
ALL_NEEDS = {"charset", "meta", "bom", "utf-16", "query", "no-scripts", "xhtml", "svg", "recover"}
ENDINGS = {"application/xhtml+xml": "xhtml", "image/svg+xml": "svg"}


def run_tool(name, cases):
    """The version of a tool and its answers by the ids of cases, or the reason why it is skipped."""
    try:
        version, command = tools.TOOLS[name](json.dumps(SORTS))
    except (tools.Skipped, OSError, StopIteration) as why:
        return None, str(why)
    lines = ""
    for case in cases:
        page = base64.b64encode(case["bytes"]).decode()
        lines += json.dumps({**{field: case[field] for field in ["id", "url", "charset", "type"]}, "page": page}) + "\n"
    result = subprocess.run([*map(str, command)], input=lines, capture_output=True, text=True)
    answers = {answer["id"]: answer for answer in map(json.loads, result.stdout.splitlines())}
    if len(answers) < len(cases):
        return None, f"the adapter ended early: {result.stderr.strip().splitlines()[-1:]}"
    return version, answers


def run_command(command, cases):
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            page = Path(folder) / f"page.{ENDINGS.get(case['type'], 'html')}"
            page.write_bytes(case["bytes"])
            arguments = [page, case["url"], case["charset"] or "", case["type"]]
            result = subprocess.run([*shlex.split(command), *arguments], capture_output=True)
            rows = [line.split("\t") for line in result.stdout.decode("utf-8", "replace").splitlines() if line]
            if all(len(row) == 3 for row in rows):
                answers[case["id"]] = {"links": rows}
            else:
                answers[case["id"]] = {"urls": [row[-1] for row in rows]}
    return answers


def normal(url):
    """A URL as the URL Standard serializes it, or None: what a browser makes of the answer of a tool."""
    import ada_url

    try:
        return ada_url.URL(url).href
    except ValueError:
        return None


def row(link):
    return ("*" if f"* {link[1]}" in SORTS else link[0], link[1])


class Judge:
    """Compares the answers of a tool with the cases, as far as the tool claims them."""

    def __init__(self, claim, cases, answers):
        self.needs, self.schemes = set(claim.get("needs", ALL_NEEDS)), claim.get("schemes")
        self.keeps_fragments = claim.get("fragments", True)
        # A row of the table is claimed by a tool that finds a link of it in the group that has the plainest form of each.
        self.rows = set()
        for case in cases:
            if case["group"] == "elements":
                found, has_rows = self.found(answers[case["id"]])
                for link in case["links"]:
                    if self.key(link, has_rows) in found:
                        self.rows.add(row(link))

    def url(self, url):
        url = normal(url)
        return url and (url if self.keeps_fragments else url.split("#")[0])

    def key(self, link, has_rows):
        return (*row(link), self.url(link[2])) if has_rows else self.url(link[2])

    def found(self, answer):
        """The links of an answer, or its URLs; and whether they are links."""
        if "urls" in answer:
            return {self.url(url) for url in answer["urls"]} - {None}, False
        return {self.key(link, True) for link in answer.get("links", []) if self.url(link[2])}, True

    def claims(self, link):
        return row(link) in self.rows and (not self.schemes or link[2].split(":")[0] in self.schemes)

    def verdict(self, case, answer):
        """("right" or "wrong" or "not claimed", why or what was found)."""
        lacking = set(case.get("needs", [])) - self.needs
        if lacking:
            return "not claimed", "needs " + ", ".join(sorted(lacking))
        if "not_run" in answer:
            return "not claimed", answer["not_run"]
        if not set(map(row, case.get("about", case["links"]))) & self.rows:
            return "not claimed", "attributes that it does not look at"
        claimed = [link for link in case["links"] if self.claims(link)]
        if case["links"] and not claimed:
            return "not claimed", "schemes that it does not take"
        if "error" in answer:
            return "wrong", answer["error"]
        found, has_rows = self.found(answer)
        if not has_rows:
            # Who fetches what he finds has the page itself.
            is_other = lambda link: self.url(link[2]).split("#")[0] != self.url(case["url"]).split("#")[0]
            claimed = list(filter(is_other, claimed))
        else:
            found = {key for key in found if " ".join(key[:2]) in SORTS}
        expected = {self.key(link, has_rows) for link in claimed}
        allowed = expected | {self.key(link, has_rows) for link in [*case["links"], *case.get("may", [])]}
        show = lambda keys: ", ".join(" ".join(key) if has_rows else key for key in sorted(keys))
        lacks, has = expected - found, found - allowed
        why = [f"lacks {show(lacks)}"] * bool(lacks) + [f"has {show(has)}"] * bool(has)
        return ("wrong", "; ".join(why)) if why else ("right", "")


def table(groups, results):
    """The rows of the table: a tool, and for each group and in all (right, claimed)."""
    for name, result in results.items():
        counts = []
        for group in [*groups, None]:
            verdicts = [verdict for case, verdict in result["verdicts"].items() if group in (None, groups_of[case])]
            right = sum(verdict[0] == "right" for verdict in verdicts)
            counts.append((right, right + sum(verdict[0] == "wrong" for verdict in verdicts)))
        yield name, counts


groups_of = {}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default=",".join(tools.TOOLS))
    parser.add_argument("--command")
    args = parser.parse_args()
    names = [name for name in tools.TOOLS if name in args.tools.split(",")]
    if unknown := set(args.tools.split(",")) - set(names):
        parser.error(f"no such tool: {', '.join(sorted(unknown))}")
    tools.enter(is_needed=bool(args.command))
    cases = list(corpus.cases())
    groups_of.update((case["id"], case["group"]) for case in cases)
    groups = list(dict.fromkeys(groups_of.values()))
    claims = json.loads((corpus.FOLDER / "tools" / "claims.json").read_text(encoding="utf-8"))
    if args.command:
        answers, claims = {args.command: ("", run_command(args.command, cases))}, {args.command: {"is": "your command"}}
    else:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = dict(zip(names, pool.map(lambda name: run_tool(name, cases), names)))
    results = {}
    for name, (version, answer) in answers.items():
        if version is None:
            print(f"skipped: {name}: {answer}")
            continue
        judge = Judge(claims[name], cases, answer)
        verdicts = {case["id"]: judge.verdict(case, answer[case["id"]]) for case in cases}
        results[name] = {"version": version, **claims[name], "rows": sorted(map(" ".join, judge.rows)), "verdicts": verdicts}
    width = max(map(len, results), default=4)
    print(" " * width, *(f"{group:>11}" for group in [*groups, "all"]))
    rows = list(table(groups, results))
    for name, counts in rows:
        print(f"{name:{width}}", *(f"{f'{right}/{claimed}' if claimed else '-':>11}" for right, claimed in counts))
    tools.TARGET.mkdir(parents=True, exist_ok=True)
    document = {"date": datetime.date.today().isoformat(), "cases": len(cases), "tools": results}
    (tools.TARGET / "results.json").write_text(json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8")
    import results as page

    (tools.TARGET / "results.html").write_text(page.html(cases, groups, rows, document), encoding="utf-8")
    must = args.command or ("relref" if "relref" in names else None)
    verdicts = results[must]["verdicts"] if must in results else {}
    has_failed = must is not None and not any(verdict == "right" for verdict, _ in verdicts.values())
    if has_failed:
        print(f"{must} found no links, or was not run")
    wrong = {case: why for case, (verdict, why) in verdicts.items() if verdict == "wrong"}
    for case, why in wrong.items():
        print(f"{case}: {why}")
    print(f"{len(cases)} cases, {len(results)} tools; results: {tools.TARGET / 'results.html'}")
    sys.exit(1 if wrong or has_failed else 0)


if __name__ == "__main__":
    main()
