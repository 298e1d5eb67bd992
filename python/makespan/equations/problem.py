# SPDX-License-Identifier: Apache-2.0
"""A problem as its user states it, checked: fields, update, parameters, boundary."""

from __future__ import annotations

import hashlib
import json
import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from makespan.base.errors import InputError
from makespan.equations.boundary import Boundary, boundary_of
from makespan.equations.expression import Number
from makespan.equations.functions import where
from makespan.equations.operations import CENTRE, Operation
from makespan.equations.space import NAMES, Space
from makespan.equations.stability import growing_wave
from makespan.equations.trace import (
    COORDINATES,
    INDICES,
    Symbols,
    Traced,
    Update,
    traced,
    update_name,
)
from makespan.settings.float_array import float_array
from makespan.settings.from_python import plain as plain_value
from makespan.settings.kinds import ABOVE_0

Array = NDArray[np.float64]

SIDE_MIN, SIDE_MAX = 1e-100, 1e100
"""Of spacings and time steps, whose powers are numbers then, too."""
_SIDES = f"give numbers from {SIDE_MIN:g} to {SIDE_MAX:g}"
OPERATIONS_RECORDED_MAX = 1000
"""Of a longer update a record has the hash alone: these are some ten pages."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What a run computes; the same on all images."""

    name: str
    """Of the update and its line, for messages."""
    space: Space
    fields: Mapping[str, Array]
    """First values, of the space's shape."""
    parameters: Mapping[str, float]
    boundary: Boundary
    traced: Traced
    layers: tuple[tuple[int, int], ...]
    """Points that stand before the first and behind the last along each axis."""
    time_step: float

    @property
    def points(self) -> tuple[int, int, int]:
        """Of the engine's grid, along x, y, z; layers count."""
        sizes = [
            size + before + behind
            for size, (before, behind) in zip(self.space.shape, self.layers, strict=True)
        ]
        return self.space.engine_triple(sizes, 1)

    @property
    def inner(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """Begin and end of the user's points in the engine's grid, along x, y, z."""
        begins = [before for before, _ in self.layers]
        ends = [begin + size for begin, size in zip(begins, self.space.shape, strict=True)]
        return self.space.engine_triple(begins, 0), self.space.engine_triple(ends, 1)

    def engine_array(self, name: str) -> Array:
        """A field's first values as (z, y, x) of the engine's grid."""
        x, y, z = self.points
        return self.boundary.padded(name, self.fields[name], self.layers).reshape(z, y, x)

    def users_array(self, values: Array) -> Array:
        """Values of the engine's grid as the user has them."""
        sizes = [
            size + before + behind
            for size, (before, behind) in zip(self.space.shape, self.layers, strict=True)
        ]
        inner = tuple(
            slice(before, before + size)
            for size, (before, _) in zip(self.space.shape, self.layers, strict=True)
        )
        return np.ascontiguousarray(values.reshape(sizes)[inner])

    def users_place(self, voxel: Sequence[int]) -> tuple[int, ...]:
        """Where a point of the engine's grid, (x, y, z), is in the user's arrays."""
        return tuple(
            voxel[axis] - before
            for axis, (before, _) in zip(self.space.engine_axes, self.layers, strict=True)
        )

    def settings(self, kernel: str) -> dict[str, Any]:
        """What the engine is told."""
        return {
            "points": list(self.points),
            "faces": self.boundary.faces(),
            "values": self.boundary.values(self.traced.fields),
            "program": self.traced.program,
            "parameters": list(self.parameters.values()),
            "kernel": kernel,
        }

    def identity(self) -> dict[str, Any]:
        """What makes the values what they are, for checkpoints: all but the first values."""
        known = {
            name: _hash_of(np.ascontiguousarray(values).tobytes())
            for name, values in self.fields.items()
            if name not in self.traced.updated
        }
        ends = {
            name: [end.stated() if end.given else None for end in pair]
            for name, pair in zip(self.space.names, self.boundary.ends, strict=True)
        }
        return {
            "update": self.update_hash,
            "parameters": dict(self.parameters),
            "faces": self.boundary.faces(),
            "values": self.boundary.values(self.traced.fields),
            "layers": [list(pair) for pair in self.layers],
            "given": {"fields": known, "ends": ends},
            "time_step": self.time_step,
        }

    def stated(self) -> dict[str, Any]:
        """What a record says, to state the problem again; first values have a hash of their own."""
        program = self.traced.program
        is_short = len(program["ops"]) <= OPERATIONS_RECORDED_MAX
        return {
            "update": program if is_short else None,
            "update_hash": self.update_hash,
            "parameters": dict(self.parameters),
            "boundary": self.boundary.stated(),
            "shape": list(self.space.shape),
            "spacing": list(self.space.spacing),
            "time_step": self.time_step,
        }

    @property
    def update_hash(self) -> str:
        """Of its operations."""
        return _hash_of(json.dumps(self.traced.program, sort_keys=True).encode())


def _hash_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class Statement:
    """What the user says; see `makespan.grid`."""

    update: Update
    fields: Mapping[str, Any]
    parameters: Mapping[str, float]
    boundary: Any
    spacing: float | Sequence[float]
    time_step: float
    check_stability: bool


def problem_of(given: Statement) -> Problem:
    """Raises `InputError`, which names the line of an update that is invalid."""
    arrays = _arrays(given.fields)
    space = _space(next(iter(arrays.values())).shape, given.spacing)
    numbers = _parameters(given.parameters, arrays)
    ends = boundary_of(given.boundary, space, tuple(arrays))
    time_step = _time_step(given.time_step)

    def trace(layers: Sequence[tuple[int, int]]) -> tuple[Traced, Symbols]:
        begins = [before for before, _ in layers]
        symbols = Symbols(tuple(arrays), tuple(numbers), space, begins)
        return traced(given.update, symbols, tuple(numbers)), symbols

    nothing = ((0, 0),) * len(space.shape)
    plain, _ = trace(nothing)
    found = plain
    name = update_name(given.update)
    if not found.updated:
        raise InputError(f"{name} changes nothing: return new values of fields")
    _check_asked(name, found)
    layers = ends.layers(_radius(found))
    if layers != nothing:
        found = _kept(*trace(layers), space, layers)
    problem = Problem(name, space, arrays, numbers, ends, found, layers, time_step)
    _check_wraps(problem)
    if given.check_stability:
        _check_stability(problem, plain)
    return problem


def _check_asked(name: str, found: Traced) -> None:
    asked = {one.number for one in found.operations.all if one.op == "parameter"}
    for number, parameter in enumerate(found.parameters):
        if number not in asked:
            raise InputError(
                f"parameter {parameter}: {name} does not ask for it; name an argument after it, or "
                "leave it out"
            )


def _time_step(given: float) -> float:
    known = plain_value(given)
    if ABOVE_0.problem(known) is not None:
        raise InputError(f"time_step={given!r} cannot be used: give a number above 0")
    if not SIDE_MIN <= known <= SIDE_MAX:
        raise InputError(f"time_step={given!r} cannot be used: {_SIDES}")
    return float(known)


def _arrays(fields: Mapping[str, Any]) -> dict[str, Array]:
    if not isinstance(fields, Mapping) or not fields:
        raise InputError("fields cannot be used: give a dict of names and arrays of first values")
    arrays = {name: _array(name, given) for name, given in fields.items()}
    first, *others = arrays
    for name in others:
        if arrays[name].shape != arrays[first].shape:
            raise InputError(
                f"field {name} has shape {arrays[name].shape}, and {first} {arrays[first].shape}: "
                "give fields of one shape"
            )
    return arrays


def _array(name: str, given: Any) -> Array:
    if not isinstance(name, str) or not name.isidentifier():
        raise InputError(f"field {name!r}: a name is a Python identifier")
    if name in COORDINATES:
        raise InputError(f"field {name}: it is the name of a coordinate; give another one")
    try:
        values = float_array(given).copy()  # a run begins with them, whatever becomes of the user's
    except ValueError as error:
        raise InputError(f"field {name} holds no numbers ({error}): give an array") from error
    if values.ndim not in NAMES or not values.size:
        raise InputError(
            f"field {name} has shape {values.shape}: give an array of one to three axes"
        )
    if not np.isfinite(values).all():
        place = tuple(int(at) for at in np.argwhere(~np.isfinite(values))[0])
        raise InputError(f"{name}{list(place)} = {values[place]}: give finite numbers")
    return values


def _space(shape: tuple[int, ...], spacing: float | Sequence[float]) -> Space:
    try:
        given = float_array(spacing)
    except ValueError as error:
        raise InputError(
            f"spacing cannot be used ({error}): give a number, or one for each axis"
        ) from error
    if given.shape not in ((), (1,), (len(shape),)):
        raise InputError(f"spacing={spacing!r} cannot be used: give a number, or one for each axis")
    sides = tuple(np.broadcast_to(given, (len(shape),)).tolist())
    if not all(math.isfinite(side) and side > 0 for side in sides):
        raise InputError(f"spacing={spacing!r} cannot be used: give numbers above 0")
    if not all(SIDE_MIN <= side <= SIDE_MAX for side in sides):
        raise InputError(f"spacing={spacing!r} cannot be used: {_SIDES}")
    return Space(shape, sides)


def _parameters(given: Mapping[str, float], fields: Mapping[str, Any]) -> dict[str, float]:
    if not isinstance(given, Mapping):
        raise InputError(f"parameters={given!r} cannot be used: give a dict of names and numbers")
    numbers = {}
    for name, value in given.items():
        if name in fields or name in COORDINATES:
            raise InputError(f"parameter {name}: it is a field's or a coordinate's name, too")
        numbers[name] = _parameter(name, value)
    return numbers


def _parameter(name: str, given: Any) -> float:
    try:
        number = float_array(given)
    except ValueError as error:
        raise InputError(f"parameter {name} is no number ({error}): give one") from error
    if number.ndim:
        raise InputError(
            f"parameter {name} has shape {number.shape}: give a number, or all of them as a field"
        )
    if not np.isfinite(number):
        raise InputError(f"parameter {name} = {number}: give a finite number")
    return float(number)


def _radius(found: Traced) -> int:
    loads = (one for one in found.operations.all if one.op == "load")
    return max((max(map(abs, one.offset)) for one in loads), default=0)


def _kept(
    found: Traced, symbols: Symbols, space: Space, layers: Sequence[tuple[int, int]]
) -> Traced:
    """The same update, which leaves layers as they are."""
    operations = symbols.operations
    tests = []
    for axis, (before, behind) in enumerate(layers):
        op = INDICES[space.engine_axes[axis]]
        index = Number(operations, operations.add(Operation(op)))
        if before:
            tests.append(index >= before)
        if behind:
            tests.append(index < before + space.shape[axis])
    is_inside = reduce(operator.and_, tests)
    updates = []
    for number, update in enumerate(found.updates):
        if update >= 0:
            load = Operation("load", number=number, offset=CENTRE)
            old = Number(operations, operations.add(load))
            updates.append(where(is_inside, Number(operations, update), old).place)
        else:
            updates.append(update)
    return Traced(operations, found.fields, found.parameters, tuple(updates))


def _check_wraps(problem: Problem) -> None:
    radius = _radius(problem.traced)
    for name, size, (low, _) in zip(
        problem.space.names, problem.space.shape, problem.boundary.ends, strict=True
    ):
        if low.kind == "periodic" and size < radius:
            raise InputError(
                f"{size} points along {name} (the update reads {radius} away along some axis, a "
                "halo is as wide along all, and the boundary is periodic): give "
                f"{radius} points at least"
            )


def _check_stability(problem: Problem, plain: Traced) -> None:
    """Of the update without layers, which are not linear."""
    found = growing_wave(plain, list(problem.parameters.values()))
    if found is None:
        return
    lengths = [
        f"{found.length[axis]:.3g} points along {name}"
        for axis, name in zip(problem.space.engine_axes, problem.space.names, strict=True)
        if found.length[axis]
    ]
    advice = (
        "take a shorter time step"
        if found.has_shorter_step
        else ("no time step mends that: look at signs, and at the side from which it reads")
    )
    raise InputError(
        f"{problem.name} is not stable (a wave of {' and '.join(lengths)} grows {found.growth:.4g} "
        f"times in a step, von Neumann's condition): {advice}; or check_stability=False"
    )
