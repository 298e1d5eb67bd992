# SPDX-License-Identifier: Apache-2.0
"""Whether small waves grow from step to step, where that follows from the update (von Neumann).

An update that is linear in all that it reads at neighbours, with the same factors at every point,
multiplies a wave exp(i k x) of its fields by a matrix that depends on k alone. Parts that are not
linear and read the point alone (reactions) are left out; where the field itself is within them, as
in u (1 + r (1 - u)), it is taken as if it stood beside them.

Waves that grow faster than what is uniform are the scheme's own and grow without end, but for one
kind: where an eigenvalue's real part is above 1, the equation grows for any time step, as where
patterns form (A. M. Turing 1952). It is refused only if the shortest waves do, which no equation
that has a solution makes grow fastest.

J. G. Charney, R. Fjortoft, J. von Neumann, Tellus 2 (1950) 237-254.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from makespan.equations.operations import CENTRE, Offset, Operation
from makespan.equations.trace import Traced

ANGLES = 9
"""Of waves along each axis, from 0 to pi."""
_SLACK = 1e-6
"""Double eigenvalues come out with half of the digits."""
_NEAR_0 = 0.5
"""A step of an equation multiplies a uniform field by more."""

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
    left_out: frozenset[int] = frozenset()
    """Fields that what was left out reads."""

    @property
    def is_known(self) -> bool:
        return not self.factors and self.constant is not None


class _NotLinearError(Exception):
    """Neighbours' values go into something that is not linear."""


@dataclass(frozen=True, slots=True)
class GrowingWave:
    """A wave of the scheme's own."""

    growth: float
    """What a step multiplies it by."""
    length: tuple[float, float, float]
    """Along each engine axis, in points; 0 where it is uniform."""
    has_shorter_step: bool
    """Whether a shorter time step keeps it from growing."""


def growing_wave(traced: Traced, parameters: Sequence[float]) -> GrowingWave | None:
    """The one that grows fastest; None where none grows, or nothing follows from the update."""
    try:
        symbols = _symbols(traced, parameters)
    except _NotLinearError:
        return None
    if symbols is None:
        return None
    fields, rows = symbols
    axes = [axis for axis in range(3) if any(at[axis] for row in rows for _, at in row)]
    if not axes:
        return None
    waves = _waves(axes)
    with np.errstate(over="ignore", invalid="ignore"):
        matrices = _matrices(fields, rows, waves)
    if not np.isfinite(matrices).all():  # factors near the largest number, or beyond it
        return None
    values = np.linalg.eigvals(matrices)
    farthest = np.abs(waves).max(axis=1)
    uniform = max(1.0, float(np.abs(values[farthest == 0]).max()))
    is_shortest = farthest[:, np.newaxis] > np.pi * (1 - _SLACK)
    is_scheme = (values.real <= 1 + _SLACK) | is_shortest
    growth = np.where(is_scheme, np.abs(values), 0.0)
    wave, which = np.unravel_index(growth.argmax(), growth.shape)
    if not growth[wave, which] > uniform * (1 + _SLACK):
        return None
    x, y, z = (2 * np.pi / abs(angle) if angle else 0.0 for angle in waves[wave])
    has_shorter_step = bool(values[wave, which].real < 1 - _SLACK)
    return GrowingWave(float(growth[wave, which]), (x, y, z), has_shorter_step)


def _waves(axes: Sequence[int]) -> NDArray[np.float64]:
    """Angles from point to point: of a wave and the same one turned round, one is enough."""
    half, whole = np.linspace(0.0, np.pi, ANGLES), np.linspace(-np.pi, np.pi, 2 * ANGLES - 1)
    along = [np.zeros(1) if axis not in axes else whole for axis in range(3)]
    along[axes[0]] = half
    return np.array(list(itertools.product(*along)))


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
    own = {number: parts[traced.updates[number]] for number in fields}
    rows = [_with_itself(part, number) for number, part in own.items()]
    return (fields, rows) if any(rows) else None


def _with_itself(part: _Part, field: int) -> Factors:
    """A field's update with the field itself, where that is within what was left out of it.

    What is left multiplies a uniform field by 0 then, where a step of an equation multiplies it by
    about 1: of u (1 + r (1 - u)) it is u that is missing.
    """
    uniform = sum(factor for (of, _), factor in part.factors.items() if of == field)
    if field not in part.left_out or not abs(uniform) <= _NEAR_0:
        return part.factors
    own = (field, CENTRE)
    return {**part.factors, own: part.factors.get(own, 0.0) + 1.0}


def _sum(first: _Part, second: _Part, sign: float) -> _Part:
    factors = dict(first.factors)
    for key, factor in second.factors.items():
        factors[key] = factors.get(key, 0.0) + sign * factor
    known = first.constant is not None and second.constant is not None
    constant = first.constant + sign * second.constant if known else None  # type: ignore[operator]
    is_local = first.is_local and second.is_local
    return _Part(factors, constant, is_local, first.left_out | second.left_out)


def _times(part: _Part, factor: float) -> _Part:
    constant = None if part.constant is None else part.constant * factor
    factors = {key: value * factor for key, value in part.factors.items()}
    return _Part(factors, constant, part.is_local, part.left_out)


def _other(operands: Sequence[_Part]) -> _Part:
    """What is not linear: left out where it reads the point alone."""
    if not all(one.is_local for one in operands):
        raise _NotLinearError
    fields = {field for one in operands for field, _ in one.factors}
    left_out = frozenset(fields).union(*(one.left_out for one in operands))
    return _Part({}, None, is_local=True, left_out=left_out)


def _product(first: _Part, second: _Part) -> _Part:
    if first.is_known and first.constant is not None:
        return _times(second, first.constant)
    if second.is_known and second.constant is not None:
        return _times(first, second.constant)
    return _other((first, second))


def _quotient(first: _Part, second: _Part) -> _Part:
    if second.is_known and second.constant:
        return _times(first, 1.0 / second.constant)
    return _other((first, second))


_LINEAR: Mapping[str, Callable[..., _Part]] = {
    "add": lambda a, b: _sum(a, b, 1.0),
    "subtract": lambda a, b: _sum(a, b, -1.0),
    "negate": lambda a: _times(a, -1.0),
    "multiply": _product,
    "divide": _quotient,
    "fused": lambda a, b, c: _sum(_product(a, b), c, 1.0),
}


def _part(operation: Operation, operands: Sequence[_Part], parameters: Sequence[float]) -> _Part:
    if operation.op == "constant":
        return _Part({}, operation.value, is_local=True)
    if operation.op == "parameter":
        return _Part({}, parameters[operation.number], is_local=True)
    if operation.op == "load":
        key = (operation.number, operation.offset)
        return _Part({key: 1.0}, 0.0, is_local=operation.offset == CENTRE)
    linear = _LINEAR.get(operation.op)
    return _other(operands) if linear is None else linear(*operands)
