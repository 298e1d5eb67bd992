# SPDX-License-Identifier: Apache-2.0
"""`makespan.balance`: graphs of every shape, what is found, and jobs of several processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from job_programs import MPIEXEC, needs_mpi
from makespan.graph.graph_columns import graph_of_columns
from makespan.graph.graph_file import write_graph

import makespan

RUN_S_MAX = 120
RING: dict[str, Any] = {
    "work": np.ones(8),
    "place": np.zeros(8, dtype=np.int64),
    "bytes": np.full(8, 100.0),
    "from": np.arange(8),
    "to": np.roll(np.arange(8), -1),
    "edge_bytes": np.full(8, 1000.0),
}


def test_all_is_found_of_columns() -> None:
    found = makespan.balance(RING, places=4, balancer="greedy,rotate")

    assert isinstance(found, makespan.BalanceResult)
    assert found.best == "greedy"
    assert np.bincount(found.mapping).tolist() == [2, 2, 2, 2]
    assert found.labels == ["Place 0", "Place 1", "Place 2", "Place 3"]
    assert found.bound_s == pytest.approx(2.0)
    assert found.candidates["balancer"].to_list() == ["now", "greedy", "rotate"]
    now, greedy, _ = found.candidates.iter_rows(named=True)
    assert (now["phase_s"], now["ratio"], now["decision_s"]) == (8.0, 4.0, None)
    assert greedy["mapping"] == found.mapping.tolist()
    assert greedy["moved_bytes"] == 100.0 * greedy["moves"]
    assert found.phases == {}
    assert found.record["settings"]["places"] == 4
    assert "shortest predicted phase is that by greedy" in found._repr_html_()


def test_every_shape_of_a_graph_gives_the_same(tmp_path: Path) -> None:
    table = graph_of_columns(RING)
    path = write_graph(tmp_path / "ring.json", table)

    mappings = [
        makespan.balance(graph, places=4).mapping.tolist()
        for graph in (RING, table, path, str(path), [path])
    ]

    assert all(mapping == mappings[0] for mapping in mappings)


def test_phases_are_those_of_simulate_phases() -> None:
    course: dict[str, Any] = {"phases": 12, "noise": 0.3, "seed": 5, "perturb": ["slow:1@4:2"]}
    places = {
        "speed": [1.0] * 3,
        "domain": [0] * 3,
        "node": [0],
        "latency_s": [0.0],
        "bandwidth_bytes_s": [1e10],
    }
    silent = {name: RING[name] for name in ("work", "place", "bytes")}

    balanced = makespan.balance(silent, places=3, balancer="greedy", **course)
    never = makespan.simulate_phases(silent, places, when="never", **course)

    assert list(balanced.phases) == ["never", "greedy"]
    assert balanced.phases["never"].phases.equals(never.phases)
    assert len(set(never.phases["time_s"])) == 12


def test_a_balancer_with_other_options_is_another_one(tmp_path: Path) -> None:
    texts = ["random:seed=1000001", "random:seed=1000002"]
    path = tmp_path / "mapping.json"

    found = makespan.balance(RING, places=2, balancer=",".join(texts), phases=3, output=path)

    assert found.candidates["balancer"].to_list() == ["now", *texts]
    assert list(found.phases) == ["never", *texts]
    assert found.best in texts
    assert json.loads(path.read_text())["balancer"] == found.record["best"] == found.best
    assert [one["balancer"] for one in found.record["phases"]] == ["never", *texts]


def test_files_are_written_where_they_are_named(tmp_path: Path) -> None:
    paths = {name: tmp_path / name for name in ("output", "record", "report")}

    found = makespan.balance(RING, places=4, **paths)

    mapping = json.loads(paths["output"].read_text())
    assert mapping["objects"]["place"] == found.mapping.tolist()
    assert json.loads(paths["record"].read_text()) == found.record
    assert "makespan balance" in paths["report"].read_text()


def test_progress_is_told_from_the_first_step_to_the_last() -> None:
    told: list[makespan.Progress] = []

    makespan.balance(RING, places=2, balancer="greedy,rotate", phases=2, on_progress=told.append)

    assert [one.done for one in told] == list(range(7))
    assert {one.total for one in told} == {6}
    notes = ["reading", "greedy", "rotate", "phases by never"]
    assert [one.note for one in told][:4] == notes
    assert told[-1].share == 1.0


def test_an_interrupt_keeps_what_was_decided() -> None:
    def press(progress: makespan.Progress) -> None:
        if progress.note == "rotate":
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(makespan.Interrupted) as caught:
        makespan.balance(RING, places=2, balancer="greedy,rotate,random", on_progress=press)

    result = caught.value.result
    assert (caught.value.done, caught.value.total) == (3, 4)
    assert result.candidates["balancer"].to_list() == ["now", "greedy", "rotate"]
    assert result.best == "greedy"


def test_an_interrupt_of_phases_keeps_them() -> None:
    places = {
        "speed": [1.0] * 2,
        "domain": [0] * 2,
        "node": [0],
        "latency_s": [0.0],
        "bandwidth_bytes_s": [1e10],
    }

    with pytest.raises(makespan.Interrupted) as caught:
        makespan.simulate_phases(
            RING, places, phases=3, on_progress=lambda _: os.kill(os.getpid(), signal.SIGINT)
        )

    assert caught.value.result.phases.height == 3


def test_a_graph_has_both_ends_of_its_messages() -> None:
    for name in ("from", "to"):
        with pytest.raises(makespan.InputError, match=r"graph: .*column"):
            makespan.balance({"work": [1.0], "place": [0], name: [0]}, places=1)


@pytest.mark.parametrize("table", [pl.DataFrame, pd.DataFrame, pl.LazyFrame])
def test_a_graph_can_be_a_table(table: Callable[[Any], Any]) -> None:
    columns = {"work": [1.0, 2.0, 4.0], "place": [0, 0, 0], "from": [0, 1, 2], "to": [1, 2, 0]}

    found = makespan.balance(table(columns), places=2)

    assert found is not None
    assert found.mapping.tolist() == makespan.balance(columns, places=2).mapping.tolist()


@pytest.mark.parametrize("odd", [5, None, b"graph", [1], [b"graph"], np.zeros(3), {1.0}])
def test_what_is_no_graph_is_refused(odd: Any) -> None:
    with pytest.raises(makespan.InputError, match=r"^graph=.* cannot be used: give the path"):
        makespan.balance(odd, places=2)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"strategy": "greedy"}, "balance: keyword 'strategy' is unknown"),
        ({"balancer": "gredy"}, "did you mean 'greedy'?"),
        ({"places": "cores"}, "places='cores' cannot be used"),
        ({"speeds": [1.0, 2.0, 3.0]}, "speeds has 3 numbers (there are 2 places)"),
        ({"speeds": [1.0, -1.0]}, "speeds=[1.0, -1.0] cannot be used"),
        ({"phase": 3}, "phase is of dumps of vt"),
        ({"gather": "some"}, "gather='some' cannot be used"),
        ({"output": Path("no") / "such.json"}, "folder no does not exist"),
    ],
)
def test_bad_settings_are_named(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(makespan.InputError) as caught:
        makespan.balance(RING, **{"places": 2, **settings})

    assert words in str(caught.value)


def test_speeds_can_be_an_array() -> None:
    found = makespan.balance(RING, places=2, speeds=np.array([3.0, 1.0]), balancer="greedy")

    assert np.bincount(found.mapping).tolist() == [6, 2]


JOB = """
import os, sys
import makespan

