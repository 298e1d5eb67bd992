# SPDX-License-Identifier: Apache-2.0
"""The story of balancing: read the graph, know the places, let balancers decide, play phases."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.base.errors import Interrupted
from makespan.files.atomic import write_files
from makespan.files.kept_result import kept_result
from makespan.graph.balancing import Balancing, Candidate
from makespan.graph.graph_columns import places_of_columns
from makespan.graph.input import BALANCERS, asked_job, asked_memory, phases_job
from makespan.graph.outcome import Balanced, BalanceResult, PhasesResult
from makespan.graph.outputs import record_writers
from makespan.graph.phases import NEVER, played
from makespan.graph.record import balance_record, phases_record
from makespan.job.interrupts import Interrupts
from makespan.job.progress import OnProgress, Progress, ignored
from makespan.machines.place_source import PlaceSource
from makespan.settings.algorithm import Algorithm, algorithm
from makespan.settings.setting import check_keywords
from makespan.settings.shared import BALANCER

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from makespan.graph.objects_table import ObjectsTable

Reader = Callable[[], "ObjectsTable"]
"""Reads the graph, or has it; raises `InputError`."""


class Steps:
    """Counts the steps of a run as they begin; how long each takes is not known before."""

    def __init__(self, total: int, on_progress: OnProgress | None) -> None:
        self._total = total
        self._hears = on_progress or ignored
        self._begun = time.monotonic()
        self._done = 0

    def begin(self, what: str) -> None:
        """The next one."""
        self._tell(what)
        self._done += 1

    def end(self) -> None:
        """All are done."""
        self._tell("")

    def interrupted(self, result: BalanceResult | PhasesResult | None) -> Interrupted:
        """What to raise after Ctrl-C, with what has been found."""
        return Interrupted(self._done if result else 0, self._total, "steps", result=result)

    @contextmanager
    def left_at_once(self, found: Callable[[], BalanceResult | None]) -> Iterator[None]:
        """Tells of a second Ctrl-C with what the steps before the one under way have found."""
        try:
            yield
        except Interrupted:
            raise
        except KeyboardInterrupt:
            self._done -= 1
            raise self.interrupted(found()) from None

    def _tell(self, what: str) -> None:
        elapsed_s = time.monotonic() - self._begun
        share = self._done / self._total
        self._hears(Progress(self._done, self._total, "steps", elapsed_s, share, note=what))


@dataclass(slots=True)
class BalanceRun:
    """One run; `given` are the values of `BALANCE_SETTINGS`, `command` is the command line."""

    engine: Engine
    given: Mapping[str, Any]
    on_progress: OnProgress | None = None
    command: Sequence[str] = ()

    def run(self, read: Reader) -> Balanced:
        """Blocks until balancers have decided. Raises `InputError`, `Interrupted`.

        Ctrl-C is heard when the balancer that is at it has ended; the second one at once.
        """
        check_keywords((BALANCERS,), self.given, self.engine)
        chosen = Algorithm("balancers", many=True).chosen(self.given["balancer"], self.engine)
        job = asked_job(self.given)
        memory = asked_memory(self.given)
        ways = {} if job is None else job.ways(chosen)
        places = PlaceSource.of(self.given).known(self.engine)
        if job is not None:
            job.check_changes(len(places.labels), places.name)
        steps = Steps(1 + len(chosen) + len(ways), self.on_progress)
        steps.begin("reading")
        balancing = Balancing(self.engine, _read(read, steps), places, memory)
        candidates: list[Candidate] = [balancing.now()]
        ran: list[PhasesResult] = []

        def found() -> Balanced:
            return Balanced(balancing.compared(candidates), job, tuple(ran))

        def decided() -> BalanceResult | None:
            return self.result(found()) if len(candidates) > 1 else None

        with Interrupts() as interrupts, steps.left_at_once(decided):
            for one in chosen:
                steps.begin(one.text)
                candidates.append(balancing.decided(one, interrupts))
                self._check(interrupts, steps, found)
            for name, way in ways.items():
                steps.begin(f"phases by {name}")
                asked = (balancing.objects, balancing.where, way)
                ran.append(played(self.engine, asked, name, interrupts))
                self._check(interrupts, steps, found)
            steps.end()
            self._check(interrupts, steps, found)
        return found()

    def result(self, balanced: Balanced) -> BalanceResult:
        """What Python gets, with its record."""
        record = balance_record(self.engine, balanced, self.given, self.command)
        return BalanceResult.of(balanced, record)

    def _check(self, interrupts: Interrupts, steps: Steps, found: Callable[[], Balanced]) -> None:
        if interrupts.asked:
            raise steps.interrupted(self.result(found()))


def _read(read: Reader, steps: Steps) -> ObjectsTable:
    try:
        return read()
    except KeyboardInterrupt:
        raise steps.interrupted(None) from None


def run_phases(
    engine: Engine,
    graph: ObjectsTable,
    places: Mapping[str, ArrayLike],
    given: Mapping[str, Any],
    on_progress: OnProgress | None,
) -> PhasesResult:
    """Many phases on places in columns; `given` are the values of `PHASES_KEYWORDS`, and phases.

    Blocks until all are played. Raises `InputError`, `Interrupted`.
    """
    check_keywords((BALANCER,), given, engine)
    chosen = algorithm(given["balancer"], "balancers", engine)
    job = phases_job(given)
    where = places_of_columns(engine, places)
    job.check_changes(where.count, "the machine")
    name = NEVER if job.when == NEVER else chosen.text
    steps = Steps(1, on_progress)
    with Interrupts() as interrupts, steps.left_at_once(lambda: None):
        steps.begin(f"phases by {name}")
        asked = (graph.engine_graph(engine, graph.kinds), where, job.job(chosen))
        ran = played(engine, asked, name, interrupts)
        ran = ran.with_record(phases_record(engine, graph, places, ran, given))
        if not interrupts.asked:
            steps.end()
        if interrupts.asked:
            raise steps.interrupted(ran)
    with kept_result(lambda: ran):
        write_files(record_writers(ran.record, given))
    return ran
