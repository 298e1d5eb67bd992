# SPDX-License-Identifier: Apache-2.0
"""`makespan.map`: a function on every item of a list, on all threads or all images of a job."""

from __future__ import annotations

import math
import pickle
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from makespan.base.engine import load_engine
from makespan.base.errors import EngineError, InputError, ItemError
from makespan.job.collective import Collective
from makespan.job.hold_mpi import hold_mpi
from makespan.job.interrupts import Interrupts
from makespan.job.overdue import interrupt_thread, is_without_device, item_text, warn_of_run
from makespan.job.stopping import expect_none_left, stop, stopped_on_error, threads_may_stay
from makespan.job.teams import made
from makespan.settings.algorithm import algorithm
from makespan.settings.shared import DISPATCHER, POLICY, THREADS_OF_RUN

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Item = TypeVar("Item")
Result = TypeVar("Result")

WAIT_S = 0.05
"""Between two looks at the run: how long Ctrl-C may take."""

NOTHING = object()
"""In place of a result that has not come."""


class Communicator(Protocol):
    """What of an mpi4py communicator is looked at."""

    def Get_size(self) -> int:  # noqa: N802
        """Number of processes."""


def map(  # noqa: A001
    function: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    costs: ArrayLike | None = None,
    comm: Communicator | None = None,
    threads: int | None = None,
    dispatcher: str = "steal",
    policy: str = "equal_time",
    return_exceptions: bool = False,
    timeout_s: float | None = None,
) -> list[Result]:
    """`[function(item) for item in items]`, worked on by all threads or processes at once.

    In a process of its own: by `threads` threads (default: one for each core), which helps if the
    function releases the GIL. In a program started by `mpiexec -n K`: collective, by all K
    processes with one thread each; all call it with the same function, items and costs, and all
    get all results. There may be one `comm` only, the world (mpi4py.MPI.COMM_WORLD); it need not
    be given. Fast and slow processes share the items so that all end together; if a process is
    killed and the MPI survives that, only the results that it had not yet reported are computed
    again.

    `costs`, of shape (len(items)), predicts what each item takes, in any unit: dear ones then come
    first. Results, and exceptions, travel by pickle. Blocks.

    Raises `ItemError` for what the function raised, with the item's index and the exception as its
    cause; nothing new begins then, and of several the one with the lowest index is raised. With
    `return_exceptions` they stand among the results instead. Raises `InputError` for invalid
    arguments; `KeyboardInterrupt` on Ctrl-C, when the items under way have ended. An exception of a
    signal handler comes out then, too; one that comes before the items have begun ends a job of
    several processes, which would wait for this one. A second Ctrl-C does not wait for these items:
    they go on in the background, no other call begins before they have ended, and the process ends
    without them.

    With `timeout_s` [s, looked at ten times a second] an item that takes longer is given to
    another thread or process: the function then runs twice on it. The thread that hangs in it gets
    a `BaseException` where it runs Python, and is left behind where it waits elsewhere, to the end
    of the process. `ItemError` with a `TimeoutError` as its cause is raised when a second thread
    of a process hangs in an item, or none is left. Without it the call waits for each item, however
    long. A `RuntimeWarning` tells of an item that has taken ten times its prediction, and five
    seconds at least.
    """
    expect_none_left()
    with Collective() as together:
        checked = _checked_costs(costs, len(items))
        team = _team(comm, threads, dispatcher, policy, timeout_s)
        worker = _Worker(
            function,
            items,
            first_image=team.image == 0,
            keep_on=return_exceptions,
            timeout_s=timeout_s,
        )
        _work(together, team, worker, checked)
    return worker.outcome()


