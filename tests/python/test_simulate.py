# SPDX-License-Identifier: Apache-2.0
"""`makespan.simulate`: descriptions and bags as Python has them."""

from __future__ import annotations

import dataclasses
import math
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from with_simulator import needs_simulator

import makespan
from makespan.sim import runs

pytestmark = needs_simulator

TWO: dict[str, Any] = {
    "kind": {"cpu": {"speed": 1000.0}, "gpu": {"speed": 3000.0}},
    "node": [{"devices": ["cpu", "gpu"]}],
}


def test_a_machine_and_costs_as_dicts_and_lists() -> None:
    ran = makespan.simulate(TWO, [1.0] * 400)

    assert ran.complete
    assert ran.ideal_s == pytest.approx(0.1)
    assert 1.0 <= ran.over_ideal < 1.02
    assert ran.workers["kind"].to_list() == ["cpu", "gpu"]
    assert ran.workers["items"].sum() == 400
    assert ran.workers["items"][1] == pytest.approx(300, abs=4)


def test_a_number_is_so_many_tasks() -> None:
    assert makespan.simulate(TWO, 400).ideal_s == makespan.simulate(TWO, "400").ideal_s
    assert makespan.simulate(TWO, 400).workers["items"].sum() == 400
    assert makespan.simulate(TWO, np.int64(400)).workers["items"].sum() == 400
    with pytest.raises(makespan.InputError):
        makespan.simulate(TWO, 0)


@pytest.mark.parametrize("table", [pl.DataFrame, pl.LazyFrame, pd.DataFrame])
def test_tasks_can_be_a_table(table: Callable[[Any], Any]) -> None:
    columns = {"cost": [1.0, 2.5], "items": [30, 10], "factor": [1.0, 1.5]}

    ran = makespan.simulate(TWO, table(columns))

    assert ran.hash == makespan.simulate(TWO, columns).hash


def test_bytes_are_no_costs() -> None:
    with pytest.raises(makespan.InputError, match="bytes is no list of numbers"):
        makespan.simulate(TWO, b"ab")  # type: ignore[arg-type]


def test_bags_that_the_simulators_clock_cannot_count_are_refused() -> None:
    makespan.simulate(TWO, "10:constant:0:1e10")
    with pytest.raises(makespan.InputError, match=r"the work takes .* s at least"):
        makespan.simulate(TWO, "10:constant:0:1e30")
    with pytest.raises(makespan.InputError, match=r"the work takes .* s at least"):
        makespan.simulate(TWO, "1:constant:0:1e10", sweep="tasks=1,1000000")


@pytest.mark.parametrize("speed", [1e300, 1e308])
def test_work_over_speeds_that_is_0_as_a_number_is_refused(speed: float) -> None:
    machine = {"kind": {"cpu": {"speed": speed}}, "node": [{"devices": ["2 cpu"]}]}

    with pytest.raises(makespan.InputError, match=r"all work over all speeds is 0 s \(it must be"):
        makespan.simulate(machine, [1e-30] * 10)


def test_speeds_of_threads_that_are_0_as_numbers_are_refused() -> None:
    machine = {"kind": {"cpu": {"speed": 5e-324, "threads": 4}}, "node": [{"devices": ["cpu"]}]}

    with pytest.raises(makespan.InputError, match="the work takes inf s at least"):
        makespan.simulate(machine, 10)


def test_items_that_take_no_time_on_the_simulators_clock_are_refused() -> None:
    """Not where a chunk of them takes long enough."""
    machine = {"kind": {"cpu": {"speed": 1e9}}, "node": [{"devices": ["4 cpu"]}]}

    with pytest.raises(makespan.InputError, match="an item takes 1 ns on the fastest worker"):
        makespan.simulate(machine, 10000)

    static = makespan.simulate(machine, 400_000, policy="static", dispatcher="counter")
    assert static.over_ideal == pytest.approx(1.0, abs=0.1)
    assert makespan.simulate(machine, "1000:constant:0:1e6").over_ideal < 1.1


def test_columns_say_items_and_how_wrong_predictions_are() -> None:
    right = makespan.simulate(TWO, {"cost": [2.0, 1.0], "items": [100, 200]})
    wrong = makespan.simulate(TWO, {"cost": [2.0, 1.0], "items": [100, 200], "factor": [1.0, 3.0]})

    assert right.ideal_s == pytest.approx(0.1)
    assert wrong.ideal_s == pytest.approx(0.2)
    assert wrong.workers["items"].sum() == 300


