# SPDX-License-Identifier: Apache-2.0
"""A sixth application is one folder and one line in the list of commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from job_programs import needs_mpi, run_program
from makespan.cli import main
from makespan.cli.commands import COMMANDS
from sixth_application.api import pi

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "sixth_application"


@pytest.fixture(autouse=True)
def in_the_list(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(COMMANDS, "pi", ("sixth_application.command", "Estimate pi."))
    monkeypatch.chdir(tmp_path)


def test_it_is_a_command_as_the_others_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "pi        Estimate pi." in capsys.readouterr().out
    assert main(["pi", "--example"]) == 0
    Path("in.toml").write_text(capsys.readouterr().out)
    assert main(["pi", "in.toml", "--darts", "500", "-o", "pi.json"]) == 0
    said = capsys.readouterr().out
    assert "(4000 darts)" in said

    assert json.loads(Path("pi.json").read_text())["darts"] == 4000
    assert main(["pi", "in.toml", "--darts", "500", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown == json.loads(Path("pi.json").read_text())
    assert 3.0 < shown["pi"] < 3.3


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["pi", "--darts", "0"], "--darts 0 cannot be used: give a whole number of at least 1"),
        (["pi", "--batches", "many"], "--batches many cannot be used"),
        (["pi", "no.toml"], "no.toml"),
        (["pi", "--dart", "3"], "no such option"),
    ],
)
def test_its_values_are_checked(
    arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert text in capsys.readouterr().err


def test_its_files_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.toml").write_text("[run]\nbatches = 2\ndarts = -1\n")

    assert main(["pi", "in.toml"]) == 2

    assert "in.toml, line 3: [run] darts = -1 cannot be used (default 1000)" in (
        capsys.readouterr().err
    )


def test_it_is_a_function_as_the_others_are() -> None:
    whole = pi(darts=500)
    assert whole is not None
    assert whole == pi(darts=500, threads=1)
    assert f"{whole.pi:.6f} (4000 darts)" in whole._repr_html_()
    assert "- `darts`: Of each batch (default 1000)." in (pi.__doc__ or "")


@needs_mpi
def test_under_a_launcher_it_runs_once(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(HERE)!r})\n"
        "from sixth_application.api import pi\n"
        "found = [r and r.darts for r in (pi(darts=50), pi(darts=50, gather='all'))]\n"
        "print(f'{found}\\n', end='', flush=True)  # in one write: the lines of images mix\n"
    )
    printed = run_program(tmp_path, code, 3)
    assert sorted(re.findall(r"\[.*?\]", printed)) == [
        *("[400, 400]", "[None, 400]", "[None, 400]")
    ]


def test_it_is_small() -> None:
    lines = sum(len(path.read_text().splitlines()) for path in FOLDER.glob("*.py"))
    assert lines < 185