class _Worker:
    """What the engine calls: runs items on its threads, and brings results to image 0."""

    def __init__(
        self,
        function: Callable[[Any], Any],
        items: Sequence[Any],
        *,
        first_image: bool,
        keep_on: bool,
        timeout_s: float | None,
    ) -> None:
        self.timeout_s = timeout_s
        self.function = function
        self.items = items
        self.first_image = first_image
        self.keep_on = keep_on
        self.results: list[Any] = [NOTHING] * len(items)
        self.unsent: dict[int, list[tuple[int, Any]]] = {}
        self.failures: dict[int, BaseException] = {}
        self.lost: list[int] = []
        self.fatal: tuple[int, TimeoutError] | None = None
        self.idents: dict[int, int] = {}

    def run(self, thread: int, first: int, last: int) -> bool:
        """Runs items `first` .. `last - 1`; whether the bag should end."""
        self.idents[thread] = threading.get_ident()
        for index in range(first, last):
            try:
                result = self.function(self.items[index])
            except Exception as error:
                result = _Failure(error)
            self.unsent.setdefault(thread, []).append((index, result))
            if isinstance(result, _Failure) and not self.keep_on:
                return True
        return False

    def keep(self, thread: int) -> bool:
        """On image 0: what came of this thread's items counts; whether the bag should end."""
        for index, result in self.unsent.pop(thread, ()):
            self._keep(index, result)
        return bool(self.failures) and not self.keep_on

    def drop(self, thread: int) -> None:
        """What came of this thread's items does not count."""
        self.unsent.pop(thread, None)

    def on_overdue(
        self,
        thread: int,
        items: tuple[int, int],
        seconds: float,
        predicted_s: float,
        lost: bool,  # noqa: FBT001, the engine's call
    ) -> bool:
        """A thread has been at items (first, last + 1) too long; whether the bag should end."""
        first = items[0]
        if not lost:
            warn_of_run(item_text(*items, seconds, predicted_s, lost=lost))
            return False
        # Python that runs is left at once; what waits in C, when it comes back.
        interrupt_thread(self.idents[thread])
        self.lost.append(first)
        is_second = self.lost.count(first) > 1
        if is_second:
            self.fail_lost(first)
        warn_of_run(item_text(*items, seconds, predicted_s, lost=lost))
        return is_second

    def fail_lost(self, index: int) -> None:
        """Threads have hung in this item."""
        self.fatal = (index, TimeoutError(f"it has not ended within {self.timeout_s:g} s"))

    def pack(self, thread: int) -> bytes:
        """What came of this thread's items since the last call."""
        unsent = self.unsent.pop(thread, None)
        return b"" if unsent is None else _pickled(unsent, dict(unsent))

    def unpack(self, data: bytes) -> bool:
        """On image 0: takes what another one packed; whether the bag should end."""
        for index, result in pickle.loads(data):  # noqa: S301, our own processes wrote it
            self._keep(index, result)
        return bool(self.failures) and not self.keep_on

    def receive(self, data: bytes) -> None:
        """On the others, at the end: all results."""
        results, self.fatal = pickle.loads(data)  # noqa: S301, as above
        for index, result in enumerate(results):
            self._keep(index, result)

    def everything(self) -> bytes:
        """All results for the others."""
        whole = [
            _Failure(self.failures[index]) if index in self.failures else result
            for index, result in enumerate(self.results)
        ]
        sent = [None if result is NOTHING else result for result in whole]
        return _pickled((sent, self.fatal), dict(enumerate(sent)))

    def outcome(self) -> list[Any]:
        """The results in order; raises the first failure unless exceptions are wanted."""
        if self.fatal is not None:
            raise ItemError(*self.fatal) from self.fatal[1]
        if self.failures and not self.keep_on:
            index = min(self.failures)
            raise ItemError(index, self.failures[index]) from self.failures[index]
        missing = next((at for at, one in enumerate(self.results) if one is NOTHING), None)
        if missing is not None:
            raise EngineError(f"item {missing}: its result has not come (image 0 ended early)")
        return self.results

    def _keep(self, index: int, result: Any) -> None:
        if isinstance(result, _Failure):
            self.failures[index] = result.error
            self.results[index] = result.error
        else:
            self.results[index] = result