def test_the_same_as_a_file(tmp_path: Path) -> None:
    path = tmp_path / "machine.toml"
    path.write_text(
        '[kind.cpu]\nspeed = 1000\n[kind.gpu]\nspeed = 3000\n[[node]]\ndevices = ["cpu", "gpu"]\n'
    )

    ways = {"policy": "guided", "dispatcher": "counter"}
    of_file = makespan.simulate(path, "300:lognormal", **ways)  # type: ignore[arg-type]
    of_dict = makespan.simulate(TWO, "300:lognormal", **ways)  # type: ignore[arg-type]

    assert of_file.makespan_s == of_dict.makespan_s
    assert of_file.workers.equals(of_dict.workers)


def test_another_seed_is_another_bag() -> None:
    one, same, other = (
        makespan.simulate(TWO, "300:lognormal", seed=seed).makespan_s for seed in (1, 1, 2)
    )

    assert one == same
    assert one != other


def test_options_go_to_the_policy() -> None:
    claims = [
        makespan.simulate(
            TWO, [1.0] * 400, policy=f"self:chunk_items={size}", dispatcher="counter"
        ).claims
        for size in (1, 10)
    ]

    assert claims == [400, 40]


def test_spans_are_the_first_of_the_schedule() -> None:
    none = makespan.simulate(TWO, [1.0] * 400)
    some = makespan.simulate(TWO, [1.0] * 400, spans=10**6)

    assert none.spans.is_empty()
    runs = some.spans.filter(some.spans["kind"] == "run")
    assert runs["items"].sum() == 400
    assert runs["end_s"].max() == pytest.approx(some.makespan_s)


def test_results_travel_over_the_first_nodes_link() -> None:
    there = {
        "kind": {"cpu": {"speed": 100.0}},
        "node": [{"count": 3, "devices": ["cpu"]}],
        "network": {"bandwidth_gb": 1e-3},
    }

    none = makespan.simulate(there, [1.0] * 300)
    heavy = makespan.simulate({**there, "run": {"result_bytes": 1e5}}, [1.0] * 300)

    # A second of work. A result of another node is a tenth of a second on the link, where claims
    # wait behind it, so that the first does most of the work.
    assert none.makespan_s < 1.1
    assert heavy.complete
    away = heavy.workers["items"][1:].sum()
    assert 0 < away < 60
    assert heavy.makespan_s > 0.1 * away


def test_all_cases_are_there_the_best_first() -> None:
    seen: list[makespan.Progress] = []

    ran = makespan.simulate(
        TWO, [1.0] * 400, policy="self:chunk_items=1,guided", dispatcher="steal,static",
        on_progress=seen.append, threads=2,
    )  # fmt: skip

    assert len(ran.cases) == 4
    assert ran.cases[0] is ran
    assert ran.table["policy"].to_list() == [one.policy for one in ran.cases]
    assert {one.policy for one in ran.cases} == {"self:chunk_items=1", "guided"}
    assert ran.table["ratio"].is_sorted()
    assert [one.done for one in seen] == [1, 2, 3, 4]
    assert (seen[-1].total, seen[-1].unit, seen[-1].share) == (4, "cases", 1.0)
    assert "guided" in ran._repr_html_()


def test_a_sweep_has_its_values() -> None:
    ran = makespan.simulate(TWO, "400", sweep="chunk=1,10", dispatcher="counter")

    assert ran.table["value"].to_list() == [1.0, 10.0]
    assert [(one.value, one.claims) for one in ran.cases] == [(1.0, 400), (10.0, 40)]


def test_the_keywords_are_the_flags(tmp_path: Path) -> None:
    """A replay, its machine and all files; a slower device is as the description would have it."""
    trace, table = tmp_path / "t.json", tmp_path / "cases.parquet"
    told = {**TWO, "run": {"perturb": ["slow:1@0:3"]}}

    slow = makespan.simulate(TWO, "300", perturb=["slow:1@0:3"], trace=trace, output=str(table))
    same = makespan.simulate(told, "300")
    again = makespan.simulate(replay=trace)

    assert slow.ideal_s == pytest.approx(0.15)
    assert slow.makespan_s == same.makespan_s
    assert again.measured_s == slow.makespan_s
    assert again.ideal_s == pytest.approx(0.15, rel=0.01)
    assert pl.read_parquet(table).equals(slow.table)


def test_a_result_is_frozen_and_has_its_record() -> None:
    ran = makespan.simulate(TWO, [1.0] * 40)
    other = makespan.simulate(TWO, [1.0] * 41)

    with pytest.raises(dataclasses.FrozenInstanceError):
        ran.makespan_s = 0.0
    assert ran.record["format"] == "makespan simulate record"
    assert ran.record["cases"][0]["makespan_s"] == ran.makespan_s
    assert ran.record["input_hash"] != other.record["input_hash"]
    assert ran == makespan.simulate(TWO, [1.0] * 40, spans=0)


