# SPDX-License-Identifier: Apache-2.0
"""Functions and the files that they name: nothing is written over what is read, or ignored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from makespan.graph.example import GRAPH_EXAMPLE
from makespan.grids.state_file import StateFile
from small_books import plain_book
from with_simulator import needs_simulator

import makespan

MACHINE: dict[str, Any] = {
    "kind": {"cpu": {"speed": 1000.0}},
    "node": [{"devices": ["2 cpu"]}],
    "run": {"seed": 9, "losses_noticed_s": 3.0, "result_bytes": 8.0},
}
PLACES: dict[str, Any] = {
    "speed": [1.0, 2.0],
    "domain": [0, 0],
    "node": [0],
    "latency_s": [[0.0]],
    "bandwidth_bytes_s": [[1e9]],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_record_is_not_written_over_the_graph(folder: Path) -> None:
    graph = folder / "graph.json"
    graph.write_text(GRAPH_EXAMPLE)
    before = graph.read_bytes()

    with pytest.raises(makespan.InputError, match="would be written over what is read"):
        makespan.simulate_phases("graph.json", PLACES, phases=2, record="graph.json")

    assert graph.read_bytes() == before


def test_a_record_has_the_places(folder: Path) -> None:
    ran = makespan.simulate_phases(
        {"work": [1.0, 2.0], "place": [0, 1]}, PLACES, phases=2, record="r.json"
    )

    assert ran.record["places"]["speed"] == [1.0, 2.0]
    assert json.loads((folder / "r.json").read_text())["places"] == ran.record["places"]


@pytest.mark.parametrize("name", ["record", "trace"])
def test_nothing_is_written_over_first_values(folder: Path, name: str) -> None:
    np.save("start.npy", np.ones((4, 4, 4)))
    before = (folder / "start.npy").read_bytes()
    keys: dict[str, Any] = {"points": [4, 4, 4], "steps": 1, "start": "file", "file": "start.npy"}

    with pytest.raises(makespan.InputError, match="would be written over what is read"):
        makespan.diffuse(**keys, **{name: "start.npy"})

    assert (folder / "start.npy").read_bytes() == before


def test_first_values_of_another_shape_are_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    makespan.diffuse(points=[4, 4, 4], steps=1, checkpoint="saved")
    monkeypatch.setattr(StateFile, "read", lambda *_: pytest.fail("they were read"))

    with pytest.raises(makespan.InputError, match=r"holds values of shape \(4, 4, 4\)"):
        makespan.diffuse(
            points=[4, 4, 8], steps=1, start="file", file=str(folder / "saved/step-1.vtkhdf")
        )


def test_a_file_of_first_values_that_is_not_read_is_refused() -> None:
    with pytest.raises(makespan.InputError, match=r"file = none.npy \(start = gaussian needs none"):
        makespan.diffuse(points=[4, 4, 4], steps=1, file="none.npy")


def test_the_record_of_an_array_says_that_there_was_one(folder: Path) -> None:
    makespan.diffuse(np.ones((4, 4, 4)), steps=1, record="r.json")

    given = json.loads((folder / "r.json").read_text())["input"]
    assert given["start"] == "array"
    assert not {"height", "width", "file"} & set(given)


@pytest.mark.usefixtures("fake_engine")
def test_names_of_prices_may_be_as_long_as_the_system_allows(folder: Path) -> None:
    makespan.price(plain_book(2), output="x" * 240 + ".csv")
    assert len(list(folder.iterdir())) == 1


@pytest.mark.usefixtures("fake_engine")
def test_the_record_of_prices_says_where_they_are(folder: Path) -> None:
    record = makespan.price(plain_book(2), output="p.csv").record
    assert record["output"] == str(folder / "p.csv")
    assert makespan.price(plain_book(2)).record["output"] is None


@pytest.mark.parametrize("name", ["record", "trace"])
def test_results_of_a_map_whose_files_cannot_be_written_are_not_lost(
    folder: Path, name: str
) -> None:
    """Method: the folder is there when it is tried, and gone at the end."""
    (folder / "out").mkdir()

    def work(item: int) -> int:
        if item == 0:
            (folder / "out").rmdir()
        return item * item

    with pytest.raises(makespan.InputError, match="cannot write") as caught:
        makespan.map(work, range(9), threads=1, **{name: folder / "out" / "map.json"})

    assert caught.value.result == [item * item for item in range(9)]


def test_an_item_that_raises_is_told_before_a_file_that_cannot_be_written(folder: Path) -> None:
    """Method: it is the last one, so that all items are done."""
    (folder / "out").mkdir()

    def work(item: int) -> int:
        if item == 8:
            (folder / "out").rmdir()
            raise ValueError
        return item

    with pytest.raises(makespan.ItemError, match="item 8: ValueError"):
        makespan.map(work, range(9), threads=1, policy="self", record=folder / "out" / "map.json")


@pytest.mark.usefixtures("fake_engine")
def test_prices_whose_files_cannot_be_written_are_not_lost(folder: Path) -> None:
    (folder / "out").mkdir()

    def remove(_: makespan.Progress) -> None:
        if (folder / "out").exists():
            (folder / "out").rmdir()

    with pytest.raises(makespan.InputError, match="cannot write") as caught:
        makespan.price(plain_book(2), output=folder / "out" / "p.csv", on_progress=remove)

    assert caught.value.result.table["price"].null_count() == 0
    assert caught.value.result.hash == makespan.price(plain_book(2)).hash


def test_a_source_that_is_no_path_is_named() -> None:
    for function, name in ((makespan.melt, "source"), (makespan.calcium, "values")):
        with pytest.raises(makespan.InputError, match=f"{name}=3 cannot be used"):
            function(3)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: makespan.machine(seconds=3.0), "seconds (there is no measure"),
        (lambda: makespan.simulate(MACHINE, 5, paths=7), "paths (there is no bag"),
    ],
)
def test_what_would_be_ignored_is_refused(call: Any, text: str) -> None:
    with pytest.raises(makespan.InputError) as caught:
        call()

    assert text in str(caught.value)


@needs_simulator
def test_a_written_machine_simulates_the_same() -> None:
    tasks = [1.0] * 40
    own = makespan.simulate(MACHINE, tasks, write_machine="own.toml")

    again = makespan.simulate("own.toml", tasks)

    assert again.record["seed"] == 9
    assert again.record["result_hash"] == own.record["result_hash"]
    text = Path("own.toml").read_text()
    assert all(
        line in text for line in ("seed = 9", "losses_noticed_s = 3.0", "result_bytes = 8.0")
    )


@needs_simulator
def test_a_machine_file_is_named_by_text(folder: Path) -> None:
    makespan.machine(synthetic="package:1 core:2 pu:1", output="node.xml")

    assert makespan.simulate(tasks=5, machine="node.xml").workers.height == 2
    assert makespan.simulate(tasks=5, machine=folder / "node.xml").workers.height == 2


@needs_simulator
def test_one_perturbation_stands_for_a_list_of_it() -> None:
    tasks = [1.0] * 4000
    slow = makespan.simulate(MACHINE, tasks, perturb="slow:0@0.1:10")

    assert slow.makespan_s > 1.3 * makespan.simulate(MACHINE, tasks).makespan_s
    assert (
        slow.record["result_hash"]
        == (makespan.simulate(MACHINE, tasks, perturb=["slow:0@0.1:10"]).record["result_hash"])
    )
