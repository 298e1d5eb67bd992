# SPDX-License-Identifier: Apache-2.0
"""What the objects of a melt took for a step of one phase, by place and by cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from makespan.melting.outcome import MeltOutcome

    Numbers = NDArray[np.float64]

NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Loads:
    """Of one phase; arrays by object, cells first; seconds of a step."""

    phase: int
    steps: tuple[int, int]
    seconds: Numbers
    place: NDArray[np.int32]
    cells: int
    places: int

    @staticmethod
    def of(outcome: MeltOutcome, shares: Mapping[str, Any]) -> Loads:
        """An object that was at two places has its time at the one where it took more."""
        x, y, z = outcome.system["cells"]
        count = 15 * x * y * z
        seconds, most = np.zeros(count), np.zeros(count)
        place = np.full(count, NOWHERE, dtype=np.int32)
        np.add.at(seconds, shares["index"], shares["cpu_s"])
        for index, where, cpu_s in zip(
            shares["index"], shares["place"], shares["cpu_s"], strict=True
        ):
            if cpu_s > most[index]:
                most[index], place[index] = cpu_s, where
        phase = int(shares["phase"])
        begin, end = outcome.span(phase)
        seconds /= max(1, end - begin)
        return Loads(phase, (begin, end), seconds, place, x * y * z, outcome.report["places"])

    @staticmethod
    def known(outcome: MeltOutcome) -> list[Loads]:
        """Of the first phase, and of the last if that is another; where objects told of them."""
        found = [Loads.of(outcome, outcome.report[f"{when}_shares"]) for when in ("first", "last")]
        known = [one for one in found if one.phase >= 0]
        return known[:1] if len(known) == 2 and known[0].phase == known[1].phase else known

    def by_place(self, *, of_cells: bool) -> Numbers:
        """Seconds of each place, for cells or for computes."""
        sums = np.zeros(self.places)
        chosen = slice(self.cells) if of_cells else slice(self.cells, None)
        known = self.place[chosen] != NOWHERE
        np.add.at(sums, self.place[chosen][known], self.seconds[chosen][known])
        return sums

    def by_cell(self, system: Mapping[str, Any]) -> Numbers:
        """Seconds of each cell: its own, and a half of each of its computes from either side."""
        sums = self.seconds[: self.cells].copy()
        computes = self.seconds[self.cells :] / 2
        np.add.at(sums, system["compute_first"], computes)
        np.add.at(sums, system["compute_second"], computes)
        return sums

    def ranked(self) -> list[Numbers]:
        """By place: what its objects took, the heaviest first."""
        return [np.sort(self.seconds[self.place == place])[::-1] for place in range(self.places)]
