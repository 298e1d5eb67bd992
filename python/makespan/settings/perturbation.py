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
_DIGITS_MAX = 20
"""No device has a longer number, and Python refuses to convert thousands of digits."""
FACTOR_MAX = 1e6
"""Of a device that slows: what it had left for a second then takes twelve days."""
_AFTER = {"slow": ":FACTOR (FACTOR times as long from then on)", "hang": ":SECONDS"}


@dataclass(frozen=True, slots=True)
class Perturbation:
    """What happens to a device or a place, and when; `value` is FACTOR or SECONDS, else 0."""

    kind: str
    where: str
    when: float
    value: float


@dataclass(frozen=True, slots=True)
class Perturbations(Kind):
    """One, as text: of the kinds that the command knows, in its words for where and when."""

    kinds: tuple[str, ...] = KINDS
    where: str = "DEVICE"
    """What is numbered from 0; of `kill` it is the image."""
    when: str = "WHEN"
    metavar: str = "SPEC"

    @property
    def what(self) -> str:
        """The forms that can be given."""
        forms = [
            f"{kind}:{'IMAGE' if kind == 'kill' and self.when == 'SECONDS' else self.where}"
            f"@{self.when}{_AFTER.get(kind, '')}"
            for kind in self.kinds
        ]
        return forms[0] if len(forms) == 1 else f"{', '.join(forms[:-1])} or {forms[-1]}"

    @property
    def right(self) -> str:
        """What can be given."""
        return f"give {self.what}, numbered from 0"

    def fits(self, value: Any) -> bool:
        """Whether it can be read."""
        try:
            one = perturbation(value, self.kinds)
        except InputError:
            return False
        is_counted = self.when in ("ITEM", "PHASE")
        return (
            one.where.isdecimal()
            and len(one.where) <= _DIGITS_MAX
            and (one.when.is_integer() or not is_counted)
            and (one.value > 0.0 or one.kind in WITHOUT_VALUE)
        )


def perturbation(text: Any, kinds: tuple[str, ...] = KINDS) -> Perturbation:
    """What a text says. Raises `InputError`."""
    found = _GRAMMAR.fullmatch(text) if isinstance(text, str) else None
    wrong = InputError(f"{text} (no perturbation): give {Perturbations(kinds).what}")
    if found is None or found[1] not in kinds:
        raise wrong
    if (found[4] is None) != (found[1] in WITHOUT_VALUE):
        raise wrong
    try:
        when, value = float(found[3]), float(found[4] or 0.0)
    except ValueError:
        raise wrong from None
    if not (0.0 <= when < float("inf") and 0.0 <= value < float("inf")):
        raise wrong
    if found[1] == "slow" and value == 0.0:
        raise InputError(f"{text} (a factor of 0 would end at once): give a factor above 0")
    if found[1] == "slow" and value > FACTOR_MAX:
        raise InputError(f"{text} (it would take too long): give up to {FACTOR_MAX:g}")
    return Perturbation(found[1], found[2], when, value)
