# SPDX-License-Identifier: Apache-2.0
"""Runs a calcium spark: with the cores of this process, or of all images of a job."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.errors import InputError
from makespan.grids.array_values import expect_fields
from makespan.grids.calcium.channel_site import ChannelSite
from makespan.grids.calcium.input import PUMP_KEYS, CalciumUnit, checked_calcium
from makespan.grids.calcium.network_sr import network_sr_of
from makespan.grids.calcium.ryr_gating import RyrGating
from makespan.grids.calcium.scan_picture import write_scan
from makespan.grids.calcium.spark_figure import PeakSlice, write_spark
from makespan.grids.calcium.spark_measures import SparkMeasures, measured
from makespan.grids.calcium.spark_scan import DARK, DYE, SCAN, SparkScan
from makespan.grids.field_run import FieldRun
from makespan.grids.grid_run import BadValue
from makespan.grids.input import GridOrder, RunOptions
from makespan.grids.opening import told_by
from makespan.grids.outcome import Callbacks, GridOutcome
from makespan.grids.plain_fields import plane_turns
from makespan.grids.saving import GridOfFields
from makespan.grids.slice_picture import ColourScale, ScaleKind, SliceLook, SliceRegions
from makespan.grids.slices import PicturedField, SlicePictures, middle_slice
from makespan.grids.steps import Recurrent, StepClock
from makespan.settings.input_file import InputValues

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from makespan.base.engine import Engine


FREE_CALCIUM = PicturedField(
    "calcium",
    0,
    SliceLook("free calcium", "µM", scale=ColourScale(0.1, 100.0, ScaleKind.LOG)),
)


@dataclass(frozen=True, slots=True)
class Told:
    """What a spark is told."""

    keys: InputValues
    values: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    """First values of fields, of (z, y, x); others begin at rest."""


class Spark:
    """A `field_run.Application`."""

    columns = ("step", "time_ms", "open_ryr", "cleft_ca", "sr_ca", "brightness")

    def __init__(self, engine: Engine, told: Told, unit: CalciumUnit, options: RunOptions) -> None:
        self.given = given = told.keys
        self._values = told.values
        self._unit = unit
        self._options = options
        self._engine = engine
        self._gating = _gating_of(given, unit)
        self._network = network_sr_of(engine, given, unit)
        self._at_peak: PeakSlice | None = None  # of the brightest line of this run
        self.grid = GridOfFields(
            application="calcium",
            points=unit.points,
            spacing=(unit.spacing,) * 3,
            fields=unit.fields,
            clock=unit.steps,
            time_unit="ms",
            settings=unit.settings,
        )

    # These look at many voxels: not before the engine has said that there is memory for a grid.
    @cached_property
    def _scan(self) -> SparkScan:
        return SparkScan(self._engine, self._unit)

    @cached_property
    def _site(self) -> ChannelSite:
        return ChannelSite(self._engine, self._unit)

    @property
    def stated(self) -> None:
        """None: the input says all."""
        return None

    @property
    def has_own_values(self) -> bool:
        """Whether any field has an array."""
        return bool(self._values)

    @property
    def start_file(self) -> None:
        """None: first values are those of the unit at rest, or arrays."""
        return None

    @property
    def costs(self) -> dict[str, Any]:
        """What the time of a step depends on besides the points."""
        return {one.name: self.given[one.name] for one in PUMP_KEYS}

    def open(self, team: Any) -> None:
        """Makes the team's grid."""
        options = self._options.of_team(self.given)
        with told_by(self.given.blamed):
            team.open_calcium(dict(self._unit.settings), options)

    def start(self, team: Any) -> None:
        """Everything at rest, but for fields that have arrays."""
        team.start()
        for name, values in self._values.items():
            number = self.grid.fields.index(name)
            for begin, end in plane_turns(self.grid.points):
                team.scatter(number, (0, 0, begin), values[begin:end])
        if self._gating is not None:
            # The engine would open those of the input at their own steps until the first change,
            # which a run that goes on from a checkpoint does not.
            self._open(team, self._gating)

    def line(self, team: Any, step: int) -> dict[str, Any]:
        """How the channels' surroundings are, and how bright the line is at most."""
        time = self.grid.clock.time(step)
        return {
            "step": step,
            "time_ms": time,
            "open_ryr": len(self._open_channels(step)),
            **self._site.concentrations(team),
            "brightness": self._scan.brightness(team, step),
        }

    def going_on(self, out: Path, step: int) -> None:
        """Takes up the line scan of an earlier run before this step."""
        self._scan.going_on(out, self.grid.clock.time(step))

    def recurrents(self, team: Any, out: Path | None, outcome: GridOutcome) -> list[Recurrent]:
        """The lines of its scan; pictures of slices."""
        clock, pictures = self.grid.clock, self._pictures(team, out)

        def scan(step: int) -> None:
            is_peak = self._scan.add(team, step, clock.time(step))
            if is_peak and self._unit.rest[DYE]:
                self._at_peak = PeakSlice(
                    pictures.shown(self._dye, step), self._dye.look, pictures.regions
                )

        def draw(step: int) -> None:
            # Of a dye of which there is none at rest there is no F/F0.
            for one in (FREE_CALCIUM, *([self._dye] if self._unit.rest[DYE] else [])):
                outcome.add_written(pictures.write(one, step))

        found = [Recurrent(clock.every(self.given["scan_ms"]), scan)]
        gating = self._gating
        if gating is not None:
            every = clock.every(self.given["gating_ms"])
            found.insert(0, Recurrent(every, lambda step: self._gate(gating, team, step)))
        network = self._network
        if network is not None:
            every = clock.every(self.given["network_sr_ms"])
            found.insert(0, Recurrent(every, lambda step: network.advance(team, step)))
        if out is not None:
            found.append(Recurrent(clock.every(self.given["slice_ms"]), draw))
        return found

    def record(self, out: Path) -> None:
        """Its line scan so far."""
        if self._has_scan:
            self._scan.write(out)

    def recorded(self, step: int) -> dict[str, float]:
        """Its line scan, by times."""
        return {SCAN: self.grid.clock.time(step)} if self._has_scan else {}

    def state(self) -> dict[str, Any]:
        """Which channels are open by chance, and what is in the network SR."""
        state: dict[str, Any] = {}
        if self._gating is not None:
            state |= {"gated_step": self._gating.step, "open": self._gating.open_channels}
        if self._network is not None:
            state |= self._network.state()
        return state

    def take_state(self, team: Any, state: Mapping[str, Any]) -> None:
        """The same from a checkpoint."""
        if self._network is not None:
            self._network.take_state(team, state)
        if self._gating is None:
            return
        self._gating.step = state["gated_step"]
        for channel in state["open"]:
            self._gating.open[channel] = True
        self._open(team, self._gating)

    def bad_text(self, bad: BadValue) -> str:
        """By its voxel."""
        return str(bad)

    def measures(self) -> dict[str, str]:
        """Those of the spark, and what is in the network SR."""
        found: dict[str, str] = {}
        if self._has_scan:
            found.update(measures_text(measured(self._scan.image, self._release)))
        if self._network is not None:
            found["network SR"] = f"{self._network.ca:.8g} uM"
        return found

    def draw(self, out: Path, outcome: GridOutcome) -> None:
        """Draws the spark, if it was recorded."""
        if not self._has_scan:
            return
        image = self._scan.image
        outcome.add_written(out / SCAN)
        if not len(image.times):  # gone on with in another folder, and over before the next line
            return
        write_scan(out / "line-scan.png", image)
        write_spark(out / "spark.png", image, self._at_peak, self._release)
        for name in ("line-scan.png", "spark.png"):
            outcome.add_written(out / name)

    def _pictures(self, team: Any, out: Path | None) -> SlicePictures:
        unit = self._unit
        where = middle_slice(self.given["slice_axis"], unit.middle, self.grid)
        numbers = self._engine.calcium_regions(unit.settings, where.begin, where.end)
        regions = SliceRegions(
            numbers.squeeze(2 - where.axis),
            {unit.regions.index("jsr"): "SR", unit.regions.index("t_tubule"): "T-tubule"},
            frozenset(unit.regions.index(name) for name in DARK),
        )
        folder = Path() if out is None else out / "slices"
        return SlicePictures(team, self.grid, where, folder, regions)

    @property
    def _dye(self) -> PicturedField:
        unit = self._unit
        look = SliceLook("F/F₀", scale=ColourScale(1.0, 8.0))
        return PicturedField("dye", unit.fields.index(DYE), look, over=unit.rest[DYE])

    @property
    def table_every(self) -> int:
        """As the input says."""
        return self.grid.clock.every(self.given["table_ms"])

    @property
    def view_every(self) -> int:
        """As the input says."""
        return self.grid.clock.every(self.given["state_ms"])

    @property
    def checkpoint_every(self) -> int:
        """As the input says."""
        return self.grid.clock.every(self.given["checkpoint_ms"])

    @property
    def _has_scan(self) -> bool:
        return bool(self.given["scan_ms"])

    @property
    def _release(self) -> float:
        """When the first channel opens, or the first current flows [ms]."""
        opened = [row[1] for row in [*self.given["ryr_open"], *self.given["lcc_open"]]]
        opened += [row[4] for row in self.given["currents"]]
        return float(min(opened, default=0.0))

    def _open_channels(self, step: int) -> list[int]:
        """Those that are held open; with gating those that the last draw left open."""
        return self._held(step) if self._gating is None else self._gating.open_channels

    def _held(self, step: int) -> list[int]:
        rows, clock = self.given["ryr_open"], self.grid.clock
        return sorted({int(row[0]) for row in rows if step in _held_steps(row, clock)})

    def _gate(self, gating: RyrGating, team: Any, step: int) -> None:
        cleft, sr = self._site.mouths(team)
        if gating.advance(step, cleft, sr, self._held(step)):
            self._open(team, gating)

    def _open(self, team: Any, gating: RyrGating) -> None:
        team.open_channels(dict(self._unit.settings), gating.open_channels)


