# SPDX-License-Identifier: Apache-2.0
"""Memory as a limit: what objects take, blocks that they share, and mappings that keep to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import makespan
from makespan.graph.graph_file import document_of, graph_from
from makespan.graph.read_graph import read_graph

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


def test_domains_and_nodes_have_memories_too() -> None:
    graph = {"work": np.ones(8), "place": np.zeros(8, dtype=int), "bytes": np.full(8, 10.0)}
    machine = {"synthetic": "numa:2 core:2 pu:1", "nodes": 2, "balancer": "greedy"}

    by_node = makespan.balance(graph, memory_gb=40e-9, memory_of="node", **machine)
    by_domain = makespan.balance(graph, memory_gb=20e-9, memory_of="domain", **machine)

    assert by_node is not None
    assert by_domain is not None
    assert np.bincount(np.asarray(by_node.mapping) // 4, minlength=2).max() == 4
    assert np.bincount(np.asarray(by_domain.mapping) // 2, minlength=4).max() == 2


def test_the_best_is_one_that_keeps_to_the_limit() -> None:
    """Nothing may move, so that no mapping can; the note of it is the figure above 100 %."""
    graph = {
        "work": np.ones(4),
        "place": np.zeros(4, dtype=int),
        "bytes": np.full(4, 10.0),
        "fixed": np.ones(4),
    }

    found = makespan.balance(graph, places=2, memory_gb=20e-9, balancer="greedy,makespan")

    assert found is not None
    assert found.candidates["fullest_memory"].to_list() == [2.0, 2.0, 2.0]


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
