# SPDX-License-Identifier: Apache-2.0
"""The comparison of own equations with peers: what is compared, left out, and called best."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.case import Scale, read_table
from bench.grid import equations
from bench.json_rows import each_row
from bench.peers import grid_problems
from bench.result import Outcome

SUM = 1000.0


class FakePrograms:
    """Contestants whose speed grows with the steps at once, up to three."""

    def __init__(self, build: Path, limit_s: float) -> None:
        pass

    def sweeps(self, problem: str, _points: list[int], words: list[str]) -> dict[str, Any]:
        if "check" in words:
            return {"compiled": [{"sum": SUM, "same_bits": 1}], "by hand": [{"same_bits": 1}]}
        names = [word.removeprefix(f"{problem} ") for word in words[2:]]
        return {name: [{"points_per_s": 10.0 + self.steps(name), "share": 0.9}] for name in names}

    @staticmethod
    def steps(name: str) -> int:
        return next((steps for steps in (2, 3) if f"{steps} steps" in name), 1)

    def engine(self, *words: Any) -> dict[str, Any]:
        return {"engine": [{"sum": SUM} if words[-1][1] == 0 else {"points_per_s": 12.0}]}

    def mpi(self, *words: Any) -> dict[str, Any]:
        timed = {"points_per_s": 6.0, "block": 16.0}
        return {"MPI + OpenMP": [{"sum": SUM} if words[-1][1] == 0 else timed]}


class FakeWorker:
    def __init__(self, found: float) -> None:
        self.found = found

    def run(self, request: str) -> dict[str, float]:
        return {"sum": self.found} if request.startswith("check") else {"points_per_s": 5.0}


@pytest.fixture
def outcome(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Outcome:
    @contextlib.contextmanager
    def peers(threads: int, limit_s: float) -> Iterator[dict[str, FakeWorker]]:
        yield {"Devito": FakeWorker(SUM * (1 + 1e-8)), "PyStencils": FakeWorker(SUM + 1)}

    monkeypatch.setattr(equations, "Programs", FakePrograms)
    monkeypatch.setattr(equations, "python_peers", peers)
    monkeypatch.setattr(equations, "PEERS_PYTHON", Path(__file__))
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    found = Outcome()
    equations.measure(tmp_path, Scale.SMOKE, found)
    return found


def test_every_row_has_a_figure_or_a_reason(outcome: Outcome) -> None:
    rows = list(each_row(read_table(equations.CASE, Scale.SMOKE)["row"]))

    assert len({row["name"] for row in rows}) == len(rows)
    assert {row.name for row in outcome.rows} == {row["name"] for row in rows}


def test_a_peer_that_computes_something_else_is_left_out(outcome: Outcome) -> None:
    compared = {row.compared_to for row in outcome.rows if row.compared_to}

    assert any(name.endswith("Devito") for name in compared)
    assert not any(name.endswith("PyStencils") for name in compared)
    reasons = {name: why for name, why in outcome.left_out.items() if "PyStencils" in name}
    assert reasons
    assert all("computes another problem" in why for why in reasons.values())
    assert set(outcome.left_out) == set(reasons)


def test_best_is_the_fastest_number_of_steps_at_once(outcome: Outcome) -> None:
    rows = {row.name: row for row in outcome.rows}

    assert rows["diffusion, 2 threads: steps at once that are fastest"].value == 3
    assert rows["diffusion, 2 threads: best of steps at once, against Devito"].ratio == 13 / 5
    assert rows["diffusion, 2 threads: one step at a time, against Devito"].ratio == 11 / 5
    assert rows["wave, 1 x 2: the engine, one step at a time, against MPI + OpenMP"].ratio == 2


def test_sums_tell_points_that_changed_places() -> None:
    (values,) = grid_problems.first_values("diffusion", (4, 5, 6))

    right = grid_problems.weighted_sum([values])

    assert values[3, 4, 5] == (7 * 5 + 13 * 4 + 29 * 3) % 64 / 64
    assert right == pytest.approx(
        sum(
            (1 + (3 * x + 5 * y + 11 * z) % 17) * values[z, y, x]
            for z in range(4)
            for y in range(5)
            for x in range(6)
        )
    )
    assert grid_problems.weighted_sum([np.flip(values, 0)]) != pytest.approx(right)
