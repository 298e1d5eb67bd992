# SPDX-License-Identifier: Apache-2.0
"""Draws what `make bench-transfers` measured: time and bandwidth of puts and gets over their size.

python tools/transfers_picture.py build/bench/transfers.json docs/pictures/transfers.png
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

NAMES = {"message": "messages", "rma": "UCX's put and get", "chosen": "chosen", "ucx": "bare UCX"}
STYLES: dict[str, dict[str, Any]] = {
    "message": {"color": "#3b6ea5", "marker": "o"},
    "rma": {"color": "#e0a030", "marker": "s"},
    "chosen": {"color": "#22303c", "marker": ".", "linestyle": "--"},
    "ucx": {"color": "#b04a3a", "marker": "^"},
}
PANELS = {
    "put": "put and flush, one at a time [µs]",
    "get": "get, one at a time [µs]",
    "put_many": "puts, many under way [MB/s]",
    "get_many": "gets, many under way [MB/s]",
}


def draw_panel(axes: Axes, figures: list[dict[str, Any]], operation: str) -> None:
    """Draw one operation's medians over sizes."""
    scale = 1e6 if operation in {"put", "get"} else 1e-6
    for name, label in NAMES.items():
        points = sorted(
            (figure["size"], statistics.median(figure["blocks"]) * scale)
            for figure in figures
            if figure["contestant"] == name and figure["operation"] == operation
        )
        axes.plot(*zip(*points, strict=True), label=label, markersize=4, **STYLES[name])
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks([8, 512, 32768, 2097152], ["8 B", "512 B", "32 KiB", "2 MiB"])
    axes.set_title(PANELS[operation], fontsize=9)
    axes.grid(alpha=0.3)


def main() -> None:
    """Draw the run over TCP."""
    result, picture = Path(sys.argv[1]), Path(sys.argv[2])
    mpl.rcParams["font.size"] = 8
    figures = json.loads(result.read_text(encoding="utf-8"))["transports"]["tcp"]
    figure = Figure(figsize=(8, 5.4), layout="constrained")
    panels = figure.subplots(2, 2)
    for axes, operation in zip(panels.flat, PANELS, strict=True):
        draw_panel(axes, figures, operation)
    panels[0, 0].legend(fontsize=8)
    figure.savefig(picture, dpi=150, metadata={"Software": None})


if __name__ == "__main__":
    main()
