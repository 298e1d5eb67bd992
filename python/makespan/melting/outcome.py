# SPDX-License-Identifier: Apache-2.0
"""What comes of a melt: what the engine tells, what Python gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.errors import Interrupted
from makespan.report.result_hash import tree_hash
from makespan.settings.input_file import InputValues

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

Line = Mapping[str, Any]
"""Of the table: step, temperature, pair_energy, total_energy, pressure, shifted_energy."""
LINE_COLUMNS = (
    *("step", "temperature", "pair_energy", "total_energy", "pressure", "shifted_energy"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeltOutcome:
    """What came of a run."""

    given: InputValues
    system: Mapping[str, Any]
    report: Mapping[str, Any]
    images: int
    threads: int
    virtual: Mapping[str, str] | None = None
    """Of a run in virtual time: `machine`, and where `costs` of messages come from."""
    asked_to_end: bool = False
    """Whether Ctrl-C came, be it that nothing was left to do then."""
    lines: list[Line]
    frames: int = 0
    positions: NDArray[np.float64] | None = None
    """After the last step, of shape (atoms, 3), where they were asked for."""

    @property
    def steps_done(self) -> int:
        """In this run."""
        return int(self.report["steps"] - self.report["first_step"])

    @property
    def is_complete(self) -> bool:
        """Whether it ran to its end, and was not stopped."""
        return len(self.report["digests"]) > 0

    @property
    def hash(self) -> str | None:
        """Of all bits of all atoms, at the end; none if the run was stopped."""
        if not self.is_complete:
            return None
        shape = (self.system["atoms"], *self.system["cells"])
        return tree_hash("melt", shape, self.report["digests"])

    def span(self, phase: int) -> tuple[int, int]:
        """The step at which a phase begins, and that at which it ends."""
        every = int(self.given["phase_steps"])
        return (phase - 1) * every, min(phase * every, int(self.report["steps"]))

    def imbalance(self, phase: int) -> float | None:
        """What the longest place computed in a phase, over the mean; -1: in the last."""
        phases = self.report["phases"]
        if not len(phases["time_s"]) or not phases["busy_s_mean"][phase]:
            return None
        return float(phases["busy_s_longest"][phase] / phases["busy_s_mean"][phase])

    def expect_unasked(
        self, restart_from: Path | None, result: Any = None, *, asked_later: bool
    ) -> None:
        """Raises `Interrupted` if Ctrl-C came; `result` is what would be returned otherwise.

        `asked_later`: it came when the run was over.
        """
        if asked_later or self.asked_to_end or not self.is_complete:
            done, total = int(self.report["steps"]), int(self.given["steps"])
            raise Interrupted(done, total, "steps", result=result, restart_from=restart_from)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MeltResult:
    """What came of a melt."""

    thermo: pl.DataFrame
    """A row for each line of the table, energies by atom; `shifted_energy` is what is conserved."""
    phases: pl.DataFrame
    """A row for each phase: seconds, the longest place's and the mean, messages, moves."""
    objects: pl.DataFrame
    """What each object took [s] and where, in the first phase and in the last."""
    positions: NDArray[np.float64] | None
    """Of atoms after the last step, (atoms, 3), by id, in sigma; some are a little outside the box.

    None of a run that was interrupted.
    """
    box: tuple[float, float, float]
    """Its sides, in sigma."""
    atoms: int
    steps: int
    """Done, those before a checkpoint included."""
    seconds: float
    """Of the steps of this run."""
    places: int
    complete: bool
    """False of the result of `Interrupted`: Ctrl-C ended the run early."""
    hash: str | None
    """Of all bits of all atoms at the end: the same wherever objects were."""
    record: dict[str, Any]
    """The run record, as --record writes it."""

    def _repr_html_(self) -> str:
        from makespan.melting.table import result_html

        return result_html(self)


def result_of(outcome: MeltOutcome, record: dict[str, Any]) -> MeltResult:
    """The outcome as tables."""
    import polars as pl

    report = outcome.report
    schema = {name: pl.Int64 if name == "step" else pl.Float64 for name in LINE_COLUMNS}
    return MeltResult(
        thermo=pl.DataFrame(outcome.lines, schema=schema),
        phases=pl.DataFrame(dict(report["phases"])),
        objects=_objects(outcome),
        positions=outcome.positions,
        box=tuple(outcome.system["box"]),
        atoms=outcome.system["atoms"],
        steps=report["steps"],
        seconds=report["seconds"],
        places=report["places"],
        complete=outcome.is_complete,
        hash=outcome.hash,
        record=record,
    )


def _objects(outcome: MeltOutcome) -> pl.DataFrame:
    import polars as pl

    x, y, z = outcome.system["cells"]
    objects = pl.DataFrame({"object": range(15 * x * y * z)}).with_columns(
        kind=pl.when(pl.col("object") < x * y * z).then(pl.lit("cell")).otherwise(pl.lit("compute"))
    )
    for when in ("first", "last"):
        shares = outcome.report[f"{when}_shares"]
        told = pl.DataFrame(
            {
                "object": pl.Series(shares["index"], dtype=pl.Int64),
                f"place_{when}": pl.Series(shares["place"], dtype=pl.Int32),
                f"seconds_{when}": pl.Series(shares["cpu_s"], dtype=pl.Float64),
            }
        )
        # After the loss of an image a phase is done again, and an object may be told of twice.
        told = told.group_by("object").agg(
            pl.col(f"place_{when}").last(), pl.col(f"seconds_{when}").sum()
        )
        objects = objects.join(told, on="object", how="left", maintain_order="left")
    return objects
