# SPDX-License-Identifier: Apache-2.0
"""A line scan as microscopes show it: time to the right, the line upwards, F/F0 as colour."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from makespan.grids.calcium.line_scan import ScanImage
from makespan.grids.picture_style import write_figure

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

LIGHT = "F/F₀"
LIGHT_MIN_MAX = 1.1
"""Colours and axes go up to at least this, so that rounding does not look like a spark."""

_SIZE_IN = (5.6, 2.6)


def write_scan(path: Path, image: ScanImage) -> None:
    """Writes the picture (PNG) of at least one line. Raises `InputError` if the disk refuses."""
    write_figure(path, lambda: _figure(image))


def draw_scan(axes: Axes, image: ScanImage) -> QuadMesh:
    """Draws into axes; returns what a scale of colours can be made for."""
    low, high = light_range(image)
    mesh = axes.pcolormesh(
        edges(image.times),
        edges(image.positions),
        image.light.T,
        cmap="inferno",
        vmin=low,
        vmax=high,
        rasterized=True,
    )
    axes.set_xlabel("t (ms)")
    axes.set_ylabel("x (µm)")
    return mesh


def light_range(image: ScanImage) -> tuple[float, float]:
    """What colours and axes go from and to; F/F0 of 1 is always in it."""
    return min(1.0, float(image.light.min())), max(LIGHT_MIN_MAX, float(image.light.max()))


def edges(middles: Numbers) -> Numbers:
    """Where values end that stand for what is around them: halfway, and as far beyond the ends."""
    import numpy as np

    if len(middles) == 1:
        return np.array([middles[0] - 0.5, middles[0] + 0.5])
    between = (middles[1:] + middles[:-1]) / 2
    first, last = 2 * middles[0] - between[0], 2 * middles[-1] - between[-1]
    return np.concatenate([[first], between, [last]])


def _figure(image: ScanImage) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE_IN, layout="constrained")
    axes = figure.subplots()
    mesh = draw_scan(axes, image)
    bar = figure.colorbar(mesh, ax=axes, label=LIGHT, pad=0.02, aspect=18)
    bar.outline.set_linewidth(0.5)
    axes.set_title("Line scan")
    return figure
