# SPDX-License-Identifier: Apache-2.0
"""Dumps of vt: a file for each rank becomes one graph; what is wrong is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import brotli
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from junk import spots
from makespan.base.errors import InputError
from makespan.graph.read_graph import read_graph
from makespan.graph.vt_file import VtFile, graph_of_vt


def task(id_: int, node: int, time: float, **more: Any) -> dict[str, Any]:
    entity = {"id": id_, "home": node, "type": "object", "migratable": more.pop("migratable", True)}
    return {"entity": entity, "node": node, "resource": "cpu", "time": time, **more}


def message(sender: int, receiver: int, size: float, kind: str = "object") -> dict[str, Any]:
    return {
        "type": "SendRecv",
        "from": {"type": "object", "id": sender},
        "to": {"type": kind, "id": receiver},
        "messages": 2,
        "bytes": size,
    }


def rank(number: int, *phases: dict[str, Any]) -> dict[str, Any]:
    return {"metadata": {"type": "LBDatafile", "rank": number}, "phases": list(phases)}


def ranks() -> list[dict[str, Any]]:
    sized = {"user_defined": {"task_serialized_bytes": 4096.0}}
    return [
        rank(
            0,
            {"id": 0, "tasks": [task(11, 0, 9.0)]},
            {
                "id": 1,
                "tasks": [task(11, 0, 1.5, **sized), task(12, 0, 0.5, migratable=False)],
                "communications": [message(11, 21, 800.0), message(12, 1, 64.0, kind="node")],
            },
        ),
        rank(
            1,
            {"id": 0, "tasks": []},
            {"id": 1, "tasks": [task(21, 1, 2.5)], "communications": [message(21, 12, 16.0)]},
        ),
    ]


def written(folder: Path, documents: list[Any]) -> list[Path]:
    paths = [folder / f"data.{number}.json" for number in range(len(documents))]
    for path, document in zip(paths, documents, strict=True):
        path.write_text(json.dumps(document))
    return paths


def memory_of(**given: Any) -> dict[str, Any]:
    return {"user_defined": given}


def test_what_balancers_that_know_of_memory_read_is_read(tmp_path: Path) -> None:
    whole = memory_of(
        task_footprint_bytes=10.0,
        task_working_bytes=3.0,
        shared_id=40,
        shared_bytes=1e6,
        rank_working_bytes=5e8,
        task_serialized_bytes=7.0,
    )
    first = [task(11, 0, 1.0, **whole), task(12, 0, 1.0)]
    second = [
        task(21, 1, 1.0, **memory_of(shared_id=8, shared_bytes=200)),
        task(22, 1, 1.0, **memory_of(shared_id=40, shared_bytes=1e6)),
        task(23, 1, 1.0, **memory_of(shared_id=-1, shared_bytes=0)),
    ]
    files = [rank(0, {"id": 0, "tasks": first}), rank(1, {"id": 0, "tasks": second})]

    graph = read_graph(written(tmp_path, files))

    memory = graph.memory
    assert memory is not None
    assert memory.footprint.tolist() == [10, 0, 0, 0, 0]
    assert memory.working.tolist() == [3, 0, 0, 0, 0]
    assert memory.block.tolist() == [0, -1, 1, 0, -1]
    assert memory.block_bytes.tolist() == [1e6, 200]
    assert memory.used.tolist() == [5e8, 0]
    assert graph.bytes.tolist() == [7, 0, 0, 0, 0]
    assert read_graph(written(tmp_path, ranks())).memory is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"shared_id": "a"}, "object 12: shared_id 'a' .no whole number"),
        ({"shared_id": [1]}, "object 12: shared_id"),
        ({"shared_id": 1}, "object 12: shared_bytes 0.0 .others of its block"),
        ({"shared_id": 1, "shared_bytes": 5}, "object 12: shared_bytes 5.0 .others of its block"),
        ({"task_footprint_bytes": -1}, "object 12: task_footprint_bytes -1"),
        ({"rank_working_bytes": "much"}, "object 12: rank_working_bytes 'much'"),
    ],
)
def test_wrong_memory_is_named(tmp_path: Path, given: dict[str, Any], said: str) -> None:
    tasks = [task(11, 0, 1.0, **memory_of(shared_id=1, shared_bytes=4)), task(12, 0, 1.0)]
    tasks[1] |= memory_of(**given)

    with pytest.raises(InputError, match=said):
        read_graph(written(tmp_path, [rank(0, {"id": 0, "tasks": tasks})]))


def test_ranks_become_one_graph_of_their_last_phase(tmp_path: Path) -> None:
    graph = read_graph(written(tmp_path, ranks()))

    assert list(graph.ids) == [11, 12, 21]
    assert graph.kinds == ("cpu",)
    assert graph.work.tolist() == [[1.5], [0.5], [2.5]]
    assert graph.place.tolist() == [0, 0, 1]
    assert graph.fixed.tolist() == [False, True, False]
    assert graph.bytes.tolist() == [4096, 0, 0]
    edges = graph.edges
    assert list(zip(edges.sender.tolist(), edges.receiver.tolist(), strict=True)) == [
        (0, 2),
        (2, 1),
    ]
    assert edges.messages.tolist() == [2, 2]
    assert edges.bytes.tolist() == [800, 16]
    assert graph.notes == (
        "Communications with ranks, not objects, are no edges: left out were 1.",
    )
    assert graph.source.endswith("data.0.json and 1 more, phase 1")


def test_an_earlier_phase(tmp_path: Path) -> None:
    graph = read_graph(written(tmp_path, ranks()), phase=0)

    assert graph.work.tolist() == [[9.0]]


def test_phases_that_repeat_are_those_before(tmp_path: Path) -> None:
    documents = ranks()
    for document in documents:
        document["metadata"]["phases"] = {
            "identical_to_previous": {"list": [2], "range": [[3, 5]]},
            "skipped": {"list": [], "range": []},
        }
    paths = written(tmp_path, documents)

    assert read_graph(paths).source.endswith("phase 5")
    assert read_graph(paths, phase=2).work.tolist() == read_graph(paths, phase=1).work.tolist()


def test_packed_dumps_and_ids_of_old(tmp_path: Path) -> None:
    document = ranks()[1]
    entity = document["phases"][0]["tasks"] = [task(7, 1, 1.0)]
    entity[0]["entity"]["seq_id"] = entity[0]["entity"].pop("id")
    path = tmp_path / "data.1.json.br"
    path.write_bytes(brotli.compress(json.dumps(document).encode()))

    assert list(read_graph([path], phase=0).ids) == [7]


def change(path: str, value: Any) -> list[Any]:
    documents: Any = ranks()
    part = documents
    steps = [int(s) if s.isdecimal() else s for s in path.split("/")]
    for step in steps[:-1]:
        part = part[step]
    part[steps[-1]] = value
    return list(documents)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("1/phases/1/tasks/0/time", -1.0, "data.1.json: object 21: time -1.0 (it is negative)"),
        ("0/phases/1/tasks/1/time", None, "data.0.json: object 12: time null"),
        ("0/phases/1/tasks/1/node", -1, "data.0.json: object 12: node -1"),
        ("1/phases/1/tasks/0/entity/id", 11, "data.1.json: object 11: it is a task of this phase"),
        ("1/phases/1/tasks/0/entity", 5, "data.1.json: task number 0 of phase 1: 'entity'"),
        (
            "1/phases/1/tasks/0/entity/id",
            "x",
            "task number 0 of phase 1: 'entity' (it has no whole",
        ),
        ("1/phases/1/tasks", {}, "data.1.json: 'tasks' of phase 1 (it is no list)"),
        ("1/phases/1/tasks/0", 3, "data.1.json: task number 0 of phase 1 (it is no object"),
        (
            "0/phases/1/communications/0/to/id",
            99,
            "data.0.json: communication number 0 of phase 1: to object 99 (it is no task",
        ),
        (
            "0/phases/1/communications/0/bytes",
            -3,
            "data.0.json: communication number 0 of phase 1: bytes -3 (it is negative)",
        ),
        ("1/phases", [], "data.1.json: 'phases' (it is no list, or empty)"),
        ("1/phases/1/id", 7, "data.0.json: no phase 7 (it has 0 to 1)"),
        ("1/phases/1", {}, "data.1.json: phase number 1 (it has no 'id')"),
        ("1/metadata", {"phases": {"identical_to_previous": 3}}, "no lists of phases"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, path: str, value: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_graph(written(tmp_path, change(path, value)))

    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_missing_is_told_by_who_is_not_there(tmp_path: Path) -> None:
    first = written(tmp_path, ranks())[:1]

    with pytest.raises(InputError, match="give the files of all ranks"):
        read_graph(first)


def test_graphs_of_ours_stand_alone(tmp_path: Path) -> None:
    ours = {
        "format": "makespan graph",
        "version": 1,
        "kinds": ["cpu"],
        "objects": {"work": {"cpu": [1]}, "place": [0]},
    }
    paths = written(tmp_path, [*ranks(), ours])

    with pytest.raises(InputError, match=r"data\.2\.json: it is a whole graph"):
        read_graph(paths)
    with pytest.raises(InputError, match="it has one phase"):
        read_graph(paths[2:], phase=1)


@settings(max_examples=300)
@given(st.data())
def test_junk_anywhere_is_read_or_refused(data: st.DataObject) -> None:
    documents = ranks()
    part, key = data.draw(st.sampled_from(spots(documents)[2:]))
    part[key] = data.draw(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=3)
        | st.just([])
        | st.just({})
        | st.just([[]])
    )
    files = [VtFile(f"data.{n}.json", document) for n, document in enumerate(documents)]

    said = "data.0.json: nothing"
    try:
        graph_of_vt(files)
    except InputError as error:
        said = str(error)

    assert said.startswith("data.")
