# SPDX-License-Identifier: Apache-2.0
"""What the engine refuses as a team's grid is made, told by what it is of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from makespan.base.errors import InputError
from makespan.base.setting_names import called

_OF_DEVICES = "GPU "


@contextmanager
def told_by(source: str) -> Iterator[None]:
    """Raises `InputError` that names `devices` for what is wrong with GPUs, else `source`."""
    try:
        yield
    except ValueError as error:
        is_of_devices = str(error).startswith(_OF_DEVICES)
        raise InputError(f"{called('devices') if is_of_devices else source}: {error}") from error
