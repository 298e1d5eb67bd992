# SPDX-License-Identifier: Apache-2.0
"""What lies beyond the ends of the grid: by axis, end and field.

Values that are given point by point are layers of points in front of the user's first ones or
behind the last, which no step changes.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from makespan.base.errors import InputError
from makespan.equations.space import Space
from makespan.grids.boundary import NO_FLUX, PERIODIC
from makespan.settings.float_array import float_array

_RIGHT = (
    '"no-flux" (nothing passes: the points before it, mirrored), "periodic" (both ends), a number '
    "(the value beyond it, of all fields), or {field: number, or an array of the face's values}"
)
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class End:
    """One end of an axis."""

    kind: str
    """"no-flux", "periodic", "value" or "given"."""
    values: Mapping[str, float] = field(default_factory=dict)
    """Of each field, of a value."""
    given: Mapping[str, Array] = field(default_factory=dict)
    """Of each field, of what is given: of the face's shape."""

    @property
    def face(self) -> str:
        """As the engine has it: layers of what is given stand before a closed one."""
        return NO_FLUX if self.kind == "given" else self.kind

    def stated(self) -> str | dict[str, Any]:
        """A word, or by field a number or the SHA-256 of its array."""
        if self.kind == "given":
            return {
                name: hashlib.sha256(np.ascontiguousarray(one).tobytes()).hexdigest()
                for name, one in self.given.items()
            }
        return dict(self.values) if self.kind == "value" else self.kind


@dataclass(frozen=True, slots=True)
class Boundary:
    """Of all axes, in the order of the arrays': the low end and the high one."""

    space: Space
    ends: tuple[tuple[End, End], ...]

    def layers(self, radius: int) -> tuple[tuple[int, int], ...]:
        """Points that stand before the first and behind the last along each axis."""
        return tuple(
            (radius if low.kind == "given" else 0, radius if high.kind == "given" else 0)
            for low, high in self.ends
        )

    def padded(self, name: str, values: Array, layers: Sequence[tuple[int, int]]) -> Array:
        """A field's array with its layers."""
        for axis, ((low, high), (before, behind)) in enumerate(zip(self.ends, layers, strict=True)):
            # Layers along the axes before have made it larger: their corners are the edge's.
            around = [pair if at < axis else (0, 0) for at, pair in enumerate(layers) if at != axis]
            parts = [values]
            if before:
                parts.insert(0, _layer(low.given[name], axis, before, around))
            if behind:
                parts.append(_layer(high.given[name], axis, behind, around))
            values = np.concatenate(parts, axis) if len(parts) > 1 else values
        return np.ascontiguousarray(values)

    def faces(self) -> list[str]:
        """As the engine has them: x's low one first."""
        kinds = [NO_FLUX] * 6
        for axis, (low, high) in zip(self.space.engine_axes, self.ends, strict=True):
            kinds[2 * axis], kinds[2 * axis + 1] = low.face, high.face
        return kinds

    def stated(self) -> dict[str, list[Any]]:
        """By axis, the low end and the high one, for records: of arrays their SHA-256."""
        return {
            name: [low.stated(), high.stated()]
            for name, (low, high) in zip(self.space.names, self.ends, strict=True)
        }

    def values(self, fields: Sequence[str]) -> list[list[float]]:
        """By field, then face; 0 where a face has none."""
        by_field = {name: [0.0] * 6 for name in fields}
        for axis, ends in zip(self.space.engine_axes, self.ends, strict=True):
            for side, end in enumerate(ends):
                for name, value in end.values.items():
                    by_field[name][2 * axis + side] = value
        return list(by_field.values())


def _layer(face: Array, axis: int, count: int, around: Sequence[tuple[int, int]]) -> Array:
    one = np.expand_dims(np.pad(face, around, mode="edge") if face.ndim else face, axis)
    return np.repeat(one, count, axis)


def boundary_of(given: Any, space: Space, fields: Sequence[str]) -> Boundary:
    """From what the user says, for all axes or by axis. Raises `InputError`."""
    by_axis = dict.fromkeys(space.names, given)
    if isinstance(given, Mapping) and set(given) & set("xyz"):
        unknown = [name for name in given if name not in space.names]
        if unknown:
            raise InputError(
                f"boundary of {unknown[0]} (axes: {', '.join(space.names)}): name these"
            )
        by_axis = {name: given.get(name, NO_FLUX) for name in space.names}
    ends = []
    for number, name in enumerate(space.names):
        both = by_axis[name]
        pair = both if isinstance(both, tuple | list) else (both, both)
        if len(pair) != 2:
            raise InputError(
                f"boundary of {name} has {len(pair)} ends: give the low one and the high one, or "
                "one for both"
            )
        face = tuple(size for axis, size in enumerate(space.shape) if axis != number)
        low, high = (_end(name, one, fields, face) for one in pair)
        if (low.kind == PERIODIC) != (high.kind == PERIODIC):
            raise InputError(f'boundary of {name} (one end is "periodic"): both are, or none is')
        ends.append((low, high))
    return Boundary(space, tuple(ends))


def _end(axis: str, given: Any, fields: Sequence[str], face: tuple[int, ...]) -> End:
    is_plain = isinstance(given, np.generic) and given.dtype.kind not in "mM"  # ns would be an int
    given = given.item() if is_plain else given
    if isinstance(given, str) and given in (NO_FLUX, PERIODIC):
        return End(given)
    # An int may be one that no float holds.
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if is_number and abs(given) <= sys.float_info.max:
        return End("value", dict.fromkeys(fields, float(given)))
    if not isinstance(given, Mapping):
        raise InputError(f"boundary of {axis} = {given!r} cannot be used: {_RIGHT}")
    for name in given:
        if name not in fields:
            raise InputError(
                f"boundary of {axis} names {name!r} (fields: {', '.join(fields)}): name these"
            )
    missing = [name for name in fields if name not in given]
    if missing:
        raise InputError(
            f"boundary of {axis} says nothing of {', '.join(missing)}: name all fields"
        )
    arrays = {name: _face_values(axis, name, value, face) for name, value in given.items()}
    if all(values.ndim == 0 for values in arrays.values()):
        return End("value", {name: float(arrays[name]) for name in fields})
    # In the order of the fields, whatever the user's is: what is the same is stated alike.
    return End("given", given={name: np.broadcast_to(arrays[name], face) for name in fields})


def _face_values(axis: str, name: str, given: Any, face: tuple[int, ...]) -> Array:
    try:
        values = float_array(given).copy()  # a run has them, whatever becomes of the user's
    except ValueError as error:
        raise InputError(f"boundary of {axis}: {name} is no number ({error}): {_RIGHT}") from error
    if values.shape not in ((), face):
        raise InputError(
            f"boundary of {axis}: {name} has shape {values.shape} (the face has {face}): give as "
            "many, or one number"
        )
    if not np.isfinite(values).all():
        raise InputError(f"boundary of {axis}: {name} is not finite: give finite numbers")
    return values
