# SPDX-License-Identifier: Apache-2.0
"""Names that come from outside are text in every page, whatever is in them.

Method: each is an element of HTML, which no page must have.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from makespan.base.engine import load_engine
from makespan.grids.outcome import GridOutcome
from makespan.grids.page import grid_html
from makespan.machines.known_machine import KnownMachine
from makespan.machines.outcome import CostMatrix, Domains, result_of
from makespan.machines.page import machine_html
from makespan.melting.input import MELT_FILE
from makespan.melting.outputs import MeltFiles
from makespan.melting.page import melt_html
from makespan.melting.run import Wishes, joined_team, run_melt
from makespan.sim.comparison import Case, compare_each, ways_of
from makespan.sim.machine_text import machine_of
from makespan.sim.outcome import Simulation
from makespan.sim.sweep import read_sweep
from makespan.sim.sweep_page import sweep_html
from makespan.sim.tasks import made_tasks
from small_melt import small_input
from with_simulator import needs_simulator

NAME = "<img/src=x>"
BOTH = ("Core 0", NAME)
ONES = np.ones((2, 2))


def expect_text(page: str) -> None:
    """The name is shown, and nowhere an element, nor in scripts, where `<` is \\u003c."""
    assert "&lt;img/src=x&gt;" in page
    assert "<img/src=x" not in page
    assert "\\u003cimg" not in page


def test_of_a_machine() -> None:
    machine = result_of(KnownMachine(load_engine().Machine.synthetic("core:2 pu:1"), NAME))
    root, *below = machine.tree
    named = replace(
        machine,
        tree=(root, *({**one, "name": NAME} for one in below)),
        matrices=(CostMatrix(NAME, "latency", "s", BOTH, BOTH, ONES),),
        domains=Domains(BOTH, ONES, ONES, ONES, ONES, NAME, NAME),
        sampling=NAME,
    )

    expect_text(machine_html(named))


def test_of_a_grid() -> None:
    """What it measured stands for all lines of the summary."""
    given = cast(Any, SimpleNamespace(source=NAME))
    outcome = GridOutcome("diffuse", given, cast(Any, None), 1, 1, (4, 4, 4), 1)
    outcome.report = {"devices": []}
    outcome.measures = {NAME: NAME}

    expect_text(grid_html(outcome))


def test_of_a_melt(tmp_path: Path) -> None:
    engine = load_engine()
    given = MELT_FILE.read(small_input(tmp_path)).with_keywords({"steps": 0})
    with joined_team(engine, 1) as team:
        outcome = run_melt(engine, team, given, MeltFiles(), Wishes())
    named = replace(
        outcome,
        given=replace(given, source=NAME),
        virtual={"machine": NAME, "costs": NAME},
    )

    expect_text(melt_html(named))


@needs_simulator
def test_of_a_sweep() -> None:
    tables: dict[str, Any] = {
        "kind": {NAME: {"speed": 1.0}},
        "node": [{"devices": [f"2 {NAME}"]}],
    }
    case = Case(machine_of(NAME, tables), made_tasks("100"))
    sweep = read_sweep("nodes=1,2", case.machine.kinds)
    ways = list(ways_of("static", "static"))
    points = sweep.points(case, [[]], None)

    expect_text(sweep_html(Simulation(case, ways, points, compare_each(points, ways), sweep)))
