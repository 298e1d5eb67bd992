# SPDX-License-Identifier: Apache-2.0
"""The operations of an update as they are collected: equal ones are kept once."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Offset = tuple[int, int, int]
"""Along x, y, z."""
CENTRE: Offset = (0, 0, 0)

_EXACT: dict[str, Callable[[float, float], float]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
}
"""What Python computes with the same bits as the engine, and never refuses."""


class Operation(NamedTuple):
    """As grid/program/point_program.hpp has it."""

    op: str
    operands: tuple[int, ...] = ()
    value: float = 0.0
    number: int = 0
    offset: Offset = CENTRE


class Operations:
    """A list of operations, each of which stands behind its operands."""

    def __init__(self) -> None:
        self.all: list[Operation] = []
        self._places: dict[tuple[Any, ...], int] = {}

    def add(self, operation: Operation) -> int:
        """Its place; of one that is there already, that one's."""
        folded = self._folded(operation)
        # 0.0 and -0.0 are equal, and not the same.
        key = (folded, math.copysign(1.0, folded.value))
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self.all)
            self.all.append(folded)
        return place

    def _folded(self, operation: Operation) -> Operation:
        """A constant where all operands are."""
        compute = _EXACT.get(operation.op)
        if compute is None:
            return operation
        first, second = (self.all[place] for place in operation.operands)
        if first.op != "constant" or second.op != "constant":
            return operation
        value = compute(first.value, second.value)
        return Operation("constant", value=value) if math.isfinite(value) else operation

    def as_program(
        self, fields: Sequence[str], parameters: int, updates: Sequence[int]
    ) -> dict[str, Any]:
        """What the engine is told; `updates` by field, -1 for one that stays what it is."""
        return {
            "fields": list(fields),
            "parameters": parameters,
            "updates": list(updates),
            "ops": [one.op for one in self.all],
            "operands": [[*one.operands, 0, 0, 0][:3] for one in self.all],
            "values": [one.value for one in self.all],
            "numbers": [one.number for one in self.all],
            "offsets": [list(one.offset) for one in self.all],
        }
