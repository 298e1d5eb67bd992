# SPDX-License-Identifier: Apache-2.0
"""Memory as a limit: what objects take, blocks that they share, and mappings that keep to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from makespan.graph.balancing import Candidate, Comparison
from makespan.graph.graph_file import document_of, graph_from
from makespan.graph.read_graph import read_graph
from makespan.machines.place_source import KnownPlaces

import makespan

GRAPHS = Path(__file__).resolve().parents[1] / "data" / "graphs"
BALANCERS = "makespan,greedy,greedy_comm,refine,nuco,scotch,random"


def used_bytes(path: Path, mapping: Any, places: int) -> list[float]:
    """By place, counted from the file itself: LBAF's definition, object by object."""
    document = json.loads(path.read_text())
    objects, blocks = document["objects"], document["blocks"]["bytes"]
    used = list(document["places"]["used_bytes"])
    for place in range(places):
        here = [at for at, where in enumerate(mapping) if where == place]
        used[place] += sum(objects["footprint"][at] for at in here)
        used[place] += max((objects["working"][at] for at in here), default=0)
        used[place] += sum(blocks[one] for one in {objects["block"][at] for at in here})
    return used


def test_the_toy_problem_of_lbaf_is_balanced_perfectly_within_its_memory() -> None:
    path = GRAPHS / "ccm_toy.json"

    found = makespan.balance(path, places=4, memory_gb=8, balancer=BALANCERS)

    assert found is not None
    for row in found.candidates.iter_rows(named=True):
        if row["balancer"] == "now":
            continue
        used = used_bytes(path, row["mapping"], 4)
        assert max(used) <= 8e9, row["balancer"]
        assert row["fullest_memory"] == pytest.approx(max(used) / 8e9)
    assert found.best == "makespan"
    best = found.candidates.row(1, named=True)
    assert best["imbalance"] == pytest.approx(1.0, abs=1e-12)


def test_without_the_limit_the_toy_problem_would_take_more_than_there_is() -> None:
    """Or the test above would test nothing."""
    path = GRAPHS / "ccm_toy.json"

    found = makespan.balance(path, places=4, balancer="greedy")

    assert found is not None
    assert max(used_bytes(path, found.mapping, 4)) > 8e9
    assert "fullest_memory" not in found.candidates.columns


def test_the_case_of_the_papers_program_reaches_its_optimum() -> None:
    path = GRAPHS / "ccm_blocks.json"

    found = makespan.balance(path, places=4, memory_gb=36e-9, balancer="makespan")

    assert found is not None
    best = found.candidates.row(1, named=True)
    assert max(best["compute_s"]) == pytest.approx(2.0)
    assert max(used_bytes(path, best["mapping"], 4)) <= 36


