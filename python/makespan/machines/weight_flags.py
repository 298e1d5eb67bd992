# SPDX-License-Identifier: Apache-2.0
"""The flags of `makespan machine` that are about weights for other programs."""

from __future__ import annotations

from dataclasses import dataclass

from makespan.base.errors import InputError
from makespan.machines.weights.request import WeightRequest

LIST = "list"


@dataclass(frozen=True, slots=True)
class WeightFlags:
    """As they were typed."""

    weights: str | None = None
    places: str | None = None
    gpus: bool = False
    speeds: str | None = None

    def request(self) -> WeightRequest | None:
        """None without --weights. Raises `InputError` if they do not fit each other."""
        if self.weights is None:
            given = {"--places": self.places, "--gpus": self.gpus, "--speeds": self.speeds}
            flag = next((flag for flag, value in given.items() if value), None)
            if flag is not None:
                raise InputError(f"{flag} (no weights are asked for): say which by --weights")
            return None
        request = WeightRequest(self.weights, self.places, self.gpus, self.speeds)
        request.check()
        return request
