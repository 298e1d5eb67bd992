# SPDX-License-Identifier: Apache-2.0
"""The devices of a grid by words: `cpu cpu cuda`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from makespan.settings.kinds import Kind

CPU, GPU = "cpu", "cuda"


@dataclass(frozen=True, slots=True)
class DeviceWords(Kind):
    """`cpu` and `cuda`, as often as there are devices of that kind."""

    metavar = "DEVICES"

    @property
    def right(self) -> str:
        """What can be given."""
        return (
            f"give {CPU} and {GPU} with blanks between, as '{CPU} {CPU} {GPU}', and nothing in "
            "brackets: a grid divides its threads evenly"
        )

    def fits(self, value: Any) -> bool:
        """Whether there is a word, and no other one."""
        return isinstance(value, str) and set(value.split()) in ({CPU}, {GPU}, {CPU, GPU})


def device_counts(words: str) -> dict[str, int]:
    """As the engine's team counts them: devices of the CPU, and the first so many GPUs."""
    counts = Counter(words.split())
    return {"devices": counts[CPU], "gpus": counts[GPU]}
