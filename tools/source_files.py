# SPDX-License-Identifier: Apache-2.0
"""The repository's own files, and what they include. Shared by the checks in this folder."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


@dataclass(frozen=True)
class Include:
    """One `#include`: the line it stands on (from 1) and the header that it names."""

    line: int
    header: str


@dataclass(frozen=True)
class Finding:
    """Something against the rules: where, and what would be right."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        """Format as compilers do, so that editors can jump there."""
        return f"{self.path}:{self.line}: {self.text}"


def own_files(root: Path) -> list[Path]:
    """List the files that are in git or could be (not ignored), relative to `root`, sorted."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = (Path(name) for name in listed.split("\0") if name)
    return sorted({path for path in paths if (root / path).is_file()})


def includes_of(text: str) -> list[Include]:
    """Find every `#include` of a C++ source, also those that a preprocessor would skip."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        match = INCLUDE.match(line)
        if match:
            found.append(Include(number, match.group(1)))
    return found


def report(findings: list[Finding], what: str) -> int:
    """Print the findings and return the exit code: 0 when there are none."""
    for finding in findings:
        print(finding)
    if findings:
        print(f"{what}: {len(findings)} found")
    return 1 if findings else 0
