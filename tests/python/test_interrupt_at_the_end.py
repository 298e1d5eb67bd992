# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C that comes when nothing is left to do is heard all the same, and nothing is lost.

Method: the signal comes from the last call of `on_progress`; a program that calls one run after
another may get it there each time.
"""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fake_core
import numpy as np
import polars as pl
import pytest
from job_programs import end_of_program, needs_mpi
from makespan.cli import main
from makespan.grids.field_run import FieldRun
from makespan.job.interrupts import Interrupts
from makespan.machines.measuring import measure
from makespan.pricing.command import PriceCommand
from makespan.pricing.run import _Listeners
from makespan.tasks import run as tasks_run
from small_books import plain_book
from small_grids import FIELD
from with_simulator import needs_simulator

import makespan

GRAPH: dict[str, Any] = {"work": np.ones(8), "place": np.zeros(8, dtype=np.int64)}
PLACES = {
    "speed": [1.0] * 2,
    "domain": [0] * 2,
    "node": [0],
    "latency_s": [0.0],
    "bandwidth_bytes_s": [1e10],
}
NODE: dict[str, Any] = {"node": [{"devices": ["cpu"]}]}
BAG = {"kind": {"cpu": {"speed": 1000.0}}, **NODE}
GRID = {"grid": {"points": [8, 8, 8], "steps": 4}, "kind": {"cpu": {"points_per_s": 1e6}}, **NODE}
SMALL_MELT = {"steps": 10, "phase_steps": 5, "lattice_cells": [6] * 3, "cells": [3] * 3}
FEW = {"paths": 1000, "method": "mc"}

CALLS: dict[str, tuple[Callable[..., Any], Callable[[Any], bool]]] = {
    "price": (
        lambda **told: makespan.price(plain_book(3), **FEW, **told),
        lambda found: bool(found.hash == makespan.price(plain_book(3), **FEW).hash),
    ),
    "map": (
        lambda **told: makespan.map(abs, [-1, -2], threads=1, **told),
        lambda found: bool(found == {0: 1, 1: 2}),
    ),
    "melt": (
        lambda **told: makespan.melt(**SMALL_MELT, threads=1, **told),
        lambda found: bool(found.complete and found.hash and found.steps == 10),
    ),
    "melt in virtual time": (
        lambda **told: makespan.melt(**SMALL_MELT, virtual=True, places=2, **told),
        lambda found: bool(found.complete),
    ),
    "diffuse": (
        lambda **told: makespan.diffuse(np.ones((6, 6, 6)), steps=5, threads=1, **told),
        lambda found: bool(found.hash and found.steps == 5),
    ),
    "balance": (
        lambda **told: makespan.balance(GRAPH, places=2, balancer="greedy", **told),
        lambda found: bool(found.best == "greedy"),
    ),
    "simulate_phases": (
        lambda **told: makespan.simulate_phases(GRAPH, PLACES, phases=3, **told),
        lambda found: bool(found.phases.height == 3),
    ),
    "simulate": (
        lambda **told: makespan.simulate(BAG, 10, **told),
        lambda found: bool(found.complete),
    ),
    "simulate_grid": (
        lambda **told: makespan.simulate_grid(GRID, **told),
        lambda found: bool(found.table.height == 1),
    ),
}


def press(progress: makespan.Progress) -> None:
    """Ctrl-C when all is done."""
    if progress.done == progress.total:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=needs_simulator if one == "simulate" else ()) for one in CALLS]
)
def test_a_whole_run_raises_with_its_whole_result(name: str) -> None:
    call, is_whole = CALLS[name]

    with pytest.raises(makespan.Interrupted) as caught:
        call(on_progress=press)

    assert caught.value.done == caught.value.total
    assert is_whole(caught.value.result)


@pytest.mark.parametrize("when", ["write_files", "_report"])
def test_one_that_comes_after_the_last_item_of_a_map_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    record = tmp_path / "map.json"
    inner = getattr(tasks_run, when)

    def pressed(*given: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return inner(*given)

    monkeypatch.setattr(tasks_run, when, pressed)

    with pytest.raises(makespan.Interrupted, match="2 of 2 items") as caught:
        makespan.map(abs, [-1, -2], threads=1, record=record)

    assert caught.value.result == {0: 1, 1: 2}
    assert json.loads(record.read_text())["items"]["total"] == 2


def test_one_that_comes_with_the_last_item_of_a_map_leaves_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "map.json"
    inner = tasks_run._wait

    def wait_and_press(*given: Any) -> None:
        inner(*given)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(tasks_run, "_wait", wait_and_press)

    with pytest.raises(makespan.Interrupted, match="2 of 2 items"):
        makespan.map(abs, [-1, -2], threads=1, record=record)

    assert json.loads(record.read_text())["items"]["total"] == 2


def test_one_that_nothing_has_answered_is_raised_at_the_end() -> None:
    with pytest.raises(KeyboardInterrupt), Interrupts():
        signal.raise_signal(signal.SIGINT)
    with Interrupts() as interrupts:
        signal.raise_signal(signal.SIGINT)
        assert interrupts.take()
    with pytest.raises(KeyboardInterrupt), Interrupts() as interrupts:
        [interrupts.take(), signal.raise_signal(signal.SIGINT)]


def test_a_measurement_raises_too() -> None:
    presses = [signal.SIGINT]

    class Over:
        def wait(self, _seconds: float) -> bool:
            if presses:
                signal.raise_signal(presses.pop())
            return True

        def steps(self) -> tuple[int, int]:
            return 7, 7

        def cancel(self) -> None:
            pass

    engine: Any = SimpleNamespace(MachineMeasurement=lambda *_, **__: Over())
    machine: Any = SimpleNamespace(engine_machine=SimpleNamespace(is_this_one=True))

    with pytest.raises(makespan.Interrupted, match="interrupted after 7 of 7 steps"):
        measure(engine, machine, 1.0, None, lambda _: None)


def test_the_prices_of_a_command_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    plain_book(3).write_csv("book.csv")
    heard = _Listeners.hear

    def hear(self: _Listeners, state: Any, done: int, total: int) -> None:
        heard(self, state, done, total)
        if done == total:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(_Listeners, "hear", hear)

    assert main(["price", "book.csv", "--paths", "1000"]) == 130
    said = capsys.readouterr()
    assert said.err == "makespan: interrupted after 3 of 3 options\n"
    assert "wrote prices.csv" in said.out
    assert pl.read_csv("prices.csv")["status"].to_list() == ["ok"] * 3


def test_the_prices_of_a_command_are_written_when_it_is_the_table_that_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    plain_book(3).write_csv("book.csv")

    def pressed(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(PriceCommand, "_show", pressed)

    assert main(["price", "book.csv", "--paths", "1000"]) == 130
    assert capsys.readouterr().err == "makespan: interrupted after 3 of 3 options\n"
    assert pl.read_csv("prices.csv")["status"].to_list() == ["ok"] * 3


HESTON: dict[str, Any] = {
    "volatility": None,
    "heston_v0": 0.04,
    "heston_kappa": 2.0,
    "heston_theta": 0.05,
    "heston_sigma": 0.3,
    "heston_rho": -0.7,
}
"""Rows with it have sensitivities without any other table."""


def pressed_at(monkeypatch: pytest.MonkeyPatch, call: int) -> None:
    """Ctrl-C at the end of a book's own prices (1), or at the first of those that follow (2)."""
    calls = []

    def wait(self: fake_core.PricingRun, seconds: float) -> dict[str, Any]:
        state = waited(self, seconds)
        if self not in calls:
            calls.append(self)
            if len(calls) == call:
                signal.raise_signal(signal.SIGINT)
                state["done"] = call == 1
        return state

    waited = fake_core.PricingRun.wait
    monkeypatch.setattr(fake_core.PricingRun, "wait", wait)
    if call == 2:
        monkeypatch.setattr(fake_core.PricingRun, "take_finished", first_only(calls))


