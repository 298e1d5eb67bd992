# SPDX-License-Identifier: Apache-2.0
"""Items that are too short for the simulator's clock, to which times 2 ns apart are one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from makespan.base.errors import InputError
from makespan.base.number_text import time_text

if TYPE_CHECKING:
    from makespan.sim.comparison import Candidate, Case

CLOCK_S = 2e-9
"""`VirtualClock::precision` of the engine."""
_CLOCKS = 10.0
"""Of an item: longer ones are told apart, whatever the claims."""
_OVER_IDEAL_MIN = 0.9
"""Nothing is done faster than the ideal, but for the noise of devices."""


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
    bags = case.tasks.bags
    work = math.fsum(
        count * cost * factor
        for bag in bags
        for count, cost, factor in zip(
            bag.counts, bag.costs, bag.factors or (1.0,) * len(bag.costs), strict=True
        )
    )
    items = sum(sum(bag.counts) for bag in bags)
    return work / items / max(case.machine.worker_speeds)
