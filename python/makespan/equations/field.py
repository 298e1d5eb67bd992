# SPDX-License-Identifier: Apache-2.0
"""A field in an update: its value at the point, at neighbours, and its derivatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from makespan.equations.expression import Number
from makespan.equations.operations import Operation, Operations
from makespan.equations.space import Space
from makespan.equations.users_line import refused

RADIUS_MAX = 4
"""An update reads no farther along each axis; grid/program/point_program.hpp."""

SECOND: Mapping[int, tuple[float, ...]] = {
    2: (-2.0, 1.0),
    4: (-5 / 2, 4 / 3, -1 / 12),
    6: (-49 / 18, 3 / 2, -3 / 20, 1 / 90),
    8: (-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560),
}
"""Weights of second derivatives by order of accuracy: of the point, then of both neighbours.

B. Fornberg, Mathematics of Computation 51 (1988) 699-706, table 1.
"""
FIRST: Mapping[int, tuple[float, ...]] = {
    2: (1 / 2,),
    4: (2 / 3, -1 / 12),
    6: (3 / 4, -3 / 20, 1 / 60),
    8: (4 / 5, -1 / 5, 4 / 105, -1 / 280),
}
"""Of first derivatives: of the neighbour ahead; the one behind has the opposite."""


def _sum(terms: Sequence[Number]) -> Number:
    return reduce(lambda a, b: a + b, terms)


class Field(Number):
    """The field's value at the point, before the step."""

    __slots__ = ("_number", "_space", "name")

    def __init__(self, operations: Operations, name: str, number: int, space: Space) -> None:
        super().__init__(operations, operations.add(Operation("load", number=number)))
        self.name = name
        self._number = number
        self._space = space

    def __getitem__(self, offset: Any) -> Number:
        """The value at a neighbour: `u[0, 1]` is the next one along x, in the order of arrays."""
        given = offset if isinstance(offset, tuple) else (offset,)
        text = f"{self.name}[{', '.join(map(str, given))}]"
        axes = self._space.names
        if len(given) != len(axes) or not all(hasattr(one, "__index__") for one in given):
            raise refused(
                f"{text} (a neighbour has one whole number for each axis): give {self.name}"
                f"[{', '.join(f'd{axis}' for axis in axes)}], as in {self.name}"
                f"[{', '.join(['0'] * (len(axes) - 1) + ['1'])}]"
            )
        steps = [one.__index__() for one in given]
        farthest = max(map(abs, steps))
        if farthest > RADIUS_MAX:
            raise refused(
                f"{text} reads {farthest} points away (an update reads at most {RADIUS_MAX} along "
                "each axis): use a formula of lower order"
            )
        return self._load(steps)

    def _load(self, steps: list[int]) -> Number:
        place = self.operations.add(
            Operation("load", number=self._number, offset=self._space.engine_offset(steps))
        )
        return Number(self.operations, place)

    def derivative(self, axis: str, *, times: int = 1, order: int = 2) -> Number:
        """The first or second (`times`) derivative along an axis, "x", "y" or "z".

        Central differences of `order` 2, 4, 6 or 8, divided by the grid's spacing.
        """
        number = self._axis(axis)
        if times not in (1, 2):
            raise refused(f"derivative(times={times}): the first (1) and the second (2) are known")
        weights = self._weights(FIRST if times == 1 else SECOND, order)
        spacing = self._space.spacing[number]
        if times == 2:
            return self._along(number, weights[1:], weights[0] * self) / spacing**2
        terms = []
        for distance, weight in enumerate(weights, 1):
            low, high = self._pair(number, distance)
            terms.append(weight * (high - low))
        return _sum(terms) / spacing

    def laplacian(self, *, order: int = 2) -> Number:
        """The sum of second derivatives along all axes, of `order` 2, 4, 6 or 8."""
        weights = self._weights(SECOND, order)
        spacings = self._space.spacing
        if len(set(spacings)) > 1:
            return _sum([self.derivative(axis, times=2, order=order) for axis in self._space.names])
        total = (weights[0] * len(spacings)) * self
        for distance, weight in enumerate(weights[1:], 1):
            pairs = [self._pair(number, distance) for number in range(len(spacings))]
            total = total + weight * _sum([low + high for low, high in pairs])
        return total if spacings[0] == 1.0 else total / spacings[0] ** 2

    def _along(self, axis: int, weights: tuple[float, ...], total: Number) -> Number:
        for distance, weight in enumerate(weights, 1):
            low, high = self._pair(axis, distance)
            total = total + weight * (low + high)
        return total

    def _pair(self, axis: int, distance: int) -> tuple[Number, Number]:
        steps = [0] * len(self._space.shape)
        steps[axis] = distance
        return self._load([-one for one in steps]), self._load(steps)

    def _axis(self, axis: str) -> int:
        if axis not in self._space.names:
            raise refused(
                f"axis {axis!r} is unknown (known: {', '.join(self._space.names)}): name one"
            )
        return self._space.names.index(axis)

    def _weights(self, by_order: Mapping[int, tuple[float, ...]], order: int) -> tuple[float, ...]:
        if order not in tuple(by_order):  # a list is no key of a dict
            raise refused(f"order {order} is unknown (known: 2, 4, 6, 8): give one")
        return by_order[order]