def test_a_limit_that_binds_is_kept_and_costs_time() -> None:
    """Eight objects share a block by two; a place has room for two blocks, and one is fast."""
    graph = {
        "work": np.ones(8),
        "place": [0, 0, 1, 1, 2, 2, 1, 1],
        "block": np.arange(8) // 2,
        "block_bytes": np.full(4, 100.0),
    }
    flags = {"places": 3, "speeds": [100, 1, 1], "balancer": "makespan"}

    free = makespan.balance(graph, **flags)
    limited = makespan.balance(graph, memory_gb=200e-9, **flags)

    assert free is not None
    assert limited is not None
    assert set(free.mapping) == {0}
    blocks_at_0 = {one // 2 for one, place in enumerate(limited.mapping) if place == 0}
    assert len(blocks_at_0) == 2


@pytest.mark.parametrize(("part", "places"), [("node", 4), ("domain", 2), ("place", 1)])
def test_domains_and_nodes_have_memories_too(part: str, places: int) -> None:
    """The first place is a hundred times as fast, so that all would be there."""
    graph = {"work": np.ones(12), "place": np.zeros(12, dtype=int), "bytes": np.full(12, 10.0)}
    flags = {
        "synthetic": "numa:2 core:2 pu:1",
        "nodes": 2,
        "speeds": [100.0] * places + [1.0] * (8 - places),
        "balancer": "makespan",
    }
    each = {"node": 8, "domain": 4, "place": 3}[part]

    free = makespan.balance(graph, **flags)
    limited = makespan.balance(graph, memory_gb=10e-9 * each, memory_of=part, **flags)

    assert free is not None
    assert limited is not None
    assert np.sum(np.asarray(free.mapping) < places) == 12
    assert np.sum(np.asarray(limited.mapping) < places) == each


def candidate(name: str, phase_s: float, fullest: float) -> Candidate:
    nothing = np.zeros(0)
    quality = {"phase_s": phase_s, "fullest_memory": fullest}
    return Candidate(name, {}, nothing.astype(np.int32), quality, nothing, nothing, None)


def test_the_best_is_the_shortest_of_those_that_keep_to_the_limit() -> None:
    candidates = (
        candidate("now", 0.5, 0.1),
        candidate("short, and too much", 1.0, 1.2),
        candidate("long", 3.0, 0.2),
        candidate("shorter", 2.0, 0.99),
    )
    table = read_graph([GRAPHS / "ccm_blocks.json"])

    comparison = Comparison(table, KnownPlaces(None, "a machine"), 0.0, candidates)

    assert comparison.best.name == "shorter"


def test_bytes_in_use_where_there_is_no_place_are_refused() -> None:
    graph = {"work": [1.0], "place": [0], "used_bytes": [0, 0, 7]}

    with pytest.raises(makespan.InputError, match="bytes in use at place 2"):
        makespan.balance(graph, places=2, memory_gb=1)


@pytest.mark.parametrize("used_bytes", [-5.0, 1e31])
def test_bytes_in_use_that_cannot_be_are_refused(used_bytes: float) -> None:
    graph = {"work": [1.0], "place": [0], "used_bytes": [used_bytes]}

    with pytest.raises(makespan.InputError, match="bytes"):
        makespan.balance(graph, places=1, memory_gb=1)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"memory_of": "node"}, "memory_of is of a limit: give memory_gb"),
        ({"memory_gb": 1, "phases": 3}, "memory_gb with phases"),
        ({"memory_gb": 0}, "memory_gb"),
        ({"memory_gb": 1, "memory_of": "rank"}, "memory_of"),
    ],
)
def test_a_limit_that_says_nothing_is_refused(given: dict[str, Any], said: str) -> None:
    graph = {"work": [1.0], "place": [0]}

    with pytest.raises(makespan.InputError, match=said):
        makespan.balance(graph, places=2, **given)


def test_graph_files_keep_what_objects_take() -> None:
    table = read_graph([GRAPHS / "ccm_toy.json"])

    again = graph_from(json.loads(json.dumps(document_of(table))), "again")

    assert table.memory is not None
    assert again.memory is not None
    for name in ("footprint", "working", "block", "block_bytes", "used"):
        ours = getattr(table.memory, name)
        assert np.array_equal(ours, getattr(again.memory, name)), name
        assert ours.size > 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"block": [0, 1, 2]}, "object 2: block 2 .there is none of that number"),
        ({"block": [0, -1, None]}, "object 1: block -1"),
        ({"block": [0, 0.5, None]}, "object 1: block 0.5 .of the wrong type"),
        ({"footprint": [1, -1, 1]}, "object 1: footprint -1"),
        ({"working": [1, 1]}, "'working' of objects .2 values"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(change: dict[str, Any], said: str) -> None:
    document = {
        "format": "makespan graph",
        "version": 1,
        "kinds": ["cpu"],
        "objects": {"work": {"cpu": [1, 1, 1]}, "place": [0, 0, 0], **change},
        "blocks": {"bytes": [5, 5]},
    }

    with pytest.raises(makespan.InputError, match=said):
        graph_from(document, "graph.json")
