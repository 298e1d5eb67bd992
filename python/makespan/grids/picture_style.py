# SPDX-License-Identifier: Apache-2.0
"""How all pictures look, whatever the user's matplotlib is told; and how they are written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from makespan.files.atomic import write_files

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DOTS_PER_INCH = 200
INK = "#22303c"
LINE = "#2f6ba6"
MARK = "#c0392b"
FAINT = "#8a949e"
BLANK = "#d5d8dc"
"""Where there is nothing to be shown."""

_STYLE = {
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.labelsize": 9,
    "axes.linewidth": 0.7,
    "axes.titlelocation": "left",
    "axes.titlesize": 9.5,
    "font.size": 8.5,
    "image.interpolation": "nearest",
    "image.origin": "lower",
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "text.color": INK,
    "xtick.color": INK,
    "xtick.labelsize": 8,
    "ytick.color": INK,
    "ytick.labelsize": 8,
}


def write_figure(path: Path, draw: Callable[[], Figure]) -> None:
    """Writes what `draw` gives as PNG, whole or not at all: the same bytes for the same data.

    Raises `InputError` if the disk refuses.
    """
    import matplotlib.style

    def write(temporary: Path) -> None:
        # Fonts and sizes count when a figure is drawn, too. Software would tell the version.
        draw().savefig(temporary, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})

    with matplotlib.style.context(["default", _STYLE]):
        write_files({path: write})


def open_frame(axes: Axes) -> None:
    """Only the axes themselves, for curves."""
    axes.spines[["top", "right"]].set_visible(False)
