# SPDX-License-Identifier: Apache-2.0
"""The sdist: what builds the wheel, nothing else, and the commit that it is of."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def git(*words: str) -> str:
    ended = subprocess.run(["git", *words], cwd=ROOT, check=False, capture_output=True, text=True)
    return ended.stdout.strip()


@pytest.mark.skipif(not git("rev-parse", "HEAD"), reason="this is no git repository")
def test_the_sdist_holds_what_builds_the_wheel_and_knows_its_commit(tmp_path: Path) -> None:
    script = ROOT / "tools" / "make_sdist.py"
    subprocess.run([sys.executable, script, tmp_path], check=True, capture_output=True)

    (archive,) = tmp_path.glob("makespan-*.tar.gz")
    with tarfile.open(archive) as tar:
        names = [name.partition("/")[2] for name in tar.getnames()]
        note = next(name for name in tar.getnames() if name.endswith("/.git_archival.txt"))
        content = tar.extractfile(note)
        assert content is not None
        commit = content.read().decode()

    assert f"commit: {git('rev-parse', 'HEAD')}" in commit
    assert {"CMakeLists.txt", "pyproject.toml", "LICENSE", "README.md"} <= set(names)
    assert "examples/book.csv" in names
    folders = {name.partition("/")[0] for name in names}
    assert not folders & {"tests", "bench", "docs", "tools", ".ci", "build", "Makefile"}
