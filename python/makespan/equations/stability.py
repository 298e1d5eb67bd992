# SPDX-License-Identifier: Apache-2.0
"""Whether small waves grow from step to step, where that follows from the update (von Neumann).

An update that is linear in all that it reads at neighbours, with the same factors at every point,
multiplies a wave exp(i k x) of its fields by a matrix that depends on k alone. Waves that grow
faster than what is uniform are the scheme's own, and grow without end. Parts that are not linear
and read the point alone (reactions) are left out.

J. G. Charney, R. Fjortoft, J. von Neumann, Tellus 2 (1950) 237-254.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from makespan.equations.operations import CENTRE, Offset, Operation
from makespan.equations.trace import Traced

ANGLES = 9
"""Of waves along each axis, from 0 to pi."""
_SLACK = 1e-6
"""Double eigenvalues come out with half of the digits."""

Factors = Mapping[tuple[int, Offset], float]
"""By field and neighbour."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What an operation is of the fields: a sum of values and a constant, or what is left out."""

    factors: Factors
    constant: float | None
    """None where it is not known, or not the same at all points."""
    is_local: bool
    """It reads the point alone."""

    @property
    def is_known(self) -> bool:
        return not self.factors and self.constant is not None


class _NotLinear(Exception):
    """Neighbours' values go into something that is not linear."""


def growing_wave(traced: Traced, parameters: Sequence[float]) -> tuple[float, Offset] | None:
    """How much the wave that grows fastest is multiplied by a step, and its half length.

    The half length is of each engine axis in points; 0 where the wave is uniform. None where no
    wave grows, or nothing follows from the update.
    """
    try:
        symbols = _symbols(traced, parameters)
    except _NotLinear:
        return None
    if symbols is None:
        return None
    fields, rows = symbols
    axes = [axis for axis in range(3) if any(at[axis] for row in rows for _, at in row)]
    if not axes:
        return None
    angles = [np.linspace(0.0, np.pi, ANGLES) if axis in axes else np.zeros(1) for axis in range(3)]
    waves = np.array(list(itertools.product(*angles)))
    growth = np.abs(np.linalg.eigvals(_matrices(fields, rows, waves))).max(axis=1)
    uniform = max(1.0, float(growth[0]))
    worst = int(growth.argmax())
    if not growth[worst] > uniform * (1 + _SLACK):
        return None
    x, y, z = (round(np.pi / angle) if angle > 0 else 0 for angle in waves[worst])
    return float(growth[worst]), (x, y, z)


def _matrices(
    fields: Sequence[int], rows: Sequence[Factors], waves: NDArray[np.float64]
) -> NDArray[np.complex128]:
    places = {field: place for place, field in enumerate(fields)}
    out = np.zeros((len(waves), len(fields), len(fields)), dtype=np.complex128)
    for row, factors in enumerate(rows):
        for (field, offset), factor in factors.items():
            if field in places:
                phase = np.exp(1j * (waves @ np.array(offset, dtype=np.float64)))
                out[:, row, places[field]] += factor * phase
    return out


def _symbols(traced: Traced, parameters: Sequence[float]) -> tuple[list[int], list[Factors]] | None:
    parts: list[_Part] = []
    for operation in traced.operations.all:
        parts.append(_part(operation, [parts[place] for place in operation.operands], parameters))
    fields = [number for number, update in enumerate(traced.updates) if update >= 0]
    rows = [parts[traced.updates[number]].factors for number in fields]
    return (fields, rows) if any(rows) else None


def _sum(first: _Part, second: _Part, sign: float) -> _Part:
    factors = dict(first.factors)
    for key, factor in second.factors.items():
        factors[key] = factors.get(key, 0.0) + sign * factor
    known = first.constant is not None and second.constant is not None
    constant = first.constant + sign * second.constant if known else None  # type: ignore[operator]
    return _Part(factors, constant, first.is_local and second.is_local)


def _times(part: _Part, factor: float) -> _Part:
    constant = None if part.constant is None else part.constant * factor
    factors = {key: value * factor for key, value in part.factors.items()}
    return _Part(factors, constant, part.is_local)


def _other(operands: Sequence[_Part]) -> _Part:
    """What is not linear: left out where it reads the point alone."""
    if not all(one.is_local for one in operands):
        raise _NotLinear
    return _Part({}, None, is_local=True)


def _product(first: _Part, second: _Part) -> _Part:
    if first.is_known and first.constant is not None:
        return _times(second, first.constant)
    if second.is_known and second.constant is not None:
        return _times(first, second.constant)
    return _other((first, second))


def _part(operation: Operation, operands: Sequence[_Part], parameters: Sequence[float]) -> _Part:
    op = operation.op
    if op == "constant":
        return _Part({}, operation.value, is_local=True)
    if op == "parameter":
        return _Part({}, parameters[operation.number], is_local=True)
    if op == "load":
        return _Part({(operation.number, operation.offset): 1.0}, 0.0, operation.offset == CENTRE)
    if op in ("add", "subtract"):
        return _sum(*operands, 1.0 if op == "add" else -1.0)
    if op == "negate":
        return _times(operands[0], -1.0)
    if op == "multiply":
        return _product(*operands)
    if op == "fused":
        return _sum(_product(*operands[:2]), operands[2], 1.0)
    if op == "divide" and operands[1].is_known and operands[1].constant:
        return _times(operands[0], 1.0 / operands[1].constant)
    return _other(operands)
