# SPDX-License-Identifier: Apache-2.0
"""What tests of equations of one's own compare with: the same update on NumPy's arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from makespan.equations.outcome import GridResult
from numpy.typing import NDArray

from makespan import grid

Array = NDArray[np.float64]

KINDS: Mapping[str, str] = {"no-flux": "symmetric", "periodic": "wrap"}
"""As `numpy.pad` calls them."""
REACH = 4
"""Points beyond the ends that a reference looks at."""


class Known:
    """A field of known values in an update: `u[0, 1]` is an array of neighbours' values."""

    def __init__(self, values: Array, ends: Mapping[str, tuple[Any, Any]]) -> None:
        """`ends` by axis: "no-flux", "periodic", a number or an array of the face's shape."""
        self.values = values
        pairs = [ends[name] for name in "zyx"[-values.ndim :]]
        wide = values
        for axis, pair in enumerate(pairs):
            wide = _with_layers(wide, axis, pair)
        # Of two numbers that meet beyond an edge x's is read, then z's.
        for axis in (1, 0, 2) if values.ndim == 3 else range(values.ndim):
            wide = _with_rules(wide, axis, pairs[axis])
        self._wide = wide

    def __getitem__(self, offset: int | tuple[int, ...]) -> Array:
        """All points' neighbours."""
        steps = offset if isinstance(offset, tuple) else (offset,)
        return self._wide[
            tuple(
                slice(REACH + step, REACH + step + size)
                for step, size in zip(steps, self.values.shape, strict=True)
            )
        ]


def _with_layers(values: Array, axis: int, ends: tuple[Any, Any]) -> Array:
    """With what is given point by point; where two meet, the edge's goes on."""
    parts = [values]
    for side, end in enumerate(ends):
        if np.ndim(end):
            face = np.expand_dims(np.asarray(end), axis)
            more = [have - size for have, size in zip(values.shape, face.shape, strict=True)]
            # Of axes before this one, those with layers at both ends or at the one that is tested.
            widths = [(0, 0) if at >= axis else _around(one, side) for at, one in enumerate(more)]
            parts.insert(
                0 if side == 0 else len(parts),
                np.repeat(np.pad(face, widths, mode="edge"), REACH, axis),
            )
    return np.concatenate(parts, axis)


def _around(more: int, side: int) -> tuple[int, int]:
    return (REACH, REACH) if more == 2 * REACH else ((more, 0) if side == 0 else (0, more))


def _with_rules(values: Array, axis: int, ends: tuple[Any, Any]) -> Array:
    """With what follows from values, or is a number."""
    parts = [values]
    for side, end in enumerate(ends):
        if np.ndim(end):
            continue
        widths = [(0, 0)] * values.ndim
        widths[axis] = (REACH, 0) if side == 0 else (0, REACH)
        if isinstance(end, str):
            wide = np.pad(values, widths, mode=KINDS[end])  # type: ignore[call-overload]
        else:
            wide = np.pad(values, widths, constant_values=end)
        taken = range(REACH) if side == 0 else range(-REACH, 0)
        parts.insert(0 if side == 0 else len(parts), wide.take(list(taken), axis))
    return np.concatenate(parts, axis)


def result_of(
    update: Any, fields: Mapping[str, Any], steps: int = 1, *, kernel: str = "auto", **stated: Any
) -> GridResult:
    """A run, which is to end."""
    settings = {name: stated.pop(name) for name in ("threads", "devices") if name in stated}
    found = grid(update, fields, check_stability=False, **stated).run(
        steps, kernel=kernel, **settings
    )
    assert found is not None
    return found


def both_ways(
    update: Any, fields: Mapping[str, Any], steps: int = 1, **stated: Any
) -> dict[str, Array]:
    """The fields, which are the same compiled and interpreted, to the last bit."""
    compiled = result_of(update, fields, steps, kernel="compiled", **stated)
    interpreted = result_of(update, fields, steps, kernel="interpreted", **stated)
    assert (compiled.kernel, interpreted.kernel) == ("compiled", "interpreted")
    assert compiled.hash == interpreted.hash
    for name in fields:
        assert same_bits(compiled.fields[name], interpreted.fields[name]), name
    return dict(compiled.fields)


def same_bits(first: Array, second: Array) -> bool:
    """Also of zeros' signs."""
    return first.shape == second.shape and first.tobytes() == second.tobytes()
