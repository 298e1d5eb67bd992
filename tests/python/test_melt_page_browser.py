# SPDX-License-Identifier: Apache-2.0
"""The page of `makespan melt` in a browser without a network: all of its pictures are drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from browser import shown
from makespan.base.engine import load_engine
from makespan.melting.input import MELT_FILE
from makespan.melting.loads import Loads
from makespan.melting.outcome import MeltOutcome
from makespan.melting.outputs import MeltFiles
from makespan.melting.page import melt_html
from makespan.melting.run import Wishes, joined_team, run_melt
from small_melt import small_input


def melted(folder: Path, threads: int, **keys: object) -> MeltOutcome:
    engine = load_engine()
    given = MELT_FILE.read(small_input(folder)).with_keywords(keys)
    with joined_team(engine, threads) as team:
        return run_melt(engine, team, given, MeltFiles(), Wishes())


def test_all_pictures_are_drawn(tmp_path: Path) -> None:
    outcome = melted(tmp_path, 2, when=1, balancer="random")
    path = tmp_path / "melt.html"
    path.write_text(melt_html(outcome))

    seen = shown(path, tmp_path / "profile")

    assert seen.complaints == []
    assert seen.texts("h1")[0].startswith("makespan melt: ")
    titles = ["Loads by place", "Loads by object", "Loads in the box", "Phases"]
    assert seen.texts("h2") == titles
    # Cells and computes of two places, in the first phase and in the last.
    assert len(seen.paths("barlayer", "point")) == 8
    # Objects twice; the cost of cells, and their places twice.
    assert len([e for e in seen.elements if e.tag == "image" and "hm" in e.classes]) == 5
    assert {"computes", "cells", "phase", "objects moved before it"} <= set(
        seen.texts("text", "legendtext")
    )
    assert "-6.7733681" in seen.texts("td")


@pytest.mark.parametrize("steps", [0, 3])
def test_a_short_run_on_one_place_has_a_page(tmp_path: Path, steps: int) -> None:
    page = melt_html(melted(tmp_path, 1, steps=steps))

    assert ("Loads by place" in page) == (steps > 0)
    assert ("No phase was over" in page) == (steps == 0)
    assert "places of cells" not in page


def test_no_time_is_lost_between_objects_places_and_cells(tmp_path: Path) -> None:
    outcome = melted(tmp_path, 2)
    loads = Loads.of(outcome, outcome.report["first_shares"])

    whole = loads.seconds.sum()
    by_place = loads.by_place(of_cells=True) + loads.by_place(of_cells=False)
    assert by_place.sum() == pytest.approx(whole)
    assert loads.by_cell(outcome.system).sum() == pytest.approx(whole)
    assert sum(len(row) for row in loads.ranked()) == 15 * 27
    assert all((np.diff(row) <= 0).all() for row in loads.ranked())
