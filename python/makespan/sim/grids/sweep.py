# SPDX-License-Identifier: Apache-2.0
"""One number of a grid's description that differs from case to case."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.settings.algorithm import unknown
from makespan.settings.kinds import Number, Whole
from makespan.sim.grids.input import TABLES

NODES = "nodes"
VALUES_MAX = 200
_SWEPT = ("grid", "network")
_WHOLE_BELOW = 2.0**53
"""Numbers above have no digits after the point, and are no counts."""


@dataclass(frozen=True, slots=True)
class GridSweep:
    """What differs, and its values."""

    name: str
    values: tuple[float, ...]

    def said(self, number: int) -> str:
        """One of its values, as messages name it."""
        return f"{called('sweep')} {self.name}={self.values[number]}"


def read_grid_sweep(text: str) -> GridSweep:
    """`NAME=V1,V2,...`. Raises `InputError`."""
    name, equals, rest = text.partition("=")
    try:
        values = tuple(_number(word) for word in rest.split(","))
    except ValueError:
        values = ()
    if not equals or not values or len(values) > VALUES_MAX:
        raise InputError(
            f"{called('sweep')} {text} cannot be used: give NAME=V1,V2,..., as nodes=16,64, with "
            f"up to {VALUES_MAX} numbers"
        )
    if name != NODES and name not in _homes():
        raise InputError(f"{called('sweep')} {text}: {unknown('name', name, [NODES, *_homes()])}")
    return GridSweep(name, values)


def swept_tables(tables: Mapping[str, Any], sweep: GridSweep) -> Sequence[dict[str, Any]]:
    """The description for each value, in order; what does not fit is refused when it is read."""
    found = []
    for value in sweep.values:
        one = copy.deepcopy(dict(tables))
        if sweep.name == NODES:
            nodes = one.get("node")
            if not isinstance(nodes, list) or len(nodes) != 1 or not isinstance(nodes[0], dict):
                raise InputError(
                    f"{called('sweep')} nodes: of one [[node]], whose count it is: describe all "
                    "nodes by one"
                )
            nodes[0]["count"] = value
        else:
            table = one.setdefault(_homes()[sweep.name], {})
            if isinstance(table, dict):
                table[sweep.name] = value
        found.append(one)
    return found


def _number(word: str) -> int | float:
    """Whole where it is a whole number, however it is written: `1e3` is a count, too."""
    try:
        return int(word)
    except ValueError:
        value = float(word)
        return int(value) if value.is_integer() and abs(value) < _WHOLE_BELOW else value


def _homes() -> dict[str, str]:
    """The table of each key that is a number."""
    return {
        one.name: table
        for table in _SWEPT
        for one in TABLES[table]
        if isinstance(one.kind, Number | Whole) or one.name == "host_thickness"
    }
