# SPDX-License-Identifier: Apache-2.0
"""Runs a melt: with the threads of this process, or of all images of a job."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.files.folder_lock import locked_folder
from makespan.job.interrupts import Interrupts
from makespan.job.teams import joined
from makespan.melting.input import checked_melt, melt_settings
from makespan.melting.trajectory import Trajectory, new_trajectory
from makespan.settings.key_file import KeyValues

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Line = Mapping[str, Any]
"""Of the table: step, temperature, pair_energy, total_energy, pressure, shifted_energy."""


def ignored(*_: Any) -> None:
    """The callback that does nothing."""


@dataclass(frozen=True, slots=True)
class MeltFiles:
    """What a run reads and writes besides its input."""

    trajectory: Path | None = None
    checkpoint: Path | None = None
    restart_from: Path | None = None


@dataclass(frozen=True, slots=True)
class Callbacks:
    """Who is told: each line of the table, and the steps that are done, of all, after a phase."""

    line: Callable[[Line], None] = ignored
    progress: Callable[[int, int, float], None] = ignored
    """Steps done, in all, and seconds since the run began."""


@dataclass(slots=True)
class MeltOutcome:
    """What came of a run."""

    given: KeyValues
    system: Mapping[str, Any]
    report: Mapping[str, Any]
    images: int
    threads: int
    lines: list[Line]
    frames: int = 0

    @property
    def steps_done(self) -> int:
        """In this run."""
        return int(self.report["steps"] - self.report["first_step"])

    @property
    def is_complete(self) -> bool:
        """Whether it ran to its end, and was not stopped."""
        return self.report["hash"] is not None

    @property
    def hash_text(self) -> str | None:
        """Of all bits of all atoms, at the end; none if the run was stopped."""
        number = self.report["hash"]
        return None if number is None else f"{number:016x}"

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


def joined_team(engine: Engine, threads: int | None) -> AbstractContextManager[Any]:
    """This process, or all images of the job that it was launched as a part of.

    Collective over its images, both ways. Without `threads` each takes its share of the cores.
    """
    count = len(engine.own_cores()) if threads is None else threads
    return joined(lambda: engine.MeltTeam(count))


def checkpoints_in(folder: Path) -> list[Path]:
    """The complete ones, the oldest first."""
    found = [one for one in folder.glob("phase-*") if one.name[len("phase-") :].isdecimal()]
    return sorted(found, key=lambda one: int(one.name[len("phase-") :]))


def check_checkpoints(files: MeltFiles) -> None:
    """Raises `InputError` if checkpoints would lie among those of another run."""
    folder = files.checkpoint
    if folder is None:
        return
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--checkpoint {folder}: it is a file; name a folder")
    if not folder.parent.is_dir():
        raise InputError(f"--checkpoint {folder}: folder {folder.parent} does not exist; create it")
    others = checkpoints_in(folder)
    is_own = files.restart_from is not None and files.restart_from.resolve().parent == (
        folder.resolve()
    )
    if others and not is_own:
        raise InputError(
            f"--checkpoint {folder}: it holds those of an earlier run; go on with "
            f"--restart-from {others[-1]}, or name another folder"
        )


def run_melt(
    engine: Engine,
    team: Any,
    given: KeyValues,
    files: MeltFiles,
    callbacks: Callbacks,
) -> MeltOutcome:
    """On image 0. Blocks until all steps are done, or Ctrl-C ends the run after its phase.

    The trajectory is there afterwards, with the frames that were complete; if anything goes wrong
    it is not. Raises `InputError`, or what the engine raises.
    """
    system = checked_melt(given, engine)
    check_checkpoints(files)
    watch = _Watch(given, callbacks)
    if files.trajectory is not None:
        every = int(given["frame_steps"])
        first = 0
        if files.restart_from is not None:
            done = _phase_of(files.restart_from) * int(given["phase_steps"])
            first = (done // every + 1) * every
        watch.trajectory = new_trajectory(
            files.trajectory, system["atoms"], system["box"], (first, every), given["time_step"]
        )
    try:
        with _locked(files), Interrupts() as watch.interrupts:
            report = team.run(melt_settings(given), _options(given, files), watch)
        if watch.trajectory is not None:
            watch.trajectory.keep()
    except ValueError as error:
        raise _named(error, given) from error
    finally:
        if watch.trajectory is not None:
            watch.trajectory.drop()
    frames = 0 if watch.trajectory is None else watch.trajectory.frames
    return MeltOutcome(given, system, report, team.images, team.threads, watch.lines, frames)


@contextmanager
def _locked(files: MeltFiles) -> Iterator[None]:
    if files.checkpoint is None:
        yield
        return
    with locked_folder("--checkpoint", files.checkpoint):
        check_checkpoints(files)  # a run may have ended there since it was looked at
        yield


def _phase_of(checkpoint: Path) -> int:
    """Phases that were over, of the first forces not counted; 0 where the name does not say."""
    number = checkpoint.name.removeprefix("phase-")
    return int(number) - 1 if number.isdecimal() and int(number) > 0 else 0


def _named(error: ValueError, given: KeyValues) -> InputError:
    if isinstance(error, InputError):
        return error
    return InputError(f"{given.source}: {error}")


def _options(given: KeyValues, files: MeltFiles) -> dict[str, Any]:
    balance = given["balance"]
    options = {
        "phase_steps": given["phase_steps"],
        "frame_steps": 0 if files.trajectory is None else given["frame_steps"],
        "first_map": given["first_map"],
        "balance": balance if isinstance(balance, str) else "periodic",
        "balancer": given["balancer"],
    }
    if not isinstance(balance, str):
        options["balance_phases"] = balance
    if files.checkpoint is not None:
        options["checkpoint_folder"] = files.checkpoint
        options["checkpoint_phases"] = given["checkpoint_phases"]
    if files.restart_from is not None:
        options["from"] = files.restart_from
    return options


@dataclass(slots=True)
class _Watch:
    """What the engine calls as the run goes, in the main thread."""

    given: KeyValues
    callbacks: Callbacks
    trajectory: Trajectory | None = None
    interrupts: Interrupts = field(default_factory=Interrupts)
    lines: list[Line] = field(default_factory=list)
    begin: float = field(default_factory=time.monotonic)

    def thermo(self, line: Line) -> None:
        self.lines.append(line)
        self.callbacks.line(line)

    def frame(self, step: int, positions: NDArray[np.float64]) -> None:
        # The engine gives the last step's, too; frames here are equally far apart.
        if self.trajectory is not None and step % self.given["frame_steps"] == 0:
            self.trajectory.write(step, positions)

    def phase(self, steps: int) -> bool:
        elapsed_s = time.monotonic() - self.begin
        self.callbacks.progress(steps, self.given["steps"], elapsed_s)
        return self.interrupts.asked
