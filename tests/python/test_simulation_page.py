# SPDX-License-Identifier: Apache-2.0
"""Pages of `makespan simulate`, in a browser without a network and as text."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import shown
from makespan.report.joined_spans import first_of_joined, longest
from makespan.sim.comparison import Case, Way, compare, compare_each, ways_of
from makespan.sim.machine_text import machine_of
from makespan.sim.outcome import Simulation
from makespan.sim.page import simulation_html
from makespan.sim.sweep import read_sweep
from makespan.sim.sweep_page import sweep_html
from makespan.sim.tasks import made_tasks
from with_simulator import needs_simulator

import makespan
from makespan.sim import page as simulation_page

TABLES: dict[str, Any] = {
    "kind": {"<slow>": {"speed": 100.0}, "fast": {"speed": 400.0}},
    "node": [{"devices": ["2 <slow>", "fast"]}],
    "run": {"perturb": ["slow:1@0.2:2", "fail:0@0.3"]},
}


def some_ways() -> list[Way]:
    named = (("equal_time", "steal"), ("self", "counter"), ("static", "static"))
    return [way for pair in named for way in ways_of(*pair)]


def page(case: Case, ways: list[Way]) -> str:
    found = compare(Case(case.machine, case.tasks, spans=10**6), ways)
    return simulation_html(Simulation(case, ways, [case], [found]), found[:2])


@needs_simulator
def test_a_page_has_bars_schedules_and_what_happens(tmp_path: Path) -> None:
    case = Case(machine_of("<m> & n", TABLES), made_tasks("500:lognormal"))
    path = tmp_path / "page.html"
    path.write_text(page(case, some_ways()[:2]))

    seen = shown(path, tmp_path / "profile")

    assert seen.complaints == []
    text = path.read_text()
    assert "<title>makespan simulate: &lt;m&gt; &amp; n</title>" in text
    assert text.count("<h2>Schedule by ") == 2
    assert "device 1 (&lt;slow&gt;) takes 2 times as long" in _plain(text)
    assert "device 0 (&lt;slow&gt;) fails" in _plain(text)
    assert "<slow>" not in text.replace("\\u003c", "<!").split("</script>", 1)[1]


def _plain(text: str) -> str:
    """As plotly writes it in scripts, read back."""
    return text.replace("\\u003c", "<").replace("\\u003e", ">").replace("\\u0026", "&")


@needs_simulator
def test_what_is_never_done_is_named() -> None:
    dying = {**TABLES, "run": {"perturb": [f"fail:{device}@0.01" for device in range(3)]}}
    case = Case(machine_of("m", dying), made_tasks("500"))

    ways = some_ways()[:1]
    found = compare(case, ways)
    text = simulation_html(Simulation(case, ways, [case], [found]), [])

    assert math.isinf(found[0].over_ideal)
    assert "never done" in text
    assert "<h2>Makespan over the ideal</h2>" not in text


@needs_simulator
@pytest.mark.parametrize("workers", [1, 3, 64, 65, 1000])
def test_a_schedule_has_so_many_rows(workers: int) -> None:
    tables = {
        "kind": {"cpu": {"speed": 1.0, "threads": workers}, "gpu": {"speed": 50.0}},
        "node": [{"devices": ["cpu", "gpu"]}],
    }
    case = Case(machine_of("m", tables), made_tasks("5000"))

    text = page(case, some_ways()[:1])

    note = f"64 of {workers + 1} workers are shown"
    assert (note in text) == (workers + 1 > simulation_page.ROWS_MAX)
    # However many threads there are, the other device has its row.
    assert f'"{workers} gpu"' in text


@needs_simulator
def test_a_sweep_has_a_line_for_each_way(tmp_path: Path) -> None:
    machine = machine_of("m", {key: TABLES[key] for key in ("kind", "node")})
    case = Case(machine, made_tasks("500"))
    sweep = read_sweep("nodes=1,2,40", machine.kinds)
    points, ways = sweep.points(case, [[]], None), some_ways()
    found = compare_each(points, ways)
    path = tmp_path / "page.html"
    path.write_text(sweep_html(Simulation(case, ways, points, found, sweep)))

    seen = shown(path, tmp_path / "profile")

    assert seen.complaints == []
    text = path.read_text()
    for way in ways:
        assert f'"{way.text}"' in text
    assert '"ideal"' in text
    assert '"type":"log"' in text


def test_rows_are_chosen_of_a_million_workers() -> None:
    """In a second: the time goes with the number of workers."""
    chosen = simulation_page._chosen(range(1_000_000))

    assert len(chosen) == simulation_page.ROWS_MAX
    assert chosen[0] == 0


def test_spans_are_joined_where_there_are_too_many() -> None:
    begin = np.tile(np.arange(1000.0), 2)
    row = np.repeat([0, 1], 1000)

    assert len(first_of_joined(row, begin, begin + 0.5, 5000)) == 2000
    some = first_of_joined(row, begin, begin + 0.5, 500)
    assert 2 <= len(some) <= 500
    assert set(row[some]) == {0, 1}
    # Rows stay apart, however few bars are asked for.
    assert len(first_of_joined(row, begin, begin + 0.5, 1)) == 2


def test_of_many_spans_the_longest_are_kept() -> None:
    begin = np.arange(100.0)
    length = np.where(np.arange(100) % 10 == 3, 0.5, 0.1)

    assert longest(begin, begin + length, 10).tolist() == list(range(3, 100, 10))
    assert longest(begin, begin + length, 100).tolist() == list(range(100))


@needs_simulator
def test_a_report_is_written_of_several_ways(tmp_path: Path) -> None:
    file = tmp_path / "page.html"

    makespan.simulate(TABLES, "1000", policy="guided,self:chunk_items=4", report=file)

    text = file.read_text(encoding="utf-8")
    assert "guided, steal" in text
    assert "self:chunk_items=4, steal" in text
