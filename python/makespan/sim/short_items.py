# SPDX-License-Identifier: Apache-2.0
"""What the simulator's clock cannot count: items that are too short, and bags that are too long.

Times 2 ns apart are one to it. And where a time has so many digits before the point that half a
millisecond adds nothing to it, from 4e12 s on, waiting comes to no end.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from makespan.base.errors import InputError
from makespan.base.number_text import time_text

if TYPE_CHECKING:
    from makespan.sim.comparison import Candidate, Case

LONGEST_S = 1e11
"""Of a bag at its best: policies that take forty times as long are counted, too."""
SHORTEST_S = 1e-200
"""Of a bag at its best: of less, the quotient of makespan and ideal is no number."""
CLOCK_S = 2e-9
"""`VirtualClock::precision` of the engine."""
_CLOCKS = 10.0
"""Of an item: longer ones are told apart, whatever the claims."""
_OVER_IDEAL_MIN = 0.9
"""Nothing is done faster than the ideal, but for the noise of devices."""


def check_time_counts(case: Case) -> None:
    """Raises `InputError` for a bag that takes too long, or no time, before it is simulated."""
    work, speed = case.tasks.real_work, sum(case.machine.worker_speeds)
    least_s = work / speed if speed else math.inf
    if least_s < SHORTEST_S:
        raise InputError(
            f"{case.tasks.source}: all work over all speeds is {least_s:.3g} s (it must be "
            f"{SHORTEST_S:g} s at least): give tasks of greater costs, in the unit of the speeds"
        )
    if least_s > LONGEST_S:
        raise InputError(
            f"{case.tasks.source}: the work takes {least_s:.3g} s at least (the simulator's clock "
            f"counts up to {LONGEST_S:g} s): give tasks of smaller costs, in the unit of the speeds"
        )


def check_time_passed(case: Case, one: Candidate) -> None:
    """Raises `InputError` if a bag was done before it can be, as its items took no time.

    Short items alone are no mistake: chunks of many of them, as in replayed runs, take long enough.
    """
    if one.over_ideal >= _OVER_IDEAL_MIN:
        return
    item_s = _item_s(case)
    if item_s > _CLOCKS * CLOCK_S:
        return
    raise InputError(
        f"{case.tasks.source}: an item takes {time_text(item_s)} on the fastest worker (the "
        f"simulator's clock counts {time_text(CLOCK_S)}, and by {one.way.text} all was done in "
        f"{one.over_ideal:.2g} of the time that it must take): give tasks of greater costs, as "
        "10000:constant:0:1e9 where speeds are in flop/s"
    )


def _item_s(case: Case) -> float:
    """The mean time of an item on the fastest worker."""
    items = sum(sum(bag.counts) for bag in case.tasks.bags)
    return case.tasks.real_work / items / max(case.machine.worker_speeds)
