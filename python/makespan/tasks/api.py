# SPDX-License-Identifier: Apache-2.0
"""`makespan.map`: a function on every item of a list, on all threads or all images of a job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from makespan.base.engine import load_engine
from makespan.job.collective import Collective
from makespan.job.progress import OnProgress
from makespan.job.stopping import expect_none_left
from makespan.settings.keywords import takes
from makespan.settings.setting import check_keywords
from makespan.settings.shared import DISPATCHER, POLICY
from makespan.tasks.input import (
    MAP_SETTINGS,
    Communicator,
    Item,
    Result,
    check_communicator,
    check_function,
    checked_costs,
    checked_items,
)
from makespan.tasks.run import MapJob, map_team, work, worker_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@takes(MAP_SETTINGS)
def map(  # noqa: A001
    function: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    costs: ArrayLike | None = None,
    comm: Communicator | None = None,
    on_progress: OnProgress | None = None,
    **given: Any,
) -> list[Result] | None:
    """`[function(item) for item in items]`, worked on by all threads or processes at once.

    In a process of its own: by `threads` threads (default: one for each core), which helps if the
    function releases the GIL. In a program started by `mpiexec -n K`: collective, by all K
    processes, with one thread each unless `threads` says more; all call it with the same function,
    items, costs and keywords. The first gets the results, the others None; with `gather="all"` all
    get them. There may be one `comm` only, the world (mpi4py.MPI.COMM_WORLD); it need not be given.
    Fast and slow processes share the items so that all end together; if a process is killed and the
    MPI survives that, only the results that it had not yet reported are computed again.

    `costs`, of shape (len(items)), predicts what each item takes, in any unit, above 0 and at most
    1e290: the dearest come first. Results and exceptions travel by pickle. Blocks.

    With `checkpoint` the first process keeps each result in that file (the journal) within a tenth
    of a second, as a pickle; `restart_from` goes on with such a file: only the items that it lacks
    are run. It must be of the same function, by its name and by what is bound to it, and the same
    items in the same order, by digests of their pickles; `JournalError` says what differs. What
    items raise is not kept. Read no journal of a stranger: a pickle can run any code.

    Raises `ItemError`, on all processes, for what the function raised, with the item's index and
    the exception as its cause; nothing new begins then, and of several the one with the lowest
    index is raised. With `return_exceptions` they stand among the results instead. Raises
    `InputError`, on all processes, for invalid arguments and for files that the first one refuses,
    or cannot write at the end: there it has the results as its `result`. On Ctrl-C `Interrupted`,
    when the items under way have ended: its `result` has the results that have come, by the index
    of their item, where a complete run would have returned them, and `restart_from` is the journal.
    An exception of a signal handler comes out then, too; one that comes before the items have begun
    ends a job of several processes, which would wait for this one. A second Ctrl-C does not wait
    for these items: they go on in the background, no other call begins before they have ended, and
    the process ends without them.

    With `timeout` (looked at ten times a second) an item that takes longer is given to another
    thread or process: the function then runs twice on it. The thread that hangs in it gets a
    `BaseException` where it runs Python, and is left behind where it waits elsewhere, to the end of
    the process. `ItemError` with a `TimeoutError` as its cause is raised when a second thread of a
    process hangs in an item, or none is left. Without it the call waits for each item. A
    `RuntimeWarning` tells of an item that takes ten times its prediction, five seconds at least.
    """
    expect_none_left()
    engine = load_engine()
    with Collective() as together:
        check_function(function)
        found = checked_items(items)
        job = MapJob(checked_costs(costs, len(found)), on_progress, given)
        check_keywords((POLICY, DISPATCHER), given, engine)
        check_communicator(comm, engine.images_launched())
        team = map_team(engine, given)
        worker = worker_of(function, found, team.image, given)
        work(together, team, worker, job)
    return worker.outcome()
