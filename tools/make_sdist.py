# SPDX-License-Identifier: Apache-2.0
"""Makes an sdist of the last commit: what `git archive` gives, so that it knows its commit.

python3 tools/make_sdist.py FOLDER
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from scikit_build_core import build as backend

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Print the file that was made."""
    target = Path(sys.argv[1]).resolve()
    changed = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=no"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    if changed:
        print(
            "make_sdist: not in the sdist (they are not committed):",
            changed,
            sep="\n",
            file=sys.stderr,
        )
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, "sources.tar")
        subprocess.run(["git", "archive", "--output", archive, "HEAD"], cwd=ROOT, check=True)
        sources = Path(folder, "sources")
        sources.mkdir()
        subprocess.run(["tar", "-xf", archive, "-C", sources], check=True)
        os.chdir(sources)
        target.mkdir(parents=True, exist_ok=True)
        print(target / backend.build_sdist(str(target)))


if __name__ == "__main__":
    main()
