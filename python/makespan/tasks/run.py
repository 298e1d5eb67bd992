# SPDX-License-Identifier: Apache-2.0
"""One map on its way: the team that works on it, the wait for it, how all images end alike."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine, load_engine
from makespan.base.errors import EngineError, InputError, text_of
from makespan.files.atomic import Writer, check_outputs, text_writer, write_files
from makespan.files.journal_request import journal_request
from makespan.files.kept_result import kept_result
from makespan.job.collective import Collective
from makespan.job.failure import raised_in_a_call, raised_on_first_image
from makespan.job.hold_mpi import hold_mpi
from makespan.job.interrupts import Interrupts
from makespan.job.overdue import is_without_device, warn_of_run
from makespan.job.progress import OnProgress, Progress
from makespan.job.stopping import stop, stopped_on_error, threads_may_stay
from makespan.job.teams import made
from makespan.settings.algorithm import algorithm
from makespan.tasks.record import record_text
from makespan.tasks.spans import Spans
from makespan.tasks.trace import map_trace
from makespan.tasks.worker import Worker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from makespan.tasks.journal import KeptResults

WAIT_S = 0.05
"""Between two looks at the run: how long Ctrl-C may take."""


@dataclass(frozen=True, slots=True)
class MapJob:
    """What is asked of one call besides the results."""

    costs: NDArray[np.float64] | None
    on_progress: OnProgress | None
    settings: Mapping[str, Any]
    kept: KeptResults | None = None
    """On image 0, of a run with a journal."""

    def path(self, name: str) -> Path | None:
        """What this setting names."""
        path = self.settings[name]
        return None if path is None else Path(path)

    @property
    def files(self) -> dict[str, Path]:
        """Where record and trace go, of those that are asked for."""
        named = {name: self.path(name) for name in ("record", "trace")}
        return {name: path for name, path in named.items() if path is not None}

    def commit(self, worker: Worker) -> int:
        """How many results have come; they are in the journal, if there is one."""
        return len(worker.kept) if self.kept is None else self.kept.commit()


def map_team(engine: Engine, given: Mapping[str, Any]) -> Any:
    """Threads of all images. Collective."""
    chosen = algorithm(given["policy"], "policies", engine)
    hold_mpi(engine)
    settings = {
        "devices": "cpu",
        "threads": given["threads"] or (1 if engine.images_launched() > 1 else 0),
        "dispatcher": given["dispatcher"],
        "policy": chosen.name,
        "policy_options": dict(chosen.options),
        "timeout": float(given["timeout"] or 0.0),
    }
    return made(lambda: engine.TaskTeam(settings))


def worker_of(
    function: Callable[[Any], Any], items: Sequence[Any], image: int, given: Mapping[str, Any]
) -> Worker:
    """What runs the items on this image."""
    worker = Worker(
        function,
        items,
        is_first=image == 0,
        to_all=given["gather"] == "all",
        keep_on=given["return_exceptions"],
        timeout=given["timeout"],
    )
    if given["trace"] is not None:
        worker.spans = Spans(image)
    return worker


def work(together: Collective, team: Any, worker: Worker, job: MapJob) -> None:
    """All items, and the end of the team. Collective; the worker knows what came of it."""
    with ExitStack() as to_the_end:
        try:
            kept = _kept_results(team, worker, job)
            if kept is not None:
                to_the_end.enter_context(kept.journal)
                job = replace(job, kept=kept)
            run = _begun(team, worker, job)
        except InputError:
            together.finish(team)
            raise
        try:
            _drive(run, team, worker, job)
        except BaseException:
            stop(run, team)  # where that has not been done
            together.finish(team)
            raise
        together.finish(team)


def _kept_results(team: Any, worker: Worker, job: MapJob) -> KeptResults | None:
    """On image 0, which reads and writes files: all are looked at before any item begins.

    Raises `InputError`, as a part of which `JournalError`.
    """
    if not worker.is_first:
        return None
    try:
        request = journal_request(job.path("checkpoint"), job.path("restart_from"))
        check_outputs(job.files.values(), (None if request is None else request.path,))
        if request is None:
            return None
        # SQLite is loaded only where there is a journal.
        from makespan.tasks.journal import KeptResults

        worker.journal_path = request.path
        return KeptResults.of(request, worker)
    except InputError as error:
        if team.images > 1:
            team.shut_down(f"{type(error).__name__}: {error}")
        raise


def _begun(team: Any, worker: Worker, job: MapJob) -> Any:
    try:
        return load_engine().TaskRun(
            team, worker, len(worker.items), job.costs, _left_to_do(worker)
        )
    except ValueError as error:
        raise InputError(str(error)) from error


def _left_to_do(worker: Worker) -> NDArray[np.int64] | None:
    left = worker.left_to_do()
    if left is None:
        return None
    import numpy as np

    return np.array(left, dtype=np.int64)


def _ending_all(team: Any, error: BaseException) -> BaseException:
    # A frame that it goes through must not keep the error: with its traceback it would keep the
    # frame, and that the team, until the collector of garbage finds them.
    if team.image == 0:
        team.shut_down(f"{type(error).__name__}: {text_of(error)}")
    return error


def _drive(run: Any, team: Any, worker: Worker, job: MapJob) -> None:
    start = time.perf_counter()
    interrupts = Interrupts()
    try:
        with interrupts:
            with threads_may_stay(run, team):
                with stopped_on_error(run, team, interrupts):
                    _wait(run, worker, job, interrupts)
                is_cut_short = interrupts.asked
                report = _report(run, team, worker)
            if team.image != 0:
                interrupts.take()  # all images end as the first does
                return
            if is_cut_short and not report["complete"]:
                worker.done_when_interrupted = len(worker.kept)
            else:
                _complete(team, worker, job, {**report, "wall_s": time.perf_counter() - start})
            told = _told(team, worker, interrupts)
    except BaseException as error:
        is_second = interrupts.asked and isinstance(error, KeyboardInterrupt)
        with contextlib.suppress(InputError, EngineError):  # what ended the run says more
            job.commit(worker)
        if is_second:
            raise _ending_all(team, worker.interruption(len(worker.kept))) from None
        _ending_all(team, error)
        raise
    team.share(told)


def _told(team: Any, worker: Worker, interrupts: Interrupts) -> bytes:
    """On image 0: what the others learn at the end, of Ctrl-C, too, if that has come by then."""
    while True:
        told = worker.everything() if team.images > 1 else b""
        if not interrupts.take() or worker.done_when_interrupted is not None:
            return told
        worker.done_when_interrupted = len(worker.kept)


def _complete(team: Any, worker: Worker, job: MapJob, report: Mapping[str, Any]) -> None:
    is_an_error = bool(worker.failures) and not worker.keep_on
    if report["complete"] and job.files and not is_an_error:
        with kept_result(lambda: worker.results):
            write_files(_writers(team, worker, job, report))
    if not report["complete"] and not worker.failures and worker.fatal is None:
        raise EngineError("the run ended before all items were done")


def _writers(
    team: Any, worker: Worker, job: MapJob, report: Mapping[str, Any]
) -> dict[Path, Writer]:
    """Of record and trace: both are written, or none."""
    files = job.files
    writers: dict[Path, Writer] = {}
    if "record" in files:
        text = record_text(worker, team, job.settings, report)
        writers[files["record"]] = text_writer(text)
    if worker.spans is not None:
        items = worker.spans.by_item()
        text = map_trace(items, job.costs, job.settings, report["makespan_s"])
        writers[files["trace"]] = text_writer(text)
    return writers


def _wait(run: Any, worker: Worker, job: MapJob, interrupts: Interrupts) -> None:
    if job.kept is not None and (problem := job.kept.journal.problem("run again")) is not None:
        warn_of_run(problem)
    teller = _Teller(worker, job)
    while not run.wait(WAIT_S):
        teller.tell(job.commit(worker))
        if interrupts.asked:
            run.cancel()
    teller.tell(job.commit(worker))


class _Teller:
    """On image 0: says how far the run is."""

    def __init__(self, worker: Worker, job: MapJob) -> None:
        self._worker = worker
        self._on_progress = job.on_progress if worker.is_first else None
        self._costs = job.costs
        self._cost_total = 0.0 if job.costs is None else float(job.costs.sum())
        self._counted = 0
        self._cost_done = 0.0
        self._start = time.perf_counter()
        self._share_at_start = self._share(len(worker.kept), len(worker.items))

    def tell(self, done: int) -> None:
        if self._on_progress is None:
            return
        total = len(self._worker.items)
        elapsed_s = time.perf_counter() - self._start
        share = self._share(done, total)
        now = share - self._share_at_start
        left_s = elapsed_s * (1.0 - share) / now if now > 0 else None
        self._on_progress(Progress(done, total, "items", elapsed_s, share, left_s))

    def _share(self, done: int, total: int) -> float:
        if done == total:
            return 1.0
        if self._costs is None:
            return done / total
        self._cost_done += float(self._costs[self._worker.kept[self._counted : done]].sum())
        self._counted = done
        return min(self._cost_done / self._cost_total, 1.0)


def _report(run: Any, team: Any, worker: Worker) -> Mapping[str, Any]:
    """Of a run that is over. Raises what it failed with, here or on image 0."""
    try:
        report: Mapping[str, Any] = run.report()
    except RuntimeError as error:
        if not worker.is_first:
            raise raised_on_first_image(error, team.image) from None
        if not is_without_device(error):
            raise raised_in_a_call(error) from None
        if not worker.fail_without_threads(run.lost_elsewhere()):
            raise
        return {"complete": False}
    return report