RING = {"work": [1.0] * 8, "place": [0] * 8, "from": [0], "to": [1]}
PLACES = {"speed": [1.0] * 2, "domain": [0] * 2, "node": [0], "latency_s": [0.0],
          "bandwidth_bytes_s": [1e10]}
heard = []
first = makespan.balance(RING, places=4, on_progress=heard.append)
everywhere = makespan.balance(RING, places=4, gather="all")
phases = makespan.simulate_phases(RING, PLACES, phases=9, gather="all")
try:
    makespan.balance(RING, places=4, speeds=[1.0], gather="all")
    refused = ""
except makespan.InputError as error:
    refused = str(error)
shown = (first is not None, bool(heard), everywhere.mapping.tolist(), phases.phases.height, refused)
sys.stdout.write(repr(shown) + "\\n")
"""


@needs_mpi
def test_a_job_decides_once_and_all_can_have_the_result(tmp_path: Path) -> None:
    program = tmp_path / "job.py"
    program.write_text(JOB)
    alone = makespan.balance(
        {"work": [1.0] * 8, "place": [0] * 8, "from": [0], "to": [1]}, places=4
    )

    ended = subprocess.run(
        [str(MPIEXEC), "-n", "3", sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    rows = sorted(eval(line) for line in ended.stdout.splitlines())  # noqa: S307 - our own
    assert [row[:2] for row in rows] == [(False, False), (False, False), (True, True)]
    for row in rows:
        assert row[2] == alone.mapping.tolist()
        assert row[3] == 9
        assert "speeds has 1 numbers" in row[4]


@needs_mpi
def test_the_command_runs_once_in_a_job(tmp_path: Path) -> None:
    path = write_graph(tmp_path / "ring.json", graph_of_columns(RING))
    command = [sys.executable, "-m", "makespan", "balance", str(path), "--places", "4", "--json"]

    ended = subprocess.run(
        [str(MPIEXEC), "-n", "3", *command],
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads(ended.stdout)["graph"]["objects"] == 8


def test_candidates_are_a_table_of_polars() -> None:
    found = makespan.balance(RING, places=2)

    assert isinstance(found.candidates, pl.DataFrame)
    assert found.candidates["mapping"].dtype == pl.List(pl.Int32)
