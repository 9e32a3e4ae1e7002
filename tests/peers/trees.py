"""Trees of Markdown and HTML: documentation in packages of npm, crates.io, PyPI and Debian, of fixed versions."""

import os, shutil, subprocess, sys, tempfile
from pathlib import Path

# The name of a tree: its registry, the package, its version, and the folder of it that is the tree.
TREES = {
    "fastify": ("npm", "fastify", "5.12.8", ""),
    "undici": ("npm", "undici", "7.30.2", ""),
    "pino": ("npm", "pino", "10.4.0", ""),
    "npm": ("npm", "npm", "11.21.2", "docs"),
    "typescript-eslint": ("npm", "@typescript-eslint/eslint-plugin", "5.62.0", ""),
    "eslint-plugin-import": ("npm", "eslint-plugin-import", "2.32.0", ""),
    "cargo": ("crate", "cargo", "0.90.0", "src/doc"),
    "pyo3": ("crate", "pyo3", "0.30.1", ""),
    "python-markdown": ("pypi", "markdown", "3.11.3", "docs"),
    "debian-policy": ("deb", "debian-policy", "4.6.2.0", "usr/share/doc/debian-policy"),
    "git": ("deb", "git-doc", "1:2.39.5-0+deb12u3", "usr/share/doc"),
    "sqlite": ("deb", "sqlite3-doc", "3.40.1-2+deb12u2", "usr/share/doc/sqlite3"),
}


def fetch(name, folder):
    """Fetches a tree with the client of its registry; `None` if it cannot be had."""
    registry, package, version, below = TREES[name]
    place = folder / f"{name}-{version.replace(':', '_')}"
    if not place.exists():
        with tempfile.TemporaryDirectory(dir=folder) as new:
            new = Path(new)
            out = new / "out"
            out.mkdir()
            run = lambda *command: subprocess.run(command, cwd=new, check=True, capture_output=True, timeout=300).stdout
            try:
                if registry == "npm":
                    run("npm", "pack", "--silent", f"{package}@{version}")
                elif registry == "pypi":
                    run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", f"{package}=={version}")
                elif registry == "deb":
                    try:
                        run("apt-get", "download", f"{package}={version}")
                    except subprocess.CalledProcessError:
                        run("apt-get", "-o", "DPkg::Lock::Timeout=60", "update")
                        run("apt-get", "download", f"{package}={version}")
                    run("dpkg-deb", "-x", str(next(new.glob("*.deb"))), "out")
                elif registry == "crate":
                    run(os.environ.get("CARGO", "cargo"), "info", "--quiet", f"{package}@{version}")
                    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
                    found = next(home.glob(f"registry/src/*/{package}-{version}"))
                    shutil.copytree(found, out, dirs_exist_ok=True)
                for archive in [*new.glob("*.tgz"), *new.glob("*.tar.gz")]:
                    run("tar", "-xzf", archive.name, "-C", "out", "--strip-components", "1")
            except (OSError, subprocess.SubprocessError, StopIteration) as error:
                print(f"skipped: {name}: {package} {version} cannot be had: {error}", flush=True)
                return None
            out.rename(place)
    return place / below
