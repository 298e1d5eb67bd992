# SPDX-License-Identifier: Apache-2.0
"""`tools/test_all.py`: parts that there are, and a failure that is seen without ending the rest."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "test_all.py"

MAKEFILE = """
test lint:
\t@echo out of $@

docs:
\t@echo broken >&2; false
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def parts_in(folder: Path) -> dict[str, bool]:
    report = json.loads((folder / "build" / "test-all" / "report.json").read_text())
    return {part["name"]: part["passed"] for part in report["parts"]}


def test_each_part_is_a_target_of_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    parts = {line.split()[0] for line in run(ROOT, "--list").stdout.splitlines()}

    assert len(parts) > 10
    assert parts <= targets
    assert {"torture", "crash-states", "fuzz", "fuzz-book"} <= parts


def test_a_part_that_fails_is_named_and_does_not_end_the_others(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE)

    ended = run(tmp_path, "test", "docs", "lint")

    assert ended.returncode == 1
    said = [line.split()[:2] for line in ended.stdout.splitlines()]
    assert said == [["test", "passed"], ["docs", "FAILED"], ["lint", "passed"]]
    out = tmp_path / "build" / "test-all"
    assert (out / "lint.log").read_text() == "out of lint\n"
    assert "broken" in (out / "docs.log").read_text()
    assert parts_in(tmp_path) == {"test": True, "docs": False, "lint": True}


def committed(folder: Path) -> None:
    """Makes the folder a repository with one commit, in which `build` is ignored."""
    (folder / ".gitignore").write_text("build/\n")
    who = ("-c", "user.name=test", "-c", "user.email=test@localhost")
    for command in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "one")):
        subprocess.run(["git", *command], cwd=folder, check=True, timeout=60)


def test_runs_of_one_commit_add_up_and_what_is_left_is_run(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE)
    committed(tmp_path)
    run(tmp_path, "lint")
    run(tmp_path, "docs")
    assert parts_in(tmp_path) == {"lint": True, "docs": False}

    ended = run(tmp_path, "--left", "test", "docs", "lint")

    assert [line.split()[0] for line in ended.stdout.splitlines()] == ["test", "docs"]
    assert parts_in(tmp_path) == {"test": True, "lint": True, "docs": False}


def test_what_another_tree_passed_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE)
    committed(tmp_path)
    run(tmp_path, "lint")
    (tmp_path / "Makefile").write_text(MAKEFILE.replace("test lint:", "test lint swarm:"))

    run(tmp_path, "--left", "lint", "swarm")
    assert parts_in(tmp_path) == {"lint": True, "swarm": True}
    run(tmp_path, "test")

    assert parts_in(tmp_path) == {"test": True}


@pytest.mark.parametrize("arguments", [("tests",), ("test", "Lint")])
def test_an_unknown_part_is_refused_before_anything_runs(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE)

    ended = run(tmp_path, *arguments)

    assert ended.returncode == 1
    assert "no part" in ended.stderr
    assert ended.stdout == ""
