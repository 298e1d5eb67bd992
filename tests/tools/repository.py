# SPDX-License-Identifier: Apache-2.0
"""A git repository of a few lines, to plant violations in."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
LICENCE = "SPDX-License-Identifier: Apache-2.0\n"


def make_repository(folder: Path, files: dict[str, str]) -> Path:
    """Write `files` and the project's own rules into a new repository; return its root."""
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    (folder / "tools").mkdir()
    shutil.copy(PROJECT / "layers.toml", folder)
    rules = (PROJECT / "tools/tidy.toml").read_text(encoding="utf-8")
    # The exemptions name files of the real repository.
    table = rules.partition("[[exempt]]")[0]
    exemption = (
        '[[exempt]]\npaths = ["tools/tidy.toml"]\ncheck = "banned_word"\nreason = "the list"\n'
    )
    (folder / "tools/tidy.toml").write_text(table + exemption, encoding="utf-8")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
