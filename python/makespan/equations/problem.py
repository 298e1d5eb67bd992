# SPDX-License-Identifier: Apache-2.0
"""A problem as its user states it, checked: fields, update, parameters, boundary."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from makespan.equations.trace import Symbols, Traced, Update, traced

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Problem:
    """What a run computes; the same on all images."""

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
        program = json.dumps(self.traced.program, sort_keys=True)
        return {
            "update": hashlib.sha256(program.encode()).hexdigest(),
            "parameters": dict(self.parameters),
            "faces": self.boundary.faces(),
            "values": self.boundary.values(self.traced.fields),
            "layers": [list(pair) for pair in self.layers],
        }


def problem_of(
    update: Update,
    fields: Mapping[str, Any],
    parameters: Mapping[str, float] | None,
    boundary: Any,
    spacing: float | Sequence[float],
    time_step: float,
    check_stability: bool,
) -> Problem:
    """Raises `InputError` for what makes no sense, naming the line of an update."""
    arrays = _arrays(fields)
    space = _space(next(iter(arrays.values())).shape, spacing)
    numbers = _parameters(parameters or {}, arrays)
    ends = boundary_of(boundary, space, tuple(arrays))
    if not (isinstance(time_step, int | float) and math.isfinite(time_step) and time_step > 0):
        raise InputError(f"time_step={time_step} cannot be used: give a number above 0")
    layers = _nothing(space)
    found = traced(
        update, Symbols(tuple(arrays), tuple(numbers), space, _begins(layers)), tuple(numbers)
    )
    if not found.updated:
        raise InputError("the update changes nothing: return new values of fields")
    layers = ends.layers(_radius(found))
    if layers != _nothing(space):
        symbols = Symbols(tuple(arrays), tuple(numbers), space, _begins(layers))
        found = _kept(traced(update, symbols, tuple(numbers)), symbols, space, layers)
    problem = Problem(space, arrays, numbers, ends, found, layers, float(time_step))
    _check_wraps(problem)
    if check_stability:
        _check_stability(problem)
    return problem


def _nothing(space: Space) -> tuple[tuple[int, int], ...]:
    return ((0, 0),) * len(space.shape)


def _begins(layers: Sequence[tuple[int, int]]) -> list[int]:
    return [before for before, _ in layers]


def _arrays(fields: Mapping[str, Any]) -> dict[str, Array]:
    if not isinstance(fields, Mapping) or not fields:
        raise InputError("fields cannot be used: give a dict of names and arrays of first values")
    arrays: dict[str, Array] = {}
    for name, given in fields.items():
        if not isinstance(name, str) or not name.isidentifier():
            raise InputError(f"field {name!r}: a name is a Python identifier")
        if name in ("x", "y", "z", "step"):
            raise InputError(f"field {name}: it is the name of a coordinate; give another one")
        try:
            values = np.ascontiguousarray(given, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"field {name} holds no numbers ({error}): give an array") from error
        if np.ndim(given) not in NAMES or not values.size:
            raise InputError(
                f"field {name} has shape {np.shape(given)}: give an array of one to three axes"
            )
        first = next(iter(arrays), name)
        if arrays and values.shape != arrays[first].shape:
            raise InputError(
                f"field {name} has shape {values.shape}, and {first} {arrays[first].shape}: give "
                "fields of one shape"
            )
        if not np.isfinite(values).all():
            place = tuple(int(at) for at in np.argwhere(~np.isfinite(values))[0])
            raise InputError(f"{name}{list(place)} = {values[place]}: give finite numbers")
        arrays[name] = values
    return arrays


def _space(shape: tuple[int, ...], spacing: float | Sequence[float]) -> Space:
    given = np.asarray(spacing, dtype=object)
    try:
        sides = tuple(float(one) for one in np.broadcast_to(given, (len(shape),)))
    except (TypeError, ValueError) as error:
        raise InputError(
            f"spacing={spacing!r} cannot be used: give a number, or one for each axis"
        ) from error
    if not all(math.isfinite(side) and side > 0 for side in sides):
        raise InputError(f"spacing={spacing!r} cannot be used: give numbers above 0")
    return Space(shape, sides)


def _parameters(given: Mapping[str, float], fields: Mapping[str, Any]) -> dict[str, float]:
    numbers = {}
    for name, value in given.items():
        if name in fields or name in ("x", "y", "z", "step"):
            raise InputError(f"parameter {name}: it is a field's or a coordinate's name, too")
        try:
            numbers[name] = float(value)
        except (TypeError, ValueError) as error:
            raise InputError(f"parameter {name} = {value!r} is no number") from error
        if not math.isfinite(numbers[name]):
            raise InputError(f"parameter {name} = {value}: give a finite number")
    return numbers


def _radius(found: Traced) -> int:
    loads = (one for one in found.operations.all if one.op == "load")
    return max((max(map(abs, one.offset)) for one in loads), default=0)


def _kept(
    found: Traced, symbols: Symbols, space: Space, layers: Sequence[tuple[int, int]]
) -> Traced:
    """The same update, which leaves layers as they are."""
    operations = symbols.operations
    is_inside = None
    names = ("index_x", "index_y", "index_z")
    for axis, (before, behind) in enumerate(layers):
        index = Number(operations, operations.add(Operation(names[space.engine_axes[axis]])))
        for layer, test in (
            (before, lambda index=index, before=before: index >= before),
            (behind, lambda index=index, end=before + space.shape[axis]: index < end),
        ):
            if layer:
                is_inside = test() if is_inside is None else is_inside & test()
    updates = []
    for number, update in enumerate(found.updates):
        if update < 0:
            updates.append(update)
            continue
        old = Number(operations, operations.add(Operation("load", number=number, offset=CENTRE)))
        updates.append(where(is_inside, Number(operations, update), old).place)
    return Traced(operations, found.fields, found.parameters, tuple(updates))


def _check_wraps(problem: Problem) -> None:
    radius = _radius(problem.traced)
    for name, size, (low, _) in zip(
        problem.space.names, problem.space.shape, problem.boundary.ends, strict=True
    ):
        if low.kind == "periodic" and size < radius:
            raise InputError(
                f"{size} points along {name} (the update reads {radius} away, and the boundary is "
                "periodic): give as many points at least"
            )


def _check_stability(problem: Problem) -> None:
    found = growing_wave(problem.traced, list(problem.parameters.values()))
    if found is None:
        return
    growth, half = found
    lengths = [
        f"{2 * half[axis]} points along {name}"
        for axis, name in zip(problem.space.engine_axes, problem.space.names, strict=True)
        if half[axis]
    ]
    raise InputError(
        f"the update is not stable (a wave of {' and '.join(lengths)} grows {growth:.4g} times in "
        "a step, von Neumann's condition): take a shorter time step, or check_stability=False"
    )
