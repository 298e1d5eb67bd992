# SPDX-License-Identifier: Apache-2.0
"""Graphs and places as Python programs have them: columns of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.graph.objects_table import Edges, ObjectMemory, ObjectsTable
from makespan.settings.algorithm import unknown
from makespan.settings.float_array import is_masked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

EDGE_COLUMNS = ("from", "to", "messages", "edge_bytes")
MEMORY_COLUMNS = ("footprint", "working", "block", "block_bytes", "used_bytes")
GRAPH_COLUMNS = ("work", "place", "bytes", "fixed", *EDGE_COLUMNS, *MEMORY_COLUMNS)
PLACE_COLUMNS = ("speed", "domain", "node", "latency_s", "bandwidth_bytes_s")
KIND = "cpu"
_INT32_MAX = np.iinfo(np.int32).max


def graph_of_columns(given: Mapping[str, ArrayLike]) -> ObjectsTable:
    """A graph from columns by object and by edge; ids are numbers. Raises `InputError`."""
    _check_names("graph", given, GRAPH_COLUMNS, ("work", "place"))
    columns = _Columns("graph", given)
    objects = columns.count("work")
    edges = columns.count("from")
    return ObjectsTable(
        source="graph",
        kinds=(KIND,),
        ids=range(objects),
        work=columns.numbers("work", objects, 0.0).reshape(-1, 1),
        bytes=columns.numbers("bytes", objects, 0.0),
        place=columns.indices("place", objects),
        fixed=columns.numbers("fixed", objects, 0.0).astype(np.bool_),
        edges=Edges(
            sender=columns.indices("from", edges),
            receiver=columns.indices("to", edges),
            messages=columns.numbers("messages", edges, 1.0),
            bytes=columns.numbers("edge_bytes", edges, 0.0),
        ),
        memory=_memory(columns, given, objects),
    )


def _memory(columns: _Columns, given: Mapping[str, ArrayLike], objects: int) -> ObjectMemory | None:
    if not any(name in given for name in MEMORY_COLUMNS):
        return None
    blocks = columns.count("block_bytes")
    is_block = "block" in given
    return ObjectMemory(
        footprint=columns.numbers("footprint" if "footprint" in given else "bytes", objects, 0.0),
        working=columns.numbers("working", objects, 0.0),
        block=columns.indices("block", objects, least=-1)
        if is_block
        else np.full(objects, -1, dtype=np.int32),
        block_bytes=columns.numbers("block_bytes", blocks, 0.0),
        used=columns.numbers("used_bytes", columns.count("used_bytes"), 0.0),
    )


def places_of_columns(engine: Engine, given: Mapping[str, ArrayLike]) -> Any:
    """The engine's places from columns by place and by domain. Raises `InputError`."""
    _check_names("places", given, PLACE_COLUMNS, PLACE_COLUMNS)
    columns = _Columns("places", given)
    places, domains = columns.count("speed"), columns.count("node")
    try:
        return engine.Places(
            {
                "kind": np.zeros(places, dtype=np.int32),
                "speed": columns.numbers("speed", places, 1.0),
                "domain": columns.indices("domain", places),
                "node": columns.indices("node", domains),
                "latency_s": columns.numbers("latency_s", domains**2, 0.0),
                "bandwidth_bytes_s": columns.numbers("bandwidth_bytes_s", domains**2, 0.0),
            }
        )
    except ValueError as error:
        raise error if isinstance(error, InputError) else InputError(str(error)) from error


def _check_names(
    what: str, given: Mapping[str, ArrayLike], known: Sequence[str], needed: Sequence[str]
) -> None:
    for name in given:
        if name not in known:
            raise InputError(f"{what}: {unknown('column', name, known)}")
    for name in needed:
        if name not in given:
            raise InputError(f"{what}: no column {name}: give {', '.join(needed)}")


class _Columns:
    """Columns by name; what is wrong with one is said with what it is of."""

    def __init__(self, what: str, given: Mapping[str, ArrayLike]) -> None:
        self._what = what
        self._given = given

    def count(self, name: str) -> int:
        """How many values a column has; 0 where it is not given."""
        return 0 if name not in self._given else self._array(name).size

    def numbers(self, name: str, count: int, usual: float) -> NDArray[np.float64]:
        """As float64; all `usual` where the column is not given."""
        if name not in self._given:
            return np.full(count, usual)
        return np.ascontiguousarray(self._sized(name, count), dtype=np.float64)

    def indices(self, name: str, count: int, least: int = 0) -> NDArray[np.int32]:
        """Whole numbers from `least`, as int32; none where the column is not given."""
        if name not in self._given:
            if count:
                raise InputError(
                    f"{self._what}: no column {name}, and there are {count} of what it is of: "
                    "give one for each"
                )
            return np.zeros(0, dtype=np.int32)
        values = self._sized(name, count)
        wrong = np.flatnonzero(~((values >= least) & (values <= _INT32_MAX) & (values % 1 == 0)))
        if wrong.size:
            at = int(wrong[0])
            raise InputError(
                f"{self._what}: column {name}, value {at}: {values[at]} (no number of a place, an "
                "object, a block or a domain): count from 0"
            )
        return np.ascontiguousarray(values, dtype=np.int32)

    def _sized(self, name: str, count: int) -> NDArray[Any]:
        values = self._array(name)
        if values.size != count:
            raise InputError(
                f"{self._what}: column {name} has {values.size} values, and there are {count} of "
                "what it is of: give one for each"
            )
        return values

    def _array(self, name: str) -> NDArray[Any]:
        if is_masked(self._given[name]):
            raise InputError(f"{self._what}: column {name} (masked in part): give all of them")
        try:
            found = np.asarray(self._given[name])
        except ValueError:
            found = np.asarray("")
        if found.dtype.kind not in "biuf":
            raise InputError(f"{self._what}: column {name} (no array of numbers): give numbers")
        return found.reshape(-1)
