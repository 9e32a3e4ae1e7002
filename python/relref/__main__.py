"""`python -m relref`: runs the command relref, which the package does not contain."""

import os
import shutil
import subprocess
import sys
import sysconfig


def main() -> None:
    # Beside this Python, too: its environment need not be active.
    command = shutil.which("relref") or shutil.which("relref", path=sysconfig.get_path("scripts"))
    if command is None:
        sys.exit(
            "the command relref is not installed: this is its package for Python. In a checkout of relref, "
            "`cargo install --path crates/cli` makes it; `import relref` needs no command"
        )
    if os.name == "nt":
        sys.exit(subprocess.run([command, *sys.argv[1:]]).returncode)
    os.execv(command, [command, *sys.argv[1:]])


if __name__ == "__main__":
    main()