def _gating_of(given: InputValues, unit: CalciumUnit) -> RyrGating | None:
    if not given["gating_ms"]:
        return None
    if not unit.channels:
        raise InputError(
            f"{given.blamed}: [release] gating_ms = {given['gating_ms']} (there are no channels in "
            'this layout): give 0, or layout = "release-unit"'
        )
    every = unit.steps.every(given["gating_ms"])
    for row in given["ryr_open"]:
        held = _held_steps(row, unit.steps)
        if held and -(-held.start // every) * every not in held:
            raise InputError(
                f"{given.blamed}: [release] ryr_open: RyR {int(row[0])} is open from {row[1]:g} to "
                f"{row[2]:g} ms (channels open at multiples of gating_ms = {given['gating_ms']:g}, "
                "and there is none in between): give a longer time, or a shorter gating_ms"
            )
    return RyrGating(len(unit.channels), given["seed"], every * unit.steps.time_step)


def _held_steps(row: Sequence[float], clock: StepClock) -> range:
    """Before which steps a row of `ryr_open` holds its channel open; as the engine counts them."""
    return range(*(_engine_step(time, clock) for time in row[1:]))


def _engine_step(time: float, clock: StepClock) -> int:
    """The nearest one, of two the later; as in apps/calcium/settings.cpp."""
    steps = time / clock.time_step
    below = math.floor(steps)
    return below + (steps - below >= 0.5)


def measures_text(measures: SparkMeasures) -> Mapping[str, str]:
    """Names and texts of what was measured."""
    if measures.peak is None:
        return {"spark": "none: nothing rose above what is there at rest"}
    texts = {
        "peak F/F0": f"{measures.peak.light:.4g} at {measures.peak.position:.4g} um",
        "time to peak": f"{measures.time_to_peak:.4g} ms",
    }
    for name, span, unit in (
        ("full width at half maximum", measures.width, "um"),
        ("full duration at half maximum", measures.duration, "ms"),
    ):
        texts[name] = "longer than the scan" if span is None else f"{span.length:.4g} {unit}"
    return texts


def run_calcium(
    engine: Engine, team: Any, told: Told, order: GridOrder, callbacks: Callbacks
) -> GridOutcome:
    """On image 0. Blocks until all steps are done, or Ctrl-C ends the run.

    Raises `InputError`, or what the engine raises.
    """
    unit = checked_calcium(told.keys, engine)
    expect_fields(told.values, unit.fields)
    application = Spark(engine, told, unit, order.options)
    return FieldRun(team, application, order, callbacks).go()
