"""maturin's build backend, which first says clearly if there is no Rust, or an older one."""

import re
import shutil
import subprocess
import sys

# The `rust-version` of Cargo.toml.
RUST = (1, 88)


def check_rust() -> None:
    """Ends the build if cargo is missing or too old."""
    needs = f"relref is built from source here, which needs Rust {RUST[0]}.{RUST[1]} or later (https://rustup.rs)"
    if shutil.which("cargo") is None:
        sys.exit(f"error: {needs}: the command cargo was not found")
    said = subprocess.run(["cargo", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    version = re.match(r"cargo (\d+)\.(\d+)", said)
    if version is not None and (int(version[1]), int(version[2])) < RUST:
        sys.exit(f"error: {needs}: this is {said}")


# Each hook needs cargo. Without it, maturin would try to install Rust.
check_rust()

from maturin import *  # noqa: E402, F403
