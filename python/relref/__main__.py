"""`python -m relref`: runs the command relref, which the package does not contain."""

import os
import shutil
import subprocess
import sys

command = shutil.which("relref")
if command is None:
    sys.exit(
        "the command relref is not installed: this is its package for Python. In a checkout of relref, "
        "`cargo install --path crates/cli` makes it; `import relref` needs no command"
    )
if os.name == "nt":
    sys.exit(subprocess.run([command, *sys.argv[1:]]).returncode)
os.execv(command, [command, *sys.argv[1:]])
