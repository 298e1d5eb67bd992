# SPDX-License-Identifier: Apache-2.0
"""What all results have alike: they show themselves, and carry their record and their hash."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import makespan

PUBLIC = {name: getattr(makespan, name) for name in makespan.__all__}
RUNS = [
    *PUBLIC.values(),
    *(one for kind in PUBLIC.values() if inspect.isclass(kind) for one in vars(kind).values()),
]
RESULTS = sorted(
    {
        str(inspect.signature(inspect.unwrap(run)).return_annotation).removesuffix(" | None")
        for run in RUNS
        if hasattr(run, "__settings__")
    }
    - {"list[Result]"}
)
"""Of functions and methods that are told settings; `map` gives a list."""
NO_HASH = {"MachineResult": "measured anew, figures are never the same"}
NOT_OF_MAKESPAN = {"Any", "Mapping", "NDArray", "DataFrame", "Sequence", "None", "Result"}
NAMED_BY_NOBODY = {"Number"}
"""What an update is called with: docs/how-to/own-equations.md has what it can do."""
OF_VALUES_ALONE = {"SimulatedBag", "SimulatedGrid"}
"""Without tables, so that two of them can be compared."""
SIMULATED = {
    "grid": {"points": [8, 8, 32], "steps": 2},
    "kind": {"cpu": {"points_per_s": 1e6}},
    "node": [{"devices": ["cpu"]}],
}


def test_results_are_public() -> None:
    assert set(RESULTS) <= set(PUBLIC)
    assert {name for name in PUBLIC if name.endswith("Result")} <= set(RESULTS)


def test_classes_that_public_names_give_are_public() -> None:
    """Of returned values, and of fields of results."""
    texts = [
        str(inspect.signature(inspect.unwrap(run)).return_annotation)
        for run in RUNS
        if inspect.isfunction(run)
    ]
    texts += [str(one.type) for name in RESULTS for one in fields(PUBLIC[name])]
    words = {word for text in texts for word in re.findall(r"\b[A-Z]\w+", text)}

    assert {"Grid", "Frame"} <= words
    assert words - set(PUBLIC) - NOT_OF_MAKESPAN == NAMED_BY_NOBODY


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_shows_itself_and_has_its_record(name: str) -> None:
    kind = PUBLIC[name]
    names = {*dir(kind), *kind.__dataclass_fields__}

    assert "_repr_html_" in names
    assert "record" in names
    assert ("hash" in names) == (name not in NO_HASH)


@pytest.mark.parametrize("name", sorted(set(RESULTS) - OF_VALUES_ALONE))
def test_results_are_compared_by_which_they_are(name: str) -> None:
    """Tables in them have no truth value; `hash` says whether two results are the same."""
    assert PUBLIC[name].__eq__ is object.__eq__


def test_a_simulated_grid_shows_its_cases_and_a_step() -> None:
    found: Any = makespan.simulate_grid(SIMULATED, sweep="steps=2,3")

    shown = found._repr_html_()

    assert shown.count("<tr>") == 2 + 2 or "shape: (2," in shown
    assert "1 device: a step takes 2.048 ms, 1.0000 of what" in shown
    assert found.hash == found.record["result_hash"]
    assert found.others[0].hash is None
    assert "a step takes" in found.others[0]._repr_html_()


def test_hashes_are_those_of_the_record() -> None:
    graph = {"work": [1.0, 2.0, 3.0], "place": [0, 0, 1]}
    found: Any = makespan.balance(graph, places=2, balancer="greedy,random", phases=3)
    by_name = {one["name"]: one["mapping_hash"] for one in found.record["balancers"]}

    assert found.hash == by_name[found.best]
    played = {one["balancer"]: one["mapping_hash"] for one in found.record["phases"]}
    assert {name: one.hash for name, one in found.phases.items()} == played


def test_grids_have_the_record_that_is_written(tmp_path: Any) -> None:
    path = tmp_path / "record.json"
    values = np.arange(60.0).reshape(3, 4, 5)
    found: Any = makespan.diffuse(values, steps=2, record=path)

    assert makespan.diffuse(values, steps=0).hash == found.record["first_values_hash"]  # type: ignore[union-attr]
    assert found.record["run"]["result_hash"] == found.hash
    assert json.loads(path.read_text()) == found.record
    assert makespan.diffuse(points=[3, 4, 5], steps=0).record["first_values_hash"] is None  # type: ignore[union-attr]


def test_a_machine_has_its_record() -> None:
    found: Any = makespan.machine(synthetic="package:1 core:2 pu:1")

    assert found.record["format"] == "makespan machine record"
    assert found.record["source"] == found.source
