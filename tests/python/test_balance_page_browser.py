# SPDX-License-Identifier: Apache-2.0
"""The page of `makespan balance` in a browser without a network: bars and maps, both drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import shown
from makespan.base.engine import load_engine
from makespan.graph.input import BALANCE_SETTINGS
from makespan.graph.objects_table import Edges, ObjectsTable
from makespan.graph.outcome import Balanced
from makespan.graph.page import balance_html
from makespan.graph.run import BalanceRun
from makespan.settings.setting import defaults


def compared(objects: int, places: int, nodes: int | None = None, **more: Any) -> Balanced:
    """A ring of objects, all at place 0."""
    numbers = np.arange(objects, dtype=np.int32)
    edges = Edges(
        sender=numbers,
        receiver=np.roll(numbers, -1),
        messages=np.ones(objects),
        bytes=np.full(objects, 2048.0),
    )
    graph = ObjectsTable(
        source="<a> & b",
        kinds=("cpu",),
        ids=range(objects),
        work=np.full((objects, 1), 1e-3),
        bytes=np.zeros(objects),
        place=np.zeros(objects, dtype=np.int32),
        fixed=np.zeros(objects, dtype=np.bool_),
        edges=edges,
        notes=("Something was left out.",),
    )
    asked = {"balancer": "greedy", "places": places, "nodes": nodes, **more}
    return BalanceRun(load_engine(), defaults(BALANCE_SETTINGS) | asked).run(lambda: graph)


def test_bars_and_maps_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "balance.html"
    path.write_text(balance_html(compared(objects=8, places=4)))

    seen = shown(path, tmp_path / "profile")

    assert seen.complaints == []
    assert seen.texts("h1") == ["makespan balance: <a> & b"]
    assert seen.texts("h2") == ["Time by place", "Traffic"]
    assert "Something was left out." in seen.texts("p", "note")
    # Computing and messages of 4 places, twice; places without any have bars of no height.
    assert len(seen.paths("barlayer", "point")) == 16
    assert len([e for e in seen.elements if e.tag == "image" and "hm" in e.classes]) == 2
    titles = seen.texts("text", "annotation-text")
    assert titles[0] == "now: 8 ms"
    assert titles[1].startswith("greedy: 2.0")
    assert titles[2] == "now: 0 B"
    assert titles[3] == "greedy: 16 KiB"
    numbers = [text for text in seen.texts("text", "heatmap-label") if text]
    assert set(numbers) == {"4 KiB"}
    assert {"computing", "messages"} <= set(seen.texts("text", "legendtext"))
    cells = seen.texts("td")
    assert "now" in cells
    assert "16 KiB" not in cells  # one domain: nothing goes to another


def test_phases_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "balance.html"
    found = compared(objects=8, places=4, phases=9, perturb=["slow:1@3:4"])
    path.write_text(balance_html(found))

    seen = shown(path, tmp_path / "profile")

    assert seen.complaints == []
    assert seen.texts("h2")[0] == "9 phases, balanced on the way"
    assert {"never", "greedy", "ideal"} <= set(seen.texts("text", "legendtext"))
    assert "place 1: 4 times as long" in seen.texts("text", "annotation-text")


@pytest.mark.parametrize(
    ("places", "nodes", "note"),
    [
        pytest.param(
            1100, None, "Each row and column is 9 neighbouring places.", marks=pytest.mark.slow
        ),
        (100, 11, "Places of a domain are one row and column."),
    ],
)
def test_many_places_are_put_together(
    tmp_path: Path, places: int, nodes: int | None, note: str
) -> None:
    path = tmp_path / "balance.html"
    path.write_text(balance_html(compared(objects=3000, places=places, nodes=nodes)))

    seen = shown(path, tmp_path / "profile")

    assert seen.complaints == []
    notes = seen.texts("p", "note")
    assert any("Each bar is the longest of 3 neighbouring places" in text for text in notes)
    assert any(note in text for text in notes)
    assert len([e for e in seen.elements if e.tag == "image" and "hm" in e.classes]) == 2
