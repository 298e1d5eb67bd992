# SPDX-License-Identifier: Apache-2.0
"""`makespan.simulate_phases`: graphs and places as columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import makespan

PLACES: dict[str, Any] = {
    "speed": [1.0, 1.0, 2.0],
    "domain": [0, 0, 1],
    "node": [0, 1],
    "latency_s": [[1e-6, 1e-3], [1e-3, 1e-6]],
    "bandwidth_bytes_s": [[1e9, 1e6], [1e6, 1e9]],
}
SILENT: dict[str, Any] = {"work": [1.0] * 8, "place": [0] * 8}


def test_work_is_spread_by_speed() -> None:
    """Speeds are learned from what moves, as in a run."""
    many = {"work": [1.0] * 48, "place": [0] * 48}

    ran = makespan.simulate_phases(many, PLACES, phases=30)

    assert ran.phases["time_s"][0] == 48.0
    assert ran.phases["time_s"][-1] == 12.0
    assert ran.ideal_s == pytest.approx(360.0)
    assert np.bincount(ran.mapping).tolist() == [12, 12, 24]
    columns = ("time_s", "look_s", "migrate_s")
    assert ran.total_s == pytest.approx(sum(ran.phases[name].sum() for name in columns))


def test_never_leaves_all_as_it_is() -> None:
    ran = makespan.simulate_phases(SILENT, PLACES, phases=5, when="never")

    assert ran.phases["time_s"].to_list() == [8.0] * 5
    assert ran.mapping.tolist() == [0] * 8
    assert ran.phases["look_s"].sum() == 0.0


def test_receivers_pay_for_messages_between_domains() -> None:
    talking = {
        "work": [1.0, 1.0],
        "place": [0, 2],
        "from": [0],
        "to": [1],
        "messages": [10.0],
        "edge_bytes": [1e6],
    }
    one_node = {**PLACES, "node": [0, 0]}

    near = makespan.simulate_phases(talking, one_node, phases=1, when="never")
    far = makespan.simulate_phases(talking, PLACES, phases=1, when="never")

    # Half a second of work there, ten latencies of a millisecond and a second of bytes.
    assert near.phases["time_s"].to_list() == [pytest.approx(0.5 + 0.01 + 1.0)]
    # Between nodes the link takes the bytes, once a mean object has worked: three places do four of
    # them in a second.
    assert far.phases["time_s"].to_list() == [pytest.approx(1.0 + 3 / 4)]


def test_a_phase_takes_as_long_as_the_link_between_nodes() -> None:
    talking = {
        "work": [1.0, 1.0],
        "place": [0, 2],
        "from": [0, 1],
        "to": [1, 0],
        "messages": [1.0, 1.0],
        "edge_bytes": [3e6, 2e6],
    }

    ran = makespan.simulate_phases(talking, PLACES, phases=1, when="never")

    # Both ways at the same time, once a mean object has worked.
    assert ran.phases["time_s"].to_list() == [pytest.approx(3.0 + 3 / 4)]


def test_fixed_objects_stay_and_sizes_are_paid() -> None:
    graph = {**SILENT, "fixed": [1, 1, 1, 0, 0, 0, 0, 0], "bytes": [1e6] * 8}

    ran = makespan.simulate_phases(graph, PLACES, phases=20, when=5)

    assert ran.mapping[:3].tolist() == [0, 0, 0]
    assert ran.phases["moved_bytes"].sum() == 1e6 * ran.phases["moved"].sum()
    # Each that goes to the other domain is a second on its way.
    far = int((ran.mapping == 2).sum())
    assert ran.phases["migrate_s"].sum() > 0.99 * far


def test_a_place_that_takes_longer_and_growth(tmp_path: Path) -> None:
    still: dict[str, Any] = {"phases": 3, "when": "never"}

    slowed = makespan.simulate_phases(SILENT, PLACES, perturb=["slow:0@1:4"], **still)
    grown = makespan.simulate_phases(SILENT, PLACES, growth=(0.5, 1.0), **still)

    assert slowed.phases["time_s"].to_list() == [8.0, 32.0, 32.0]
    assert grown.phases["time_s"].to_list() == [8.0, 12.0, 18.0]


def test_its_record_knows_the_graph_and_its_end(tmp_path: Path) -> None:
    path = tmp_path / "record.json"

    ran = makespan.simulate_phases(SILENT, PLACES, phases=20, record=path)

    written = json.loads(path.read_text())
    assert written == ran.record
    assert written["graph"]["objects"] == 8
    assert written["settings"]["phases"] == 20
    assert written["result"]["total_s"] == ran.total_s
    assert "20 phases by makespan" in ran._repr_html_()


def test_a_graph_file_is_read() -> None:
    stencil = Path(__file__).resolve().parents[2] / "examples" / "graph" / "stencil.json"
    places = {
        "speed": [1.0] * 8,
        "domain": [0] * 8,
        "node": [0],
        "latency_s": [1e-6],
        "bandwidth_bytes_s": [1e10],
    }

    ran = makespan.simulate_phases(stencil, places, phases=10)

    assert len(ran.mapping) == 64
    assert ran.phases.height == 10


def test_numbers_of_numpy_count_phases() -> None:
    ran = makespan.simulate_phases(SILENT, PLACES, phases=np.int64(3))  # type: ignore[arg-type]

    assert ran.phases.height == 3


@pytest.mark.parametrize(
    ("graph", "places", "settings", "words"),
    [
        ({"work": [1.0]}, PLACES, {}, "graph: no column place"),
        ({**SILENT, "wurk": [1.0]}, PLACES, {}, "graph: column 'wurk' is unknown"),
        (SILENT, {"speed": [1.0]}, {}, "places: no column domain"),
        ({**SILENT, "place": [9] * 8}, PLACES, {}, "9"),
        (SILENT, PLACES, {"balancer": "gready"}, "gready"),
        (SILENT, PLACES, {"balancer": "greedy,rotate"}, "greedy,rotate"),
        (SILENT, PLACES, {"noise": -1.0}, "noise=-1.0 cannot be used (default 0.0)"),
        (SILENT, PLACES, {"when": 0}, "when=0 cannot be used"),
        (SILENT, PLACES, {"phases": 0}, "phases=0 cannot be used"),
        (SILENT, PLACES, {"phases": None}, "phases=None cannot be used"),
        (SILENT, None, {}, "places=None cannot be used: give columns"),
        (SILENT, [1], {}, "places=[1] cannot be used: give columns"),
        (SILENT, pl.DataFrame(PLACES["speed"]), {}, "places: column 'column_0' is unknown"),
        (None, PLACES, {}, "graph=None cannot be used: give the path of a file"),
        (SILENT, PLACES, {"perturb": ["slow:3@0:2"]}, "place 3 (the places of the machine are 0"),
        (SILENT, PLACES, {"growth": (10**400, 0.5)}, "cannot be used: give the rate of a phase"),
        (SILENT, PLACES, {"growth": (0.1, 2)}, "growth=[0.1, 2] cannot be used"),
        ({**SILENT, "place": [-1] * 8}, PLACES, {}, "column place"),
        ({**SILENT, "place": [0.5] * 8}, PLACES, {}, "column place"),
        ({**SILENT, "bytes": [1.0]}, PLACES, {}, "column bytes has 1 values, and there are 8"),
        ({**SILENT, "work": ["a"] * 8}, PLACES, {}, "column work (no array of numbers)"),
    ],
)
def test_bad_input_is_named(graph: Any, places: Any, settings: Any, words: str) -> None:
    with pytest.raises(makespan.InputError) as caught:
        makespan.simulate_phases(graph, places, **{"phases": 3, **settings})

    assert words in str(caught.value)
