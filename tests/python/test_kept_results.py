# SPDX-License-Identifier: Apache-2.0
"""What a run has found is not lost where only a file of it cannot be written at the end."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from makespan.files.atomic import _New
from small_books import plain_book
from with_simulator import needs_simulator

import makespan

GRAPH = {"work": [1.0, 2.0, 3.0], "place": [0, 0, 1], "from": [0], "to": [1]}
PLACES = {
    "speed": [1.0, 1.0],
    "domain": [0, 0],
    "node": [0],
    "latency_s": [1e-6],
    "bandwidth_bytes_s": [1e9],
}
MACHINE = {"kind": {"cpu": {"speed": 1.0}}, "node": [{"devices": ["2 cpu"]}]}
GRID = {
    "grid": {"points": [8, 8, 8]},
    "kind": {"cpu": {"points_per_s": 1e8}},
    "node": [{"devices": ["cpu"]}],
}


def spread(u: Any) -> dict[str, Any]:
    return {"u": u + 0.1 * u.laplacian()}


RUNS: dict[str, Callable[[Path], Any]] = {
    "price": lambda path: makespan.price(plain_book(3), paths=100, threads=1, record=path),
    "map": lambda path: makespan.map(abs, [1, -2], threads=1, record=path),
    "diffuse": lambda path: makespan.diffuse(np.ones((4, 4, 4)), steps=2, record=path),
    "grid": lambda path: makespan.grid(spread, {"u": np.ones((4, 4))}).run(2, record=path),
    "melt": lambda path: makespan.melt(
        steps=2, lattice_cells=[6, 6, 6], cells=[3, 3, 3], threads=1, record=path
    ),
    "melt's trajectory": lambda path: makespan.melt(
        steps=2,
        lattice_cells=[6, 6, 6],
        cells=[3, 3, 3],
        threads=1,
        output=path.with_suffix(".xyz"),
    ),
    "diffuse's table": lambda path: makespan.diffuse(
        np.ones((4, 4, 4)), steps=2, output=path.with_suffix("")
    ),
    "diffuse's picture": lambda path: makespan.diffuse(
        np.ones((4, 4, 4)), steps=2, slice_steps=2, output=path.with_suffix("")
    ),
    "grid's table": lambda path: makespan.grid(spread, {"u": np.ones((4, 4))}).run(
        2, output=path.with_suffix("")
    ),
    "grid's checkpoint": lambda path: makespan.grid(spread, {"u": np.ones((4, 4))}).run(
        2, checkpoint=path.with_suffix("")
    ),
    "calcium's table": lambda path: makespan.calcium(
        {"ca": np.ones((4, 4, 4))},
        layout="plain",
        duration=3e-4,
        ryr_open=[],
        threads=1,
        output=path.with_suffix(""),
    ),
    "balance": lambda path: makespan.balance(GRAPH, synthetic="core:2 pu:1", record=path),
    "phases": lambda path: makespan.simulate_phases(GRAPH, PLACES, phases=2, record=path),
    "simulate_grid": lambda path: makespan.simulate_grid(GRID, record=path),
    "machine": lambda path: makespan.machine(synthetic="core:2 pu:1", record=path),
}
SIMULATED = pytest.param(
    lambda path: makespan.simulate(MACHINE, tasks=9, record=path),
    id="simulate",
    marks=needs_simulator,
)


@pytest.mark.parametrize(
    "run", [*(pytest.param(run, id=name) for name, run in RUNS.items()), SIMULATED]
)
def test_an_error_of_the_last_file_has_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[[Path], Any]
) -> None:
    whole = run(tmp_path / "whole.json")

    syncs = _New.sync

    def fails(new: _New) -> None:
        if new.target.stem.endswith("0"):  # checkpoints and pictures of the first step
            return syncs(new)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(_New, "sync", fails)
    with pytest.raises(makespan.InputError, match=r"cannot write .*No space left") as caught:
        run(tmp_path / "record.json")

    assert type(caught.value.result) is type(whole)
    assert getattr(caught.value.result, "hash", None) == getattr(whole, "hash", None)
    if hasattr(whole, "kernel") or hasattr(whole, "values"):
        assert caught.value.result.table.equals(whole.table)
    assert getattr(caught.value.result, "record", None) or type(whole) is list
    assert not (tmp_path / "record.json").exists()
