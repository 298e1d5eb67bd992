# SPDX-License-Identifier: Apache-2.0
"""What makespan starts runs no code of the folder where the user stands."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from makespan.base.errors import MakespanError
from makespan.base.own_python import python_command
from makespan.pricing.book.parquet_file import read_parquet_by_polars
from makespan.sim.subprocess_run import answer

RUN_S_MAX = 60
MODULES = ("json", "makespan", "polars", "io", "typing", "sitecustomize")


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder full of modules that leave a file behind when they run."""
    folder = tmp_path / "here"
    folder.mkdir()
    for module in MODULES:
        (folder / f"{module}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').close()\n")
    monkeypatch.chdir(folder)
    return tmp_path / "ran"


def simulate(_: Path) -> None:
    with pytest.raises(MakespanError):  # no such platform, or no simulator in this build
        answer({"platform": "nowhere.xml"})


def read_parquet(folder: Path) -> None:
    path = folder / "book.parquet"
    pl.DataFrame({"spot": [1.0]}).write_parquet(path)
    read_parquet_by_polars(path)


@pytest.mark.parametrize("start", [simulate, read_parquet])
def test_modules_of_the_current_folder_are_left_alone(
    start: Callable[[Path], None], tmp_path: Path, trap: Path
) -> None:
    start(tmp_path)

    assert not trap.exists()


@pytest.mark.parametrize(
    ("flags", "kept"), [([], ["-P"]), (["-I"], ["-P", "-E", "-s"]), (["-E"], ["-P", "-E"])]
)
def test_what_this_python_leaves_out_the_other_does(flags: list[str], kept: list[str]) -> None:
    code = "from makespan.base.own_python import python_command; print(*python_command('x'))"
    ended = subprocess.run(
        [sys.executable, *flags, "-c", code],
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=True,
    )

    assert ended.stdout.split()[1:] == [*kept, "x"]


def test_every_python_is_started_by_it() -> None:
    """Method: the interpreter's path is asked for by nothing else, but for what tells it."""
    package = Path(sys.modules["makespan"].__file__ or "").parent
    telling = {package / "base" / "own_python.py", package / "doctor" / "package.py"}

    found = {one for one in package.rglob("*.py") if "sys.executable" in one.read_text()}

    assert found == telling
    assert python_command()[1] == "-P"
