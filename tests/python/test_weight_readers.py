# SPDX-License-Identifier: Apache-2.0
"""Weights, read by the programs that they are for: each divides a grid of 400 points by them."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from makespan.machines.weights.metis import metis_text
from makespan.machines.weights.part import Part, WeightedParts
from makespan.machines.weights.scotch import scotch_text

SIDE = 20
POINTS = SIDE * SIDE
SPEEDS = (4.0, 4.0, 1.0, 1.0)
SHARES = [POINTS * speed / sum(SPEEDS) for speed in SPEEDS]
OFF_MAX = 0.05 * POINTS
"""Programs may be off by some percent of a part for the sake of a shorter border."""
PARTS = [Part(f"Core {n}", speed, (n,), n // 2) for n, speed in enumerate(SPEEDS)]
LATENCIES_S = [
    [0.0 if a == b else 3e-8 if a // 2 == b // 2 else 12e-8 for b in range(4)] for a in range(4)
]
GMAP = shutil.which("scotch_gmap") or shutil.which("gmap")

needs_scotch = pytest.mark.skipif(
    GMAP is None or shutil.which("atst") is None, reason="no programs of Scotch here (apt: scotch)"
)
needs_metis = pytest.mark.skipif(
    shutil.which("gpmetis") is None, reason="no gpmetis here (apt: metis)"
)


def neighbours(point: int) -> list[int]:
    row, column = divmod(point, SIDE)
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * SIDE + c for r, c in near if 0 <= r < SIDE and 0 <= c < SIDE]


def run(folder: Path, *arguments: str) -> str:
    ended = subprocess.run(
        arguments, cwd=folder, capture_output=True, text=True, timeout=60, check=True
    )
    return ended.stdout


def assert_shares(parts: list[int]) -> None:
    found = Counter(parts)
    assert [found[part] for part in range(len(SPEEDS))] == pytest.approx(SHARES, abs=OFF_MAX)


@needs_metis
def test_gpmetis_divides_by_them(tmp_path: Path) -> None:
    rows = [" ".join(str(other + 1) for other in neighbours(point)) for point in range(POINTS)]
    edges = sum(len(neighbours(point)) for point in range(POINTS)) // 2
    (tmp_path / "grid").write_text(f"{POINTS} {edges}\n" + "\n".join(rows) + "\n")
    (tmp_path / "weights").write_text(metis_text(WeightedParts(PARTS)))

    run(tmp_path, "gpmetis", "-tpwgts=weights", "grid", "4")

    assert_shares([int(line) for line in (tmp_path / "grid.part.4").read_text().split()])


@needs_scotch
@pytest.mark.parametrize("latencies_s", [None, LATENCIES_S], ids=["cmpltw", "deco"])
def test_gmap_divides_by_them(tmp_path: Path, latencies_s: list[list[float]] | None) -> None:
    rows = [
        f"{len(neighbours(point))} {' '.join(map(str, neighbours(point)))}"
        for point in range(POINTS)
    ]
    arcs = sum(len(neighbours(point)) for point in range(POINTS))
    (tmp_path / "grid").write_text(f"0\n{POINTS} {arcs}\n0 000\n" + "\n".join(rows) + "\n")
    (tmp_path / "target").write_text(scotch_text(WeightedParts(PARTS, latencies_s=latencies_s)))

    tested = run(tmp_path, "atst", "target")
    run(tmp_path, str(GMAP), "grid", "target", "mapping")

    assert f"nbr={len(SPEEDS)}" in tested
    assert f"max={1 if latencies_s is None else 40}\t" in tested
    lines = (tmp_path / "mapping").read_text().splitlines()[1:]
    assert_shares([int(line.split()[1]) for line in lines])
