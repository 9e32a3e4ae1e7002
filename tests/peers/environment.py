"""Virtual environments for the scripts beside this file; they live in target/."""

import os, subprocess, sys
from pathlib import Path


def enter(name, packages):
    """Runs the script again in an environment that has the packages; where none can be made, says so and ends."""
    if sys.version_info < (3, 8):
        print("skipped: this Python is too old")
        sys.exit(0)
    venv = Path(__file__).resolve().parents[2] / "target" / name
    if Path(sys.prefix) == venv:
        return
    python = venv / ("Scripts" if os.name == "nt" else "bin") / "python"
    ready = venv / "ready"
    if not ready.exists() or ready.read_text() != " ".join(packages):
        try:
            subprocess.run([sys.executable, "-m", "venv", venv], check=True, capture_output=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"skipped: no environment for Python: {error}")
            sys.exit(0)
        ready.write_text(" ".join(packages))
    sys.exit(subprocess.run([python, *sys.argv]).returncode)


def also(packages):
    """Reports whether the environment has more packages, which are installed if they are missing; says so if they cannot be."""
    ready = Path(sys.prefix) / ("ready-" + "-".join(packages).replace("==", "-"))
    if not ready.exists():
        try:
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *packages], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            print(f"skipped: {' '.join(packages)} cannot be installed")
            return False
        ready.touch()
    return True
