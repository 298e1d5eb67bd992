# SPDX-License-Identifier: Apache-2.0
"""Runs a melt: with the threads of this process, or of all images of a job."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from makespan.base.engine import Engine
from makespan.base.errors import InputError, Interrupted
from makespan.files.kept_result import kept_result
from makespan.job.engine_call import EngineCall
from makespan.job.interrupts import Interrupts
from makespan.job.progress import OnProgress, Progress, ignored
from makespan.job.teams import joined
from makespan.melting.checkpoints import check_checkpoints, last_checkpoint, locked_checkpoints
from makespan.melting.input import melt_settings, melt_system
from makespan.melting.outcome import Line, MeltOutcome
from makespan.melting.outputs import MeltFiles
from makespan.melting.trajectory import Trajectory, new_trajectory
from makespan.settings.algorithm import algorithm
from makespan.settings.input_file import InputValues

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from makespan.machines.place_source import KnownPlaces

OnLine = Callable[[Line], None]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a caller wants to know, beside what is written."""

    on_line: OnLine = ignored
    """Is called with each line of the table, as phases end."""
    on_progress: OnProgress = ignored
    keeps_positions: bool = False
    """Whether the outcome has where atoms are in the end."""


def joined_team(engine: Engine, threads: int | None) -> AbstractContextManager[Any]:
    """This process, or all images of the job that it was launched as a part of.

    Collective over its images, both ways. Without `threads` each takes its share of the cores.
    """

    def made() -> Any:
        # Asked whether it is needed or not: other images may have been told no number of threads.
        cores = engine.own_cores()
        return engine.MeltTeam(len(cores) if threads is None else threads)

    return joined(made)


def run_melt(
    engine: Engine,
    team: Any,
    given: InputValues,
    files: MeltFiles,
    wishes: Wishes,
    *,
    places: KnownPlaces | None = None,
) -> MeltOutcome:
    """On image 0. Blocks until all steps are done, or Ctrl-C ends the run after its phase.

    On `places`, where there are some, in virtual time; without the team.

    The trajectory is there afterwards, with the frames that were complete; if anything goes wrong
    it is not. Raises `InputError`, whose `result` is the outcome where only the trajectory cannot
    be kept; or what the engine raises; `Interrupted` at once on a second Ctrl-C.
    """
    system = melt_system(given, engine)
    check_checkpoints(files.checkpoint, files.restart_from)
    watch = _Watch(given, wishes, 0 if files.restart_from is None else None)
    if files.output is not None:
        every = int(given["frame_steps"])
        watch.trajectory = new_trajectory(
            files.output, system["atoms"], system["box"], every, given["time_step"]
        )
    options = _options(given, files, wishes, engine)
    try:
        with Interrupts() as watch.interrupts:
            report = _run(engine, team, places, files, (melt_settings(given), options, watch))
            asked_to_end = watch.interrupts.take()
        outcome = MeltOutcome(
            given=given,
            system=system,
            report=report,
            images=team.images,
            threads=team.threads if places is None else len(places.labels),
            virtual=None if places is None else _virtual(places),
            asked_to_end=asked_to_end,
            lines=watch.lines,
            frames=0 if watch.trajectory is None else watch.trajectory.frames,
            positions=watch.positions,
        )
        if watch.trajectory is not None:
            with kept_result(lambda: outcome):
                watch.trajectory.keep()
    except ValueError as error:
        raise _named(error, given) from error
    except KeyboardInterrupt:  # the second one
        saved = last_checkpoint(files.checkpoint)
        raise Interrupted(watch.steps, given["steps"], "steps", restart_from=saved) from None
    finally:
        if watch.trajectory is not None:
            watch.trajectory.drop()
    return outcome


def _virtual(places: KnownPlaces) -> dict[str, str]:
    return {"machine": places.name, "costs": places.costs_text()}


def _run(
    engine: Engine,
    team: Any,
    places: KnownPlaces | None,
    files: MeltFiles,
    asked: tuple[Mapping[str, Any], Mapping[str, Any], _Watch],
) -> Mapping[str, Any]:
    settings, options, watch = asked
    engine_call = EngineCall[Mapping[str, Any]]()
    asking = engine_call.asking
    listener = _Listener(asking(watch.thermo), asking(watch.frame), asking(watch.phase))

    def run() -> Mapping[str, Any]:
        # By the thread that writes checkpoints, which goes on when the caller has left it.
        with locked_checkpoints(files.checkpoint, files.restart_from):
            if places is None:
                report: Mapping[str, Any] = team.run(settings, options, listener)
                return report
            where = places.table.to_places()
            return engine.melt_in_virtual_time(where, settings, options, listener)

    return engine_call.result(run, watch.interrupts, team)


def _named(error: ValueError, given: InputValues) -> InputError:
    if isinstance(error, InputError):
        return error
    return InputError(f"{given.blamed}: {error}")


def _options(
    given: InputValues, files: MeltFiles, wishes: Wishes, engine: Engine
) -> dict[str, Any]:
    when = given["when"]
    balancer = algorithm(given["balancer"], "balancers", engine)
    options = {
        "phase_steps": given["phase_steps"],
        "frame_steps": 0,
        "first_map": given["first_map"],
        "balance": when if isinstance(when, str) else "periodic",
        "balancer": balancer.name,
        "machine": str(given["machine"]),
        "balancer_options": dict(balancer.options),
    }
    if not isinstance(when, str):
        options["balance_phases"] = when
    if files.output is not None:
        options["frame_steps"] = given["frame_steps"]
    elif wishes.keeps_positions:
        options["frame_steps"] = max(1, given["steps"])  # the first frame, and the last
    if files.checkpoint is not None:
        options["checkpoint_folder"] = files.checkpoint
        options["checkpoint_phases"] = given["checkpoint_phases"]
    if files.restart_from is not None:
        options["from"] = files.restart_from
    return options


class _Listener(NamedTuple):
    """What the engine calls as the run goes."""

    thermo: Callable[..., Any]
    frame: Callable[..., Any]
    phase: Callable[..., Any]


@dataclass(slots=True)
class _Watch:
    """What is done then, in the caller's thread."""

    given: InputValues
    wishes: Wishes
    first_step: int | None = None
    """Of this run. None until its first phase is over: a checkpoint's name need not tell."""
    trajectory: Trajectory | None = None
    positions: NDArray[np.float64] | None = None
    steps: int = 0
    """Done, as far as it is known."""
    interrupts: Interrupts = field(default_factory=Interrupts)
    lines: list[Line] = field(default_factory=list)
    begin: float = field(default_factory=time.monotonic)

    def thermo(self, line: Line) -> None:
        self.lines.append(line)
        self.wishes.on_line(line)

    def frame(self, step: int, positions: NDArray[np.float64]) -> None:
        # The engine gives the last step's, too; frames in files are equally far apart.
        if self.trajectory is not None and step % self.given["frame_steps"] == 0:
            self.trajectory.write(step, positions)
        if self.wishes.keeps_positions and step == self.given["steps"]:
            self.positions = positions

    def phase(self, steps: int) -> bool:
        total = self.given["steps"]
        self.steps = steps
        if self.first_step is None:  # the phase that is over was this run's first
            self.first_step = steps - ((steps - 1) % self.given["phase_steps"] + 1)
        elapsed_s = time.monotonic() - self.begin
        here = steps - self.first_step
        left_s = elapsed_s * (total - steps) / here if here > 0 else None
        self.wishes.on_progress(Progress(steps, total, "steps", elapsed_s, steps / total, left_s))
        return self.interrupts.asked and steps < total
