# SPDX-License-Identifier: Apache-2.0
"""A graph in columns, as files hold it and the engine takes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from makespan.base.errors import InputError
from makespan.base.setting_names import called

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from makespan.base.engine import Engine

ObjectId = int | str


@dataclass(frozen=True, slots=True)
class Edges:
    """Objects by number, and what goes from one to the other; each of shape (edges,)."""

    sender: NDArray[np.int32]
    receiver: NDArray[np.int32]
    messages: NDArray[np.float64]
    bytes: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.sender)


@dataclass(frozen=True, slots=True)
class ObjectMemory:
    """What objects take of memory [bytes], as in https://arxiv.org/abs/2404.16793, eq. 3.

    `footprint`, `working` and `block` have shape (objects,), `block_bytes` (blocks,).
    """

    footprint: NDArray[np.float64]
    working: NDArray[np.float64]
    """More while it runs."""
    block: NDArray[np.int32]
    """Of the data that it shares with others the number; -1: none."""
    block_bytes: NDArray[np.float64]
    used: NDArray[np.float64]
    """By place, what are no objects; places that are left out: 0."""


@dataclass(frozen=True, slots=True)
class ObjectsTable:
    """Objects with their ids: whole numbers or texts, each once.

    `work` has shape (objects, kinds), the other columns (objects,).
    """

    source: str
    kinds: tuple[str, ...]
    ids: Sequence[ObjectId]
    work: NDArray[np.float64]
    bytes: NDArray[np.float64]
    place: NDArray[np.int32]
    fixed: NDArray[np.bool_]
    edges: Edges
    notes: tuple[str, ...] = field(default=())
    """What was left out of the file, in sentences."""
    memory: ObjectMemory | None = None
    """None: an object takes as much as to move it."""

    def __len__(self) -> int:
        return len(self.ids)

    def named(self, number: int) -> str:
        """`object 17` or `object 'cell 3'`: by its id, as messages name it."""
        return f"object {self.ids[number]!r}"

    def check_places(self, count: int, machine: str) -> None:
        """Raises `InputError` that names the first object that is at no place of the machine."""
        wrong = np.flatnonzero(self.place >= count)
        if not wrong.size:
            return
        number = int(wrong[0])
        raise InputError(
            f"{self.source}: {self.named(number)}: there is no place {self.place[number]} "
            f"({machine} has {count}, numbered from 0): give the machine that the graph is from by "
            f"{', '.join(map(called, ('machine', 'synthetic', 'nodes')))} or {called('places')}"
        )

    def engine_graph(self, engine: Engine, kinds: Sequence[str]) -> Any:
        """The engine's graph, with work on these kinds of places. Raises `InputError`."""
        missing = [kind for kind in kinds if kind not in self.kinds]
        if missing:
            known = ", ".join(self.kinds)
            raise InputError(
                f"{self.source}: objects have no work for places of kind '{missing[0]}' "
                f"(the graph knows {known}): add it under 'work', or leave out such places"
            )
        columns = [self.kinds.index(kind) for kind in kinds]
        memory = self.memory
        taken = (
            {
                "footprint": memory.footprint,
                "working": memory.working,
                "block": memory.block,
                "block_bytes": memory.block_bytes,
            }
            if memory is not None
            else {}
        )
        try:
            return engine.Graph(
                {
                    "kinds": len(kinds),
                    "work": np.ascontiguousarray(self.work[:, columns]).reshape(-1),
                    "bytes": self.bytes,
                    "place": self.place,
                    "fixed": self.fixed.astype(np.uint8),
                    "from": self.edges.sender,
                    "to": self.edges.receiver,
                    "messages": self.edges.messages,
                    "edge_bytes": self.edges.bytes,
                    **taken,
                }
            )
        except ValueError as error:
            raise InputError(f"{self.source}: {error}") from error
