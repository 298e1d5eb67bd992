# SPDX-License-Identifier: Apache-2.0
"""First values of fields that a Python program gives as arrays of (z, y, x)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from makespan.base.errors import InputError
from makespan.settings.algorithm import unknown
from makespan.settings.float_array import float_array
from makespan.settings.setting import Setting, python_text

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def array_values(name: str, given: ArrayLike) -> NDArray[np.float64]:
    """One field's. Raises `InputError`, which names it, for what is no field."""
    try:
        values = float_array(given)
    except ValueError as error:
        raise InputError(f"{name} are no numbers ({error}): give an array of (z, y, x)") from error
    if values.ndim != 3 or not values.size:
        raise InputError(f"{name} of shape {values.shape}: give an array of (z, y, x)")
    if not np.isfinite(values).all():
        z, y, x = np.argwhere(~np.isfinite(values))[0]
        raise InputError(f"{name}[{z}, {y}, {x}] = {values[z, y, x]}: give finite numbers")
    return values


def fields_values(given: Mapping[str, ArrayLike]) -> dict[str, NDArray[np.float64]]:
    """Concentrations of several fields, of one shape. Raises `InputError`."""
    found: dict[str, NDArray[np.float64]] = {}
    for name, one in given.items():
        values = found[name] = array_values(f"values[{name!r}]", one)
        if values.min() < 0:
            z, y, x = np.unravel_index(values.argmin(), values.shape)
            raise InputError(
                f"values[{name!r}][{z}, {y}, {x}] = {values[z, y, x]}: give concentrations of 0 or "
                "above"
            )
        first = next(iter(found))
        if values.shape != found[first].shape:
            raise InputError(
                f"values[{name!r}] of shape {values.shape} (those of {first} have "
                f"{found[first].shape}): give arrays of one shape"
            )
    if not found:
        raise InputError("values is a dict of no fields: give one, or leave it out")
    return found


def expect_fields(given: Mapping[str, Any], names: Sequence[str]) -> None:
    """Raises `InputError` for a field that the model has not."""
    for name in given:
        if name not in names:
            raise InputError(f"values: {unknown('field', name, names)}")


def expect_not_told(keys: Mapping[str, Any], settings: Sequence[Setting]) -> None:
    """Raises `InputError` where one of these is given besides arrays, which say it themselves."""
    for one in settings:
        if keys[one.name] is not None:
            text = python_text(keys[one.name])
            raise InputError(
                f"{one.name}={text} (the array of values says it): leave {one.name} out"
            )
