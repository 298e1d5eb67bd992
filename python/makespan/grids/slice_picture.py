# SPDX-License-Identifier: Apache-2.0
"""A plane of a field as a picture, with the outlines of what lies in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from makespan.base.errors import MakespanError
from makespan.grids.picture_style import BLANK, write_figure
from makespan.job.overdue import warn_of_run

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_WIDTH_IN = 4.6
_ROOM_IN = (1.25, 0.85)  # beside the plane: labels and the scale of colours, right and up
_HEIGHT_IN = (1.0, 6.0)
_OUTLINES = ("#35c7e8", "#7ee05a", "#ff8fd2", "#ffffff")  # on colours from black to yellow
_OUTLINE_WIDTH = 0.8
_LEGEND_BELOW_PT = 30


class ScaleKind(Enum):
    """How colours follow values."""

    LINEAR = "linear"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class ColourScale:
    """Values beyond its ends have the colours of the ends; on a log scale both are above 0."""

    low: float
    high: float
    kind: ScaleKind = ScaleKind.LINEAR


@dataclass(frozen=True, slots=True)
class FieldSlice:
    """Values of a field at the points of one plane."""

    values: Numbers
    """Shape (up, right)."""
    sides: tuple[float, float]
    """Of a voxel, to the right and up."""
    plane: tuple[str, str]
    """Names of the axes to the right and up, as ("x", "y")."""
    across: str
    """Name of the third; empty where there is none."""
    position: float
    """Of the plane along the third: the middle of its voxels."""
    time: float

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom, top."""
        up, right = self.values.shape
        return 0.0, right * self.sides[0], 0.0, up * self.sides[1]


@dataclass(frozen=True, slots=True)
class SliceRegions:
    """What the voxels of a plane belong to."""

    numbers: NDArray[Any]
    """Shape (up, right)."""
    outlined: Mapping[int, str] = field(default_factory=dict)
    """Numbers of regions that get an outline, with their names for readers."""
    hidden: frozenset[int] = frozenset()
    """Those whose values mean something else, and are not shown."""


@dataclass(frozen=True, slots=True)
class SliceLook:
    """How a field is shown; the same for all its slices."""

    quantity: str
    """As readers know it."""
    unit: str = ""
    length_unit: str = "µm"
    time_unit: str = "ms"
    scale: ColourScale | None = None
    """None: linear, over the slice's own values."""


def write_slice(
    path: Path, shown: FieldSlice, look: SliceLook, regions: SliceRegions | None = None
) -> bool:
    """Writes the picture (PNG), or warns that values or sides so extreme cannot be drawn.

    Whether it is written. Raises `InputError` if the disk refuses.
    """
    import numpy as np

    try:
        with np.errstate(all="ignore"):
            write_figure(path, lambda: _figure(shown, look, regions))
    except MakespanError:
        raise
    except (ValueError, ArithmeticError) as error:  # of matplotlib, and of numpy's linear algebra
        warn_of_run(f"{path} is not drawn ({error}): the run goes on")
        return False
    return True


def scale_of(values: Numbers, kind: ScaleKind = ScaleKind.LINEAR) -> ColourScale:
    """From the smallest to the largest finite value; on a log scale of those above 0."""
    import numpy as np

    usable = values[np.isfinite(values)]
    if kind is ScaleKind.LOG:
        usable = usable[usable > 0]
    if not usable.size:
        return ColourScale(0.1, 1.0, kind)
    low, high = float(usable.min()), float(usable.max())
    if low == high:
        # Something around the one value, so that it is in the middle.
        low, high = (low / 2, high * 2) if kind is ScaleKind.LOG else (low - 0.5, high + 0.5)
    return ColourScale(low, high, kind)


def draw_slice(
    axes: Axes, shown: FieldSlice, look: SliceLook, regions: SliceRegions | None = None
) -> AxesImage:
    """Draws into axes; returns what a scale of colours can be made for."""
    import numpy as np

    visible = shown.values
    if regions is not None and regions.hidden:
        hides = np.isin(regions.numbers, list(regions.hidden))
        visible = np.where(hides, np.nan, shown.values)
    scale = look.scale or scale_of(visible)
    if scale.kind is ScaleKind.LOG:  # which has no place for 0
        visible = np.where(visible <= 0, scale.low / 2, visible)
    image = axes.imshow(
        visible,
        extent=shown.extent,
        norm=_norm(scale),
        cmap=_colours(),
    )
    right, up = shown.plane
    axes.set_xlabel(_labelled(right, look.length_unit))
    axes.set_ylabel(_labelled(up, look.length_unit))
    if regions is not None:
        _draw_outlines(axes, shown, regions)
    return image


