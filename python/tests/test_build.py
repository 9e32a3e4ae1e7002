"""A build from source says that it needs Rust."""

import pathlib
import re
import subprocess
import sys

BACKEND = pathlib.Path(__file__).parents[1] / "build_backend"


def load(path, *folders):
    """Loads the build backend where only the folders in path have commands."""
    program = f"import sys; sys.path[:0] = {[str(folder) for folder in (BACKEND, *folders)]!r}; import relref_build; print(relref_build.build_wheel())"
    return subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, env={"PATH": str(path)}, timeout=60)


def cargo(folder, version):
    folder.mkdir()
    command = folder / "cargo"
    command.write_text(f"#!/bin/sh\necho 'cargo {version} (f2d3ce0bd 2024-01-01)'\n")
    command.chmod(0o755)
    return folder


def test_without_rust(tmp_path):
    done = load(tmp_path)
    assert done.returncode != 0
    assert done.stderr.startswith("error: relref is built from source here, which needs Rust 1.88 or later (https://rustup.rs)")
    assert done.stderr.count("\n") == 1


def test_with_old_rust(tmp_path):
    done = load(cargo(tmp_path / "old", "1.87.0"))
    assert done.returncode != 0
    assert "needs Rust 1.88 or later" in done.stderr
    assert "cargo 1.87.0" in done.stderr


def test_with_rust(tmp_path):
    (tmp_path / "maturin.py").write_text("def build_wheel():\n    return 'a wheel'\n")
    for version in ("1.88.0", "1.95.0-nightly", "2.0.1", "unknown"):
        done = load(cargo(tmp_path / version, version), tmp_path)
        assert (done.returncode, done.stdout) == (0, "a wheel\n"), done.stderr


def test_the_version_is_that_of_the_manifest():
    manifest = (BACKEND.parent / "Cargo.toml").read_text("utf-8")
    major, minor = re.search(r'^rust-version = "(\d+)\.(\d+)"', manifest, re.MULTILINE).groups()
    assert f"RUST = ({major}, {minor})" in (BACKEND / "relref_build.py").read_text("utf-8")