def first_only(calls: list[Any]) -> Callable[[Any], Any]:
    """Finished rows of the first run alone."""
    taken = fake_core.PricingRun.take_finished

    def take(run: fake_core.PricingRun) -> Any:
        return taken(run) if run is calls[0] else np.zeros(0, np.int64)

    return take


@pytest.mark.usefixtures("fake_engine")
@pytest.mark.parametrize(
    ("call", "said"), [(1, r"0 of \d+ sensitivities"), (2, r"0 of \d+ prices of sensitivities")]
)
def test_all_prices_are_written_when_sensitivities_are_interrupted(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    call: int,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    plain_book(3, **HESTON).write_csv("book.csv")
    pressed_at(monkeypatch, call)

    assert main(["price", "book.csv", "--sensitivities", "points"]) == 130

    err = capsys.readouterr().err
    assert "wrote prices.csv, without sensitivities\n" in err
    assert re.search(f"interrupted after {said}", err)
    assert pl.read_csv("prices.csv")["price"].null_count() == 0
    assert json.loads(Path("prices.record.json").read_text())["sensitivities"] is None
    assert not Path("prices.sensitivities.csv").exists()


@pytest.mark.usefixtures("fake_engine")
def test_a_function_writes_them_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed_at(monkeypatch, 1)
    path = tmp_path / "prices.csv"

    with pytest.raises(makespan.Interrupted, match="sensitivities") as caught:
        makespan.price(plain_book(3, **HESTON), sensitivities="points", output=path)

    assert pl.read_csv(path)["price"].to_list() == caught.value.result.table["price"].to_list()


@pytest.mark.usefixtures("fake_engine")
def test_a_book_without_sensitivities_is_not_told_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    pressed_at(monkeypatch, 1)

    with pytest.raises(makespan.Interrupted, match="3 of 3 options") as caught:
        makespan.price(plain_book(3), sensitivities="points")

    assert caught.value.result.sensitivities.height == 0


def test_the_table_of_a_grid_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.toml").write_text(FIELD)
    tell = FieldRun._tell

    def told(self: FieldRun, step: int) -> None:
        tell(self, step)
        if step == 20:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(FieldRun, "_tell", told)

    assert main(["diffuse", "in.toml", "--threads", "1", "-o", "out"]) == 130
    said = capsys.readouterr()
    assert said.err == "makespan: interrupted after 20 of 20 steps\n"
    assert "result " in said.out
    assert pl.read_csv("out/table.csv")["step"].to_list() == [0, 5, 10, 15, 20]


ENDING = """
import atexit, os, subprocess, time, makespan

makespan.map(abs, [1])
if os.environ["PMI_RANK"] == "1":
    atexit.register(time.sleep, 5)
else:
    atexit.register(subprocess.Popen, ["sh", "-c", f"sleep 1; kill -INT {os.getpid()}"])
"""
"""An image that waits for the other one to end, and gets the signal there."""


@needs_mpi
def test_one_that_comes_while_images_wait_for_each_other_ends_them_without_a_traceback(
    tmp_path: Path,
) -> None:
    ended = end_of_program(tmp_path, ENDING, 2)

    assert ended.returncode != 0
    assert "Traceback" not in ended.stderr + ended.stdout
    assert "ignored" not in ended.stderr + ended.stdout