def draw_scale(axes: Axes, image: AxesImage, look: SliceLook) -> None:
    """The scale of colours, with arrows where values lie beyond it."""
    values = cast("np.ma.MaskedArray[Any, Any]", image.get_array()).compressed()
    is_below, is_above = (values < image.norm.vmin).any(), (values > image.norm.vmax).any()
    beyond = {(True, True): "both", (True, False): "min", (False, True): "max"}
    bar = axes.figure.colorbar(
        image,
        cax=axes.inset_axes((1.03, 0, 0.04, 1)),
        label=_labelled(look.quantity, look.unit),
        extend=beyond.get((bool(is_below), bool(is_above)), "neither"),
    )
    bar.outline.set_linewidth(0.5)
    if look.scale is not None and look.scale.kind is ScaleKind.LOG:
        bar.ax.yaxis.set_major_formatter("{x:g}")


def plane_text(shown: FieldSlice, look: SliceLook) -> str:
    """Where and when, as "z = 1.02 µm, t = 5 ms"; of a grid that is a plane, when."""
    time = f"t = {_measure(shown.time, look.time_unit)}"
    if not shown.across:
        return time
    return f"{shown.across} = {_measure(shown.position, look.length_unit)}, {time}"


def _figure(shown: FieldSlice, look: SliceLook, regions: SliceRegions | None) -> Figure:
    from matplotlib.figure import Figure

    _, right, _, up = shown.extent
    width = _WIDTH_IN - _ROOM_IN[0]
    height = min(max(width * up / right, _HEIGHT_IN[0]), _HEIGHT_IN[1])
    figure = Figure(figsize=(_WIDTH_IN, height + _ROOM_IN[1]), layout="constrained")
    axes = figure.subplots()
    image = draw_slice(axes, shown, look, regions)
    draw_scale(axes, image, look)
    axes.set_title(f"{look.quantity}, {plane_text(shown, look)}")
    return figure


def _norm(scale: ColourScale) -> Any:
    from matplotlib.colors import LogNorm, Normalize

    kind = LogNorm if scale.kind is ScaleKind.LOG else Normalize
    return kind(scale.low, scale.high)


def _colours() -> Any:
    from matplotlib import colormaps

    return colormaps["inferno"].with_extremes(bad=BLANK)


def _draw_outlines(axes: Axes, shown: FieldSlice, regions: SliceRegions) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.transforms import ScaledTranslation

    drawn = []
    for (number, name), colour in zip(regions.outlined.items(), _OUTLINES, strict=False):
        lines = outline(regions.numbers == number, shown.sides)
        if len(lines):
            drawn.append(LineCollection(list(lines), colors=colour, label=name))
            drawn[-1].set(linewidth=_OUTLINE_WIDTH, capstyle="projecting")
            axes.add_collection(drawn[-1], autolim=False)
    if drawn:
        below = ScaledTranslation(0, -_LEGEND_BELOW_PT / 72, axes.figure.dpi_scale_trans)
        axes.legend(
            handles=drawn,
            loc="upper center",
            bbox_to_anchor=(0.5, 0),
            bbox_transform=axes.transAxes + below,
            ncols=len(drawn),
            handlelength=1.4,
        )


def outline(inside: NDArray[np.bool_], sides: tuple[float, float]) -> Numbers:
    """The lines between voxels inside and others, shape (lines, 2 ends, right and up).

    `inside` has shape (up, right). The edge of the plane itself gets no lines.
    """
    import numpy as np

    level = _straight_lines(inside[1:] != inside[:-1])
    upright = _straight_lines((inside[:, 1:] != inside[:, :-1]).T)[:, :, ::-1]
    lines: Numbers = np.concatenate([level, upright]) * np.array(sides)
    return lines


def _straight_lines(changes: NDArray[np.bool_]) -> Numbers:
    """Neighbours in a row as one line, which is above the row: ends as (along the row, row)."""
    import numpy as np

    ends = np.diff(np.pad(changes, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, begins = np.nonzero(ends == 1)
    _, stops = np.nonzero(ends == -1)
    lines = np.stack([begins, rows + 1, stops, rows + 1], axis=1)
    return lines.reshape(-1, 2, 2).astype(np.float64)


def _labelled(name: str, unit: str) -> str:
    return f"{name} ({unit})" if unit else name


def _measure(value: float, unit: str) -> str:
    # Whole numbers in full: 6000, not 6e+03.
    is_short = value == int(value) and abs(value) < 1e6
    return f"{value:{'.0f' if is_short else '.3g'}} {unit}".rstrip()