class _Failure:
    """What an item raised, on its way: as it is, or as text if it cannot be pickled."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __reduce__(self) -> tuple[Any, ...]:
        try:
            pickle.loads(pickle.dumps(self.error))  # noqa: S301, our own
        except Exception:
            text = f"{type(self.error).__name__}: {self.error}"
            return (_Failure, (RuntimeError(text),))
        return (_Failure, (self.error,))


def _pickled(whole: Any, results: Mapping[int, Any]) -> bytes:
    """Bytes of `whole`, in which these results are. Raises `EngineError` that names one's item."""
    try:
        return pickle.dumps(whole)
    except Exception as error:
        # What functions return may raise anything here.
        index = next((at for at, result in results.items() if not _travels(result)), None)
        which = "a result" if index is None else f"the result of item {index}"
        raise EngineError(
            f"{which} cannot travel to the other images ({type(error).__name__}: {error}): "
            "return what can be pickled"
        ) from error


def _travels(result: Any) -> bool:
    try:
        pickle.dumps(result)
    except Exception:
        return False
    return True


def _work(
    together: Collective, team: Any, worker: _Worker, costs: NDArray[np.float64] | None
) -> None:
    try:
        run = _begun(team, worker, costs)
    except InputError:
        together.finish(team)
        raise
    try:
        _drive(run, team, worker)
    except BaseException:
        stop(run, team)  # where that has not been done
        together.finish(team)
        raise
    together.finish(team)


def _begun(team: Any, worker: _Worker, costs: NDArray[np.float64] | None) -> Any:
    try:
        return load_engine().TaskRun(team, worker, len(worker.items), costs)
    except ValueError as error:
        raise InputError(str(error)) from error


def _drive(run: Any, team: Any, worker: _Worker) -> None:
    try:
        with threads_may_stay(run, team):
            with Interrupts() as interrupts, stopped_on_error(run, team, interrupts):
                while not run.wait(WAIT_S):
                    if interrupts.asked:
                        run.cancel()
            report = _report(run, worker)
        if team.image != 0:
            return
        _expect_all(report, worker, interrupted=interrupts.asked)
        results = worker.everything() if team.images > 1 else b""
    except BaseException as error:
        if team.image == 0:
            team.shut_down(f"{type(error).__name__}: {error}")
        raise
    team.share(results)


def _report(run: Any, worker: _Worker) -> Mapping[str, Any]:
    """Of a run that is over. Raises what it failed with."""
    try:
        report: Mapping[str, Any] = run.report()
    except RuntimeError as error:
        missing = [index for index in worker.lost if worker.results[index] is NOTHING]
        if not missing or not worker.first_image or not is_without_device(error):
            raise
        worker.fail_lost(missing[0])
        return {"complete": False}
    return report


def _expect_all(report: Mapping[str, Any], worker: _Worker, *, interrupted: bool) -> None:
    if interrupted:
        raise KeyboardInterrupt
    if not report["complete"] and not worker.failures and worker.fatal is None:
        raise EngineError("the run ended before all items were done")


def _checked_costs(costs: ArrayLike | None, items: int) -> NDArray[np.float64] | None:
    if costs is None:
        return None
    import numpy as np

    checked = np.ascontiguousarray(costs, dtype=np.float64)
    if checked.shape != (items,):
        raise InputError(
            f"costs must have shape ({items},), one for each item; got {checked.shape}"
        )
    return checked


def _team(
    comm: Communicator | None,
    threads: int | None,
    dispatcher: str,
    policy: str,
    timeout_s: float | None,
) -> Any:
    engine = load_engine()
    for setting, value in ((DISPATCHER, dispatcher), (POLICY, policy), (THREADS_OF_RUN, threads)):
        setting.check(value, engine=engine)
    if timeout_s is not None and not 0.0 < timeout_s < math.inf:
        raise InputError(f"timeout_s must be a number of seconds > 0, or None; got {timeout_s}")
    images = engine.images_launched()
    if comm is not None and comm.Get_size() != images:
        raise InputError(
            f"comm has {comm.Get_size()} processes, the job has {images}; "
            "give the world communicator, or none"
        )
    chosen = algorithm(policy, "policies", engine)
    hold_mpi(engine)
    settings = {
        "devices": "cpu",
        "threads": threads or (1 if images > 1 else 0),
        "dispatcher": dispatcher,
        "policy": chosen.name,
        "policy_options": dict(chosen.options),
        "timeout": float(timeout_s or 0.0),
    }
    return made(lambda: engine.TaskTeam(settings))
