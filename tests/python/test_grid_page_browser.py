# SPDX-License-Identifier: Apache-2.0
"""The page of a grid in a browser without a network: all of its pictures are drawn."""

from __future__ import annotations

from pathlib import Path

from browser import shown
from small_grids import FIELD, run


def test_all_pictures_are_drawn(tmp_path: Path) -> None:
    (tmp_path / "field.toml").write_text(FIELD)
    words = ("--threads", 2, "--devices", "cpu cpu", "--report", "page.html", "-q")
    assert run(tmp_path, "diffuse", "field.toml", *words).returncode == 0

    seen = shown(tmp_path / "page.html", tmp_path / "profile")

    assert seen.complaints == []
    assert seen.texts("h1") == ["makespan diffuse: field.toml"]
    titles = ["Where the time of each device went", "Planes by device", "The table"]
    assert seen.texts("h2") == titles
    # Seven parts of the time of two devices, and their planes.
    assert len(seen.paths("barlayer", "point")) == 16
    parts = ["interior", "boundary", "pack", "send", "wait", "unpack", "rest"]
    assert seen.texts("text", "legendtext") == parts
    # Least, most and mean, each at steps 0, 5, 10, 15 and 20.
    assert len(seen.paths("scatterlayer", "point")) == 15
    assert {"image 0, device 0", "image 0, device 1"} <= set(seen.texts("td"))
