# SPDX-License-Identifier: Apache-2.0
"""The version stands in pyproject.toml alone; all say the same, with and without the engine."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from makespan.base.engine import load_engine
from makespan.base.errors import NotConfiguredError
from makespan.cli import main

import makespan
from makespan.base import version as version_module

ROOT = Path(__file__).resolve().parents[2]
SAID = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "makespan._core", None)
    monkeypatch.delattr(makespan, "_core", raising=False)


def test_the_package_has_it() -> None:
    assert makespan.__version__ == SAID


def test_cmake_reads_it() -> None:
    if shutil.which("cmake") is None:
        pytest.skip("no cmake")
    script = ROOT / "cmake" / "MakespanVersion.cmake"

    ended = subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=True)

    assert ended.stderr.strip() == SAID


def test_cmake_hands_it_to_the_project_and_the_engine() -> None:
    """That `configuration().version` is PROJECT_VERSION, its CMakeLists.txt says."""
    project = (ROOT / "CMakeLists.txt").read_text()
    room = (ROOT / "src" / "makespan" / "base" / "CMakeLists.txt").read_text()

    assert re.search(r"^  VERSION \$\{MAKESPAN_VERSION\}$", project, re.MULTILINE)
    assert 'MAKESPAN_BUILD_VERSION=\\"${PROJECT_VERSION}\\"' in room


def test_the_engine_was_built_as_it() -> None:
    try:
        engine = load_engine()
    except NotConfiguredError as error:
        pytest.skip(str(error))

    assert engine.version() == engine.build_info()["version"] == SAID


@pytest.mark.usefixtures("no_engine")
def test_it_needs_no_engine(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(version_module, "_COMMIT_FILE", tmp_path / "_commit.txt")

    assert makespan.__version__ == SAID
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"makespan {SAID}\n"


@pytest.mark.usefixtures("no_engine")
def test_without_engine_the_source_distribution_tells_the_commit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    note = tmp_path / "_commit.txt"
    note.write_text("0123456789ab\n")
    monkeypatch.setattr(version_module, "_COMMIT_FILE", note)
    project = tmp_path / "pyproject.toml"
    project.write_text((ROOT / "pyproject.toml").read_text())
    monkeypatch.setattr(version_module, "_PROJECT_FILE", project)
    git = tmp_path / ".git"
    git.mkdir()
    assert version_module.commit() is None  # git knows better
    git.rmdir()

    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"makespan {SAID} (commit 0123456789ab)\n"


@pytest.mark.usefixtures("fake_engine")
def test_the_engine_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"makespan {SAID} (commit 0000000)\n"


def test_an_installed_package_asks_what_pip_noted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(version_module, "_PROJECT_FILE", tmp_path / "pyproject.toml")
    monkeypatch.setattr("importlib.metadata.version", lambda name: f"of {name}")

    assert makespan.__version__ == "of makespan"


def build_of(git: str, file: Path) -> str:
    engine = SimpleNamespace(
        version=lambda: "1.2", build_info=lambda: {"git": git}, __file__=str(file)
    )
    return version_module.engine_build(engine)


def test_a_commit_tells_builds_apart(tmp_path: Path) -> None:
    """The file need not be there: wheels of one commit for two Pythons are one build."""
    assert build_of("0123456789ab", tmp_path / "none.so") == "1.2 (0123456789ab)"


@pytest.mark.parametrize("git", ["unknown", "0123456789ab-dirty"])
def test_where_no_commit_tells_the_extension_itself_does(tmp_path: Path, git: str) -> None:
    one, same, other = (tmp_path / f"{name}.so" for name in ("one", "same", "other"))
    one.write_bytes(b"\x7fELF 1")
    same.write_bytes(b"\x7fELF 1")
    other.write_bytes(b"\x7fELF 2")

    assert build_of(git, one).startswith(f"1.2 ({git}, file ")
    assert build_of(git, one) == build_of(git, same) != build_of(git, other)
