# SPDX-License-Identifier: Apache-2.0
"""What the pictures of these examples have in common."""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

INK = "#22303c"
COLOURS = ("#3b6ea5", "#e0a030", "#c03050", "#5f9e6e", "#8a949e")
_STYLE = {
    "font.size": 9,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "svg.hashsalt": "makespan",
    "text.color": INK,
}


def asked_picture(words: str | None) -> Path | None:
    """Where `--picture FILE` says, if it does."""
    parser = argparse.ArgumentParser(description=words)
    parser.add_argument("--picture", type=Path, help="write a picture here: .svg, .png, .pdf")
    path: Path | None = parser.parse_args().picture
    return path


def frames(rows: int, columns: int, size: tuple[float, float]) -> tuple[Figure, list[Axes]]:
    """A picture with so many frames, row by row; size in inches."""
    mpl.rcParams.update(_STYLE)
    figure = Figure(figsize=size, layout="constrained")
    return figure, list(figure.subplots(rows, columns, squeeze=False).flat)


def save(figure: Figure, path: Path) -> None:
    """The same bytes for the same data."""
    metadata = {"Date": None} if path.suffix == ".svg" else {}
    figure.savefig(path, dpi=150, metadata=metadata)
    print(f"written: {path}")
