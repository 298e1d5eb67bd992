# SPDX-License-Identifier: Apache-2.0
"""A spark on one page: line scan, profile, time course, a slice at the peak, and its measures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from makespan.grids.calcium.line_scan import ScanImage
from makespan.grids.calcium.scan_picture import LIGHT, draw_scan, light_range
from makespan.grids.calcium.spark_measures import SparkMeasures, measured
from makespan.grids.picture_style import FAINT, LINE, MARK, open_frame, write_figure
from makespan.grids.slice_picture import (
    FieldSlice,
    SliceLook,
    SliceRegions,
    draw_scale,
    draw_slice,
    plane_text,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZE_IN = (7.2, 5.4)


@dataclass(frozen=True, slots=True)
class PeakSlice:
    """A slice of a field, at the time of the peak or near it."""

    shown: FieldSlice
    look: SliceLook
    regions: SliceRegions | None = None


def write_spark(
    path: Path, image: ScanImage, slice_at_peak: PeakSlice | None = None, release: float = 0.0
) -> None:
    """Writes the figure (PNG) of at least one line; `release` is when it began [ms].

    Raises `InputError` if the disk refuses.
    """
    write_figure(path, lambda: _figure(image, slice_at_peak, measured(image, release)))


def measures_text(measures: SparkMeasures) -> str:
    """All of them in a line, those that there are."""
    peak = measures.peak
    if peak is None:
        return "No spark"
    parts = [f"Peak {LIGHT} {peak.light:.3g}"]
    if measures.time_to_peak is not None:
        parts.append(f"time to peak {measures.time_to_peak:.3g} ms")
    if measures.width is not None:
        parts.append(f"FWHM {measures.width.length:.3g} µm")
    if measures.duration is not None:
        parts.append(f"FDHM {measures.duration.length:.3g} ms")
    return ",   ".join(parts)


def _figure(image: ScanImage, slice_at_peak: PeakSlice | None, measures: SparkMeasures) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE_IN, layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1.55, 1))
    scan = figure.add_subplot(grid[0, 0])
    profile = figure.add_subplot(grid[0, 1], sharey=scan)
    course = figure.add_subplot(grid[1, 0], sharex=scan)
    mesh = draw_scan(scan, image)
    bar = figure.colorbar(mesh, ax=scan, label=LIGHT, pad=0.02, aspect=18)
    bar.outline.set_linewidth(0.5)
    _draw_profile(profile, image, measures)
    _draw_course(course, image, measures)
    if measures.peak is not None:
        scan.axhline(measures.peak.position, color="white", linewidth=0.6, linestyle=(0, (4, 3)))
        scan.axvline(measures.peak.time, color="white", linewidth=0.6, linestyle=(0, (4, 3)))
    when = "Last profile" if measures.peak is None else "Profile at the peak"
    titled = [(scan, "Line scan"), (profile, when), (course, "Time course")]
    if slice_at_peak is not None:
        axes = figure.add_subplot(grid[1, 1], anchor="W")
        drawn = draw_slice(axes, slice_at_peak.shown, slice_at_peak.look, slice_at_peak.regions)
        draw_scale(axes, drawn, slice_at_peak.look)
        titled.append((axes, plane_text(slice_at_peak.shown, slice_at_peak.look)))
    for letter, (axes, title) in zip("ABCD", titled, strict=False):
        axes.set_title(f"$\\bf{{{letter}}}$  {title}")
    figure.suptitle(measures_text(measures), fontsize=9.5, x=0.01, ha="left")
    return figure


def _draw_profile(axes: Axes, image: ScanImage, measures: SparkMeasures) -> None:
    peak, width = measures.peak, measures.width
    line = -1 if peak is None else peak.line
    axes.plot(image.light[line], image.positions, color=LINE)
    axes.set_xlabel(LIGHT)
    axes.set_ylabel("x (µm)")
    axes.set_xlim(*_with_room(image))
    open_frame(axes)
    if width is not None:
        _draw_span(axes, (width.half, width.begin), (width.half, width.end))
        middle = (width.half, (width.begin + width.end) / 2)
        _say(axes, f"FWHM\n{width.length:.3g} µm", middle, (-5, 0))


def _draw_course(axes: Axes, image: ScanImage, measures: SparkMeasures) -> None:
    peak, duration = measures.peak, measures.duration
    voxel = image.light.shape[1] // 2 if peak is None else peak.voxel
    axes.plot(image.times, image.light[:, voxel], color=LINE)
    axes.set_xlabel("t (ms)")
    axes.set_ylabel(LIGHT)
    axes.set_ylim(*_with_room(image))
    open_frame(axes)
    axes.axhline(1, color=FAINT, linewidth=0.6, linestyle=":")
    if peak is not None:
        axes.plot(peak.time, peak.light, marker="o", markersize=4, color=MARK)
    if duration is not None:
        _draw_span(axes, (duration.begin, duration.half), (duration.end, duration.half))
        middle = ((duration.begin + duration.end) / 2, duration.half)
        _say(axes, f"FDHM {duration.length:.3g} ms", middle, (0, 8))


def _draw_span(axes: Axes, begin: tuple[float, float], end: tuple[float, float]) -> None:
    axes.annotate(
        "",
        xy=end,
        xytext=begin,
        arrowprops={"arrowstyle": "<->", "color": MARK, "shrinkA": 0, "shrinkB": 0},
    )


def _say(axes: Axes, text: str, at: tuple[float, float], away: tuple[int, int]) -> None:
    """Text beside a place, so many points away: to its left if that is negative, or above it."""
    side = "right" if away[0] < 0 else "left" if away[0] > 0 else "center"
    axes.annotate(
        text, xy=at, xytext=away, textcoords="offset points", color=MARK, ha=side, va="center"
    )


def _with_room(image: ScanImage) -> tuple[float, float]:
    low, high = light_range(image)
    return low - 0.05 * (high - low), high + 0.05 * (high - low)
