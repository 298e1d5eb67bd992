# SPDX-License-Identifier: Apache-2.0
"""`makespan.melt`: a melt from Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.job.teams import on_first_image
from makespan.melting.input import MELT_FILE
from makespan.melting.run import (
    Callbacks,
    Line,
    MeltFiles,
    MeltOutcome,
    ignored,
    joined_team,
    run_melt,
)
from makespan.settings.from_python import engine_for, values_given

if TYPE_CHECKING:
    import polars as pl

LINE_COLUMNS = (
    *("step", "temperature", "pair_energy", "total_energy", "pressure", "shifted_energy"),
)


@dataclass(frozen=True, slots=True)
class MeltResult:
    """What came of a melt."""

    thermo: pl.DataFrame
    """A row for each line of the table, energies by atom; `shifted_energy` is what is conserved."""
    phases: pl.DataFrame
    """A row for each phase: seconds, the longest place's and the mean, messages, moves."""
    objects: pl.DataFrame
    """What each object took [s] and where, in the first phase and in the last."""
    atoms: int
    steps: int
    """Done, those before a checkpoint included."""
    seconds: float
    """Of the steps of this run."""
    places: int
    complete: bool
    """False if Ctrl-C ended the run early."""
    hash: str | None
    """Of all bits of all atoms at the end: the same wherever objects were."""


def melt(
    source: str | PathLike[str] | None = None,
    *,
    threads: int | None = None,
    trajectory: str | PathLike[str] | None = None,
    checkpoint: str | PathLike[str] | None = None,
    restart_from: str | PathLike[str] | None = None,
    on_line: Callable[[Line], None] = ignored,
    **keys: Any,
) -> MeltResult | None:
    """Runs a melt of Lennard-Jones atoms as objects that move between threads.

    `source` is an input file (docs/how-to/melt.md); `keys` are keys of it, and come before what it
    says: `melt(steps=200, lattice_cells=[10, 10, 10], cells=[5, 5, 5])`. `threads` are places:
    each core of this process by default. The other files are as on the command line. `on_line` is
    called with each line of the table, as phases end.

    In a program that mpiexec started: collective, by all its processes, which all take part; the
    result is that of the first, the others get None.

    Raises `InputError`, `NotConfiguredError`. Ctrl-C ends the run after its phase, and what was
    done is returned; a second one interrupts it.
    """
    engine = engine_for(threads)

    def run(team: Any) -> MeltOutcome:
        given = values_given(MELT_FILE, source, keys)
        files = MeltFiles(*map(_path, (trajectory, checkpoint, restart_from)))
        return run_melt(engine, team, given, files, Callbacks(on_line))

    outcome = on_first_image(joined_team(engine, threads), run)
    return None if outcome is None else result_of(outcome)


def _path(given: str | PathLike[str] | None) -> Path | None:
    return None if given is None else Path(given)


def result_of(outcome: MeltOutcome) -> MeltResult:
    """The outcome as tables."""
    import polars as pl

    report = outcome.report
    schema = {name: pl.Int64 if name == "step" else pl.Float64 for name in LINE_COLUMNS}
    return MeltResult(
        thermo=pl.DataFrame(outcome.lines, schema=schema),
        phases=pl.DataFrame(dict(report["phases"])),
        objects=_objects(outcome),
        atoms=outcome.system["atoms"],
        steps=report["steps"],
        seconds=report["seconds"],
        places=report["places"],
        complete=outcome.is_complete,
        hash=outcome.hash_text,
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
