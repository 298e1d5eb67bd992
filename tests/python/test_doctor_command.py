# SPDX-License-Identifier: Apache-2.0
"""`makespan doctor` as its user meets it: on a screen, piped, as JSON, without engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from makespan.cli import main
from makespan.doctor.examination import findings, gather
from makespan.doctor.finding import Finding, Status, ok
from makespan.doctor.table import doctor_text
from sound_machine import SOUND

import makespan

PYTHON = Path(makespan.__file__).resolve().parents[1]
"""Where the package under test is: a copy of the checkout's under a sanitizer."""
OK, WARNING, MISSING = Status.OK, Status.WARNING, Status.MISSING


@pytest.mark.parametrize("width", [60, 80, 200])
def test_lines_are_no_wider_than_the_screen(width: int) -> None:
    bad = Finding(WARNING, "a name", "found " * 20, "lost " * 20, "do this " * 10)

    text = doctor_text([*findings(SOUND), bad], prices=True, width=width, color=False)

    assert max(map(len, text.splitlines())) <= min(width, 120)
    assert text.endswith("makespan works here: 1 warning, 0 parts missing\n")
    assert "\033" not in text


def test_colours_are_for_terminals() -> None:
    text = doctor_text([ok("a", "b", "c")], prices=True, width=80, color=True)

    assert text.startswith("\033[32mok     \033[0m  a  b: c\n")
    assert text.endswith("makespan works here: nothing is missing\n")


def test_the_command_on_this_machine(tmp_path: Path) -> None:
    """Piped: no colours. The engine is here, so it prices.

    In a folder of a name that stdout cannot take: a document is one all the same.
    """
    folder = tmp_path / "für"
    folder.mkdir()
    command = [sys.executable, "-m", "makespan", "doctor"]
    environment = {**os.environ, "PYTHONPATH": str(PYTHON), "PYTHONIOENCODING": "ascii"}
    plain, as_json = (
        subprocess.run(
            [*command, *flags],
            env=environment,
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        for flags in ((), ("--json",))
    )

    document = json.loads(as_json.stdout)
    assert plain.stderr == ""
    assert "\033" not in plain.stdout
    for line in plain.stdout.splitlines():
        assert len(line) <= 80 or max(map(len, line.split())) > 50  # a path is not broken
    assert (document["format"], document["version"]) == ("makespan doctor", 1)
    for entry in document["findings"]:
        assert list(entry) == ["status", "name", "found", "meaning", "mend"]
        assert entry["name"] in plain.stdout
    found = {entry["name"]: entry for entry in document["findings"]}
    assert found["pricing"]["status"] == "ok"
    assert found["current folder"]["found"] == str(folder)


def test_without_engine_it_still_tells(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "makespan._core", None)
    monkeypatch.delattr(makespan, "_core", raising=False)

    assert main(["doctor"]) == 3
    said = capsys.readouterr().out
    assert "missing  engine" in said
    assert "makespan does not work here" in said
    assert gather().mpi.engine is None


def test_an_engine_that_prices_wrong_is_exit_code_4(
    capsys: pytest.CaptureFixture[str], fake_engine: object
) -> None:
    assert main(["doctor", "--json"]) == 4
    found = json.loads(capsys.readouterr().out)["findings"]
    priced = next(one for one in found if one["name"] == "pricing")
    assert priced["status"] == "warning"
