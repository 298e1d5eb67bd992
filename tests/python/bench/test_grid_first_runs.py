# SPDX-License-Identifier: Apache-2.0
"""First runs of new equations: each with an empty cache, then once more; what fails is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.case import Scale, read_table
from bench.grid import first_runs
from bench.json_rows import each_row
from bench.result import Outcome
from bench.runtime.program import ProgramError


def measured(monkeypatch: pytest.MonkeyPatch, run: Any) -> Outcome:
    monkeypatch.setattr(first_runs, "run_limited", run)
    outcome = Outcome()
    first_runs.measure(Path(), Scale.SMOKE, outcome)
    names = [row["name"] for row in each_row(read_table(first_runs.CASE, Scale.SMOKE)["row"])]
    assert sorted(row.name for row in outcome.rows) == sorted(names)
    return outcome


def test_the_first_run_has_an_empty_cache_and_the_second_what_it_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def run(command: list[str], _limit_s: float, environment: dict[str, str]) -> str:
        kept = Path(environment["XDG_CACHE_HOME"]) / command[-1]
        seconds = 0.5 if kept.exists() else 3.5 if command[-1] == "wave" else 2.5
        kept.touch()
        return json.dumps({"seconds": seconds})

    outcome = measured(monkeypatch, run)

    found = {row.name: (row.value, row.reached) for row in outcome.rows}
    assert found == {
        "gray_scott: first run of a new equation, compile and all": (2.5, True),
        "wave: first run of a new equation, compile and all": (3.5, False),
        "gray_scott: run of an equation that was compiled before": (0.5, None),
        "wave: run of an equation that was compiled before": (0.5, None),
    }


def test_an_equation_that_does_not_run_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], _limit_s: float, environment: dict[str, str]) -> str:
        if command[-1] == "wave":
            msg = "no compiler\nat all"
            raise ProgramError(msg)
        return json.dumps({"seconds": 1.0})

    outcome = measured(monkeypatch, run)

    assert set(outcome.left_out.values()) == {"no compiler"}
    assert all(name.startswith("wave") for name in outcome.left_out)
    assert [row.value for row in outcome.rows if row.value is not None] == [1.0, 1.0]
