# SPDX-License-Identifier: Apache-2.0
"""Devices that slow down, hang or fail, for tests and for simulations: one grammar for all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from makespan.base.errors import InputError
from makespan.settings.kinds import Kind

KINDS = ("slow", "fail", "kill", "hang")
_GRAMMAR = re.compile(r"(\w+):([^@\s]+)@([^:\s]+)(?::(\S+))?")
WITHOUT_VALUE = ("fail", "kill")
WHAT = (
    "slow:WHERE@WHEN:FACTOR (FACTOR times as long from then on), fail:WHERE@WHEN, "
    "kill:WHERE@WHEN, or hang:WHERE@WHEN:SECONDS"
)


@dataclass(frozen=True, slots=True)
class Perturbation:
    """What happens to a device or a place, and when; `value` is FACTOR or SECONDS, 0 for fail."""

    kind: str
    where: str
    when: float
    value: float


@dataclass(frozen=True, slots=True)
class Perturbations(Kind):
    """One, as text. `kinds` are those that the command knows."""

    kinds: tuple[str, ...] = KINDS
    metavar = "SPEC"

    @property
    def right(self) -> str:
        """What can be given."""
        return f"give {WHAT}"

    def fits(self, value: Any) -> bool:
        """Whether it can be read."""
        try:
            perturbation(value, self.kinds)
        except InputError:
            return False
        return True


def perturbation(text: Any, kinds: tuple[str, ...] = KINDS) -> Perturbation:
    """What a text says. Raises `InputError`."""
    found = _GRAMMAR.fullmatch(text) if isinstance(text, str) else None
    wrong = InputError(f"{text} (no perturbation): give {WHAT}")
    if (
        found is None
        or found[1] not in kinds
        or (found[4] is None) != (found[1] in ("fail", "kill"))
    ):
        raise wrong
    try:
        when, value = float(found[3]), float(found[4] or 0.0)
    except ValueError:
        raise wrong from None
    if not (0.0 <= when < float("inf") and 0.0 <= value < float("inf")):
        raise wrong
    if found[1] == "slow" and value == 0.0:
        raise InputError(f"{text} (a factor of 0 would end at once): give a factor above 0")
    return Perturbation(found[1], found[2], when, value)
