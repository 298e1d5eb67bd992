# SPDX-License-Identifier: Apache-2.0
"""Draws three images and four ways between them: docs/index.md's picture of the runtime.

python tools/runtime_picture.py docs/pictures/runtime.png
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle

INK = "#22303c"
THREAD = "#3b6ea5"
HEAP = "#e6e6e6"
COUNTER = "#e0a030"
WIDTH = 3.0  # of an image
STRIDE = 4.7  # from image to image
THREAD_Y = 2.4
HEAP_Y = 0.4
CELLS = 6


def _thread_x(image: int) -> float:
    return STRIDE * image + WIDTH / 2


def _cell_x(image: int, cell: int) -> float:
    return STRIDE * image + 0.2 + (cell + 0.5) * (WIDTH - 0.4) / CELLS


def _draw_image(axes: Axes, image: int) -> None:
    left = STRIDE * image
    axes.add_patch(Rectangle((left, 0), WIDTH, 3.5, fill=False, edgecolor=INK, linewidth=1))
    axes.text(left + WIDTH - 0.15, 0.1, f"image {image}", color=INK, ha="right")
    axes.add_patch(Rectangle((left + 0.9, THREAD_Y), WIDTH - 1.8, 0.7, color=THREAD))
    axes.text(_thread_x(image), THREAD_Y + 0.35, "thread", color="w", ha="center", va="center")
    cell_width = (WIDTH - 0.4) / CELLS
    for cell in range(CELLS):
        is_counter = image == 0 and cell == CELLS - 1
        axes.add_patch(
            Rectangle(
                (left + 0.2 + cell * cell_width, HEAP_Y),
                cell_width,
                0.6,
                facecolor=COUNTER if is_counter else HEAP,
                edgecolor="w",
            )
        )
    axes.text(left + 0.2, 0.1, "heap", color=INK, fontsize=8)


def _arrow(axes: Axes, begin: tuple[float, float], end: tuple[float, float], bend: float) -> None:
    axes.add_patch(
        FancyArrowPatch(
            begin,
            end,
            connectionstyle=f"arc3,rad={bend}",
            arrowstyle="-|>",
            mutation_scale=11,
            color=INK,
            linewidth=1.2,
        )
    )


def draw() -> Figure:
    """The whole picture."""
    mpl.rcParams.update({"font.size": 9})
    figure = Figure(figsize=(8, 2.9), layout="constrained")
    axes = figure.subplots()
    axes.set(xlim=(-0.1, 2 * STRIDE + WIDTH + 0.1), ylim=(-0.1, 5.1))
    axes.set_aspect("equal")
    axes.axis("off")
    for image in range(3):
        _draw_image(axes, image)
    heap_top = HEAP_Y + 0.6
    _arrow(axes, (_thread_x(0) + 0.6, THREAD_Y + 0.2), (_cell_x(1, 1), heap_top), -0.15)
    gap = (WIDTH + STRIDE) / 2
    axes.text(gap, 2.55, "put", ha="center", color=INK)
    _arrow(axes, (_cell_x(2, 1), heap_top), (_thread_x(1) + 0.6, THREAD_Y + 0.2), 0.15)
    axes.text(STRIDE + gap, 2.55, "get", ha="center", color=INK)
    _arrow(axes, (_thread_x(1) - 0.3, THREAD_Y), (_cell_x(0, CELLS - 1), heap_top), 0.12)
    axes.text(gap, 0.6, "fetch_add", ha="center", color=INK)
    _arrow(axes, (_thread_x(0), THREAD_Y + 0.7), (_thread_x(2), THREAD_Y + 0.7), -0.22)
    axes.text(_thread_x(1), 4.7, "rpc: a call that a thread there runs", ha="center", color=INK)
    return figure


def main() -> int:
    """Writes the picture."""
    out = Path(sys.argv[1])
    draw().savefig(out, dpi=150)
    print(f"written: {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