def test_ctrl_c_leaves_the_cases_that_are_done() -> None:
    def interrupt(_: makespan.Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(makespan.Interrupted, match="interrupted after 1 of 3 cases") as caught:
        makespan.simulate(
            TWO, "20000", sweep="tasks=100,1000000,1000001", on_progress=interrupt, threads=1
        )

    assert caught.value.result.value == 100.0
    assert len(caught.value.result.cases) == 1


def test_ctrl_c_while_a_case_ends_does_not_drop_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Method: the signal comes in the wait that tells of the first case's end."""
    sound = runs.wait

    def wait(*given: Any) -> Any:
        found = sound(*given)
        if found.done:
            signal.raise_signal(signal.SIGINT)
        return found

    monkeypatch.setattr(runs, "wait", wait)

    with pytest.raises(makespan.Interrupted, match="interrupted after 1 of 2 cases") as caught:
        makespan.simulate(TWO, "20000", sweep="tasks=100,1000000", threads=1)

    assert caught.value.result.value == 100.0


def test_a_bag_that_is_never_done() -> None:
    dying = {**TWO, "run": {"perturb": ["fail:0@0.01", "fail:1@0.01"]}}

    ran = makespan.simulate(dying, [1.0] * 400)

    assert not ran.complete
    assert math.isinf(ran.over_ideal)


@pytest.mark.parametrize(
    ("machine", "tasks", "words"),
    [
        ({}, [1.0], "machine: no kinds of devices"),
        ({**TWO, "knid": {}}, [1.0], "table 'knid'"),
        ({**TWO, "node": [{"devices": ["2 cup"]}]}, [1.0], "'cup'"),
        (TWO, [], "tasks: no column cost, or no rows"),
        (TWO, [1.0, -1.0], "tasks: row 2: cost = -1.0"),
        (TWO, {"cost": [1.0], "itemz": [1]}, "column 'itemz'"),
        (TWO, {"cost": [1.0, 2.0], "items": [1]}, "tasks: no columns of one length"),
        (TWO, "12:gaussy", "tasks 12:gaussy"),
        (None, "12", "no machine (there is nothing to run on)"),
    ],
)
def test_bad_input_is_named(machine: Any, tasks: Any, words: str) -> None:
    with pytest.raises(makespan.InputError) as caught:
        makespan.simulate(machine, tasks)

    assert words in str(caught.value)


def test_an_unknown_policy_is_named() -> None:
    with pytest.raises(
        makespan.InputError, match=r"policy='equal_tiem' cannot be used: .*equal_time"
    ):
        makespan.simulate(TWO, [1.0], policy="equal_tiem")


def test_numbers_and_rows_of_numpy_describe_a_machine() -> None:
    cpu = {"speed": np.float64(1000.0), "threads": np.int64(2)}
    machine = {"kind": {"cpu": cpu}, "node": ({"devices": ("cpu", "cpu")},)}

    found = makespan.simulate(machine, 400)

    plainly = {"kind": {"cpu": {"speed": 1000.0, "threads": 2}}, "node": [{"devices": ["2 cpu"]}]}
    assert found.makespan_s == makespan.simulate(plainly, 400).makespan_s


@pytest.mark.parametrize(
    ("machine", "message"),
    [
        (3, "description must be a path or tables, a dict of them; got int"),
        ({**TWO, "kind": {3: {"speed": 1.0}}}, "kind 3: names of kinds are texts"),
        ({**TWO, "kind": {"cpu": {"speed": 1.0, "launch_us": 1e18}}}, "launch_us = .* to 1e.09"),
        ({**TWO, "network": {"bandwidth_gb": 1e-300}}, "bandwidth_gb = .* from 1e-06 to 1e.09"),
    ],
)
def test_what_is_no_machine_is_refused(machine: Any, message: str) -> None:
    with pytest.raises(makespan.InputError, match=message):
        makespan.simulate(machine, 100)


def test_items_for_which_there_is_no_memory_are_refused() -> None:
    with pytest.raises(makespan.InputError, match=r"1e\+15 items, over 2\^33"):
        makespan.simulate(TWO, {"cost": [1e-12, 1e-12], "items": [10**15, 3]})


def test_speeds_are_a_list_in_python() -> None:
    with pytest.raises(makespan.InputError, match="in Python a list"):
        makespan.simulate(None, 100, synthetic="package:1 core:2 pu:1", speeds="1,2")  # type: ignore[arg-type]
