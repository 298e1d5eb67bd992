# SPDX-License-Identifier: Apache-2.0
"""The settings of `makespan.map`, and what is checked of its other arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Protocol, TypeVar

from makespan.base.errors import InputError
from makespan.settings.kinds import ABOVE_0, Switch
from makespan.settings.setting import Setting
from makespan.settings.shared import (
    CHECKPOINT,
    DISPATCHER,
    FILE,
    GATHER,
    POLICY,
    RECORD,
    RESTART_FROM,
    THREADS_OF_RUN,
    TRACE,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

COST_MAX = 1e290
"""Of an item."""
_OF_TABLES = ("iloc", "get_columns", "itercolumns")
"""Of pandas', polars' and Arrow's tables: what an index finds is not what iterating them gives."""
Item = TypeVar("Item")
Result = TypeVar("Result")

MAP_SETTINGS = (
    THREADS_OF_RUN.but(
        help="Threads of each process; all its cores by default, under mpiexec one thread."
    ),
    DISPATCHER,
    POLICY,
    Setting(
        "timeout",
        ABOVE_0,
        unit="s",
        help="Seconds that one item may take; as long as it likes by default.",
    ),
    Setting(
        "return_exceptions",
        Switch(),
        default=False,
        help="What items raise stands among the results, and the rest goes on.",
    ),
    CHECKPOINT.but(
        kind=FILE,
        help="Keep the results of finished items in this file (the journal) as the run goes.",
    ),
    RESTART_FROM.but(
        kind=FILE,
        help="Run only the items that this journal lacks, and keep their results there.",
    ),
    RECORD.but(help="Write here what ran, as what and where, and how long it took."),
    TRACE.but(
        help="Write here which thread ran each item, and how long; ui.perfetto.dev opens it."
    ),
    GATHER.but(help="Which images of a job get the results."),
)


class Communicator(Protocol):
    """What of an mpi4py communicator is looked at."""

    def Get_size(self) -> int:  # noqa: N802
        """Number of processes."""


def check_function(function: object) -> None:
    """Raises `InputError` for what cannot be called."""
    if not callable(function):
        kind = type(function).__name__
        raise InputError(f"function must be callable; got {kind}: give a function of one item")


def checked_items(items: Sequence[Item]) -> Sequence[Item]:
    """As they are found by their index. Raises `InputError`."""
    kind = type(items).__name__
    if isinstance(items, Mapping | Set):
        raise InputError(f"items must be in an order, and a {kind} has none; give a list of them")
    if any(hasattr(items, name) for name in _OF_TABLES):
        return list(items)
    try:
        len(items)
    except TypeError as error:
        raise InputError(f"items must have a length; got {kind}: give a list of them") from error
    if not hasattr(items, "__getitem__"):
        raise InputError(f"items must be found by their index; got {kind}: give a list of them")
    return items


def checked_costs(costs: ArrayLike | None, items: int) -> NDArray[np.float64] | None:
    """As the engine takes them. Raises `InputError`."""
    if costs is None:
        return None
    from makespan.settings.float_array import float_array  # loads numpy

    try:
        checked = float_array(costs)
    except ValueError as error:
        raise InputError(f"costs must be numbers, one for each item ({error})") from error
    if checked.shape != (items,):
        raise InputError(
            f"costs must have shape ({items},), one for each item; got {checked.shape}"
        )
    if items and checked.max() > COST_MAX:
        raise InputError(
            f"costs has {checked.max():g} (sums and speeds of such would be no numbers): give them "
            f"in a larger unit, of which none takes more than {COST_MAX:g}"
        )
    return checked


def check_communicator(comm: Communicator | None, images: int) -> None:
    """Raises `InputError` for one that is not of all processes of the job."""
    if comm is not None and not hasattr(comm, "Get_size"):
        raise InputError(
            f"comm must be a communicator of mpi4py, as MPI.COMM_WORLD; got {type(comm).__name__}"
        )
    if comm is not None and comm.Get_size() != images:
        raise InputError(
            f"comm has {comm.Get_size()} processes, the job has {images}; "
            "give the world communicator, or none"
        )
