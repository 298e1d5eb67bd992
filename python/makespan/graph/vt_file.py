# SPDX-License-Identifier: Apache-2.0
"""Reads what the runtime vt dumps of its load balancing: a JSON file for each rank.

Ranks become places, tasks objects, and what objects send each other edges. What goes between an
object and a rank has no place in a graph, and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.graph.columns import Columns
from makespan.graph.objects_table import Edges, ObjectMemory, ObjectsTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

HINT = "dump it again, or mend it"
KIND = "cpu"
_MIGRATED_BYTES = "task_serialized_bytes"
"""Where applications leave an object's size when it is sent, under `user_defined`."""
_FOOTPRINT = "task_footprint_bytes"
_WORKING = "task_working_bytes"
_BLOCK = "shared_id"
_BLOCK_BYTES = "shared_bytes"
_USED = "rank_working_bytes"
_OF_MEMORY = (_FOOTPRINT, _WORKING, _BLOCK, _BLOCK_BYTES, _USED)
"""There, too: what balancers that know of memory read."""


@dataclass(frozen=True, slots=True)
class VtFile:
    """One rank's file, as JSON."""

    source: str
    document: Mapping[str, Any]


def is_vt(document: Mapping[str, Any]) -> bool:
    """Whether a document is one of vt's."""
    return "phases" in document


def graph_of_vt(files: Sequence[VtFile], phase: int | None = None) -> ObjectsTable:
    """The graph of one phase, the last by default, of all ranks. Raises `InputError`."""
    if phase is None:
        phase = max(_last_phase(file) for file in files)
    collected = _Collected()
    found = [(file, _phase(file, phase)) for file in files]
    for file, content in found:
        collected.add_tasks(file.source, content)
    for file, content in found:
        collected.add_communications(file.source, content)
    return collected.table(_source(files, phase))


def _source(files: Sequence[VtFile], phase: int) -> str:
    more = "" if len(files) == 1 else f" and {len(files) - 1} more"
    return f"{files[0].source}{more}, phase {phase}"


def _phases(file: VtFile) -> list[dict[str, Any]]:
    phases = file.document["phases"]
    if not isinstance(phases, list) or not phases:
        raise InputError(f"{file.source}: 'phases' (it is no list, or empty): {HINT}")
    for number, phase in enumerate(phases):
        if not isinstance(phase, dict) or type(phase.get("id")) is not int:
            raise InputError(f"{file.source}: phase number {number} (it has no 'id'): {HINT}")
    return phases


def _repeated(file: VtFile) -> Iterator[range]:
    """Phases that are not in the file, since they are as the one before."""
    metadata = file.document.get("metadata", {})
    of_phases = metadata.get("phases", {}) if isinstance(metadata, dict) else {}
    same = of_phases.get("identical_to_previous", {}) if isinstance(of_phases, dict) else {}
    try:
        for one in same.get("list", []):
            yield range(one, one + 1)
        for first, last in same.get("range", []):
            yield range(first, last + 1)
    except (AttributeError, TypeError, ValueError) as error:
        raise InputError(
            f"{file.source}: 'identical_to_previous' (no lists of phases): {HINT}"
        ) from error


def _last_phase(file: VtFile) -> int:
    last = max(int(phase["id"]) for phase in _phases(file))
    return max([last, *(same.stop - 1 for same in _repeated(file))])


def _phase(file: VtFile, wanted: int) -> dict[str, Any]:
    phases = {int(phase["id"]): phase for phase in _phases(file)}
    if wanted not in phases and any(wanted in same for same in _repeated(file)):
        wanted = max((id_ for id_ in phases if id_ < wanted), default=wanted)
    if wanted not in phases:
        raise InputError(
            f"{file.source}: no phase {wanted} (it has {min(phases)} to {max(phases)}): "
            f"choose one by {called('phase')}"
        )
    return phases[wanted]


@dataclass(slots=True)
class _Collected:
    """Objects and edges of the files so far."""

    numbers: dict[int, int] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    work: list[Any] = field(default_factory=list)
    bytes: list[Any] = field(default_factory=list)
    place: list[Any] = field(default_factory=list)
    fixed: list[Any] = field(default_factory=list)
    sender: list[int] = field(default_factory=list)
    receiver: list[int] = field(default_factory=list)
    messages: list[Any] = field(default_factory=list)
    edge_bytes: list[Any] = field(default_factory=list)
    edge_names: list[str] = field(default_factory=list)
    user_defined: list[Mapping[str, Any]] = field(default_factory=list)
    left_out: int = 0

    def add_tasks(self, source: str, phase: Mapping[str, Any]) -> None:
        for number, task in enumerate(_list(source, phase, "tasks")):
            what = f"task number {number} of phase {phase['id']}"
            id_ = _id(source, task, "entity", what)
            if id_ in self.numbers:
                first = self.sources[self.numbers[id_]]
                raise InputError(
                    f"{source}: object {id_}: it is a task of this phase twice (the first is in "
                    f"{first}): {HINT}"
                )
            self.numbers[id_] = len(self.sources)
            self.sources.append(source)
            self.work.append(task.get("time"))
            self.place.append(task.get("node"))
            self.fixed.append(not task["entity"].get("migratable", True))
            given = task.get("user_defined")
            known = given if isinstance(given, dict) else {}
            self.bytes.append(known.get(_MIGRATED_BYTES, 0))
            self.user_defined.append(known)

    def add_communications(self, source: str, phase: Mapping[str, Any]) -> None:
        for number, one in enumerate(_list(source, phase, "communications")):
            what = f"communication number {number} of phase {phase['id']}"
            ends = [_entity(source, one, name, what) for name in ("from", "to")]
            if any(end.get("type", "object") != "object" for end in ends):
                self.left_out += 1
                continue
            sender, receiver = (self._end(source, one, name, what) for name in ("from", "to"))
            self.sender.append(sender)
            self.receiver.append(receiver)
            self.messages.append(one.get("messages", 1))
            self.edge_bytes.append(one.get("bytes", 0))
            self.edge_names.append(f"{source}: {what}")

    def _end(self, source: str, one: Mapping[str, Any], name: str, what: str) -> int:
        id_ = _id(source, one, name, what)
        number = self.numbers.get(id_)
        if number is None:
            raise InputError(
                f"{source}: {what}: {name} object {id_} (it is no task of that phase in any of the "
                "files): give the files of all ranks"
            )
        return number

    def table(self, source: str) -> ObjectsTable:
        ids = list(self.numbers)
        objects = Columns(
            "", "objects", len(ids), lambda at: f"{self.sources[at]}: object {ids[at]}"
        )
        edges = Columns("", "edges", len(self.sender), lambda at: self.edge_names[at])
        skipped = (
            f"Communications with ranks, not objects, are no edges: left out were {self.left_out}."
        )
        return ObjectsTable(
            source=source,
            kinds=(KIND,),
            ids=ids,
            work=objects.amounts("time", self.work).reshape(-1, 1),
            bytes=objects.amounts(_MIGRATED_BYTES, self.bytes),
            place=objects.places("node", self.place),
            fixed=np.array(self.fixed, dtype=np.bool_),
            edges=Edges(
                sender=np.array(self.sender, dtype=np.int32),
                receiver=np.array(self.receiver, dtype=np.int32),
                messages=edges.amounts("messages", self.messages),
                bytes=edges.amounts("bytes", self.edge_bytes),
            ),
            notes=(skipped,) if self.left_out else (),
            memory=self._memory(objects),
        )

    def _memory(self, objects: Columns) -> ObjectMemory | None:
        if not any(name in known for known in self.user_defined for name in _OF_MEMORY):
            return None

        def amounts(name: str) -> NDArray[np.float64]:
            return objects.amounts(name, [known.get(name, 0) for known in self.user_defined])

        numbers: dict[int, int] = {}
        block = []
        for at, known in enumerate(self.user_defined):
            id_ = known.get(_BLOCK)
            if id_ is not None and type(id_) is not int:
                raise objects.wrong(at, _BLOCK, id_, "no whole number", HINT)
            # LBAF takes a negative one for none.
            if id_ is None or id_ < 0:
                block.append(-1)
            else:
                block.append(numbers.setdefault(id_, len(numbers)))
        of_object, used_there = amounts(_BLOCK_BYTES), amounts(_USED)
        place = objects.places("node", self.place)
        block_bytes = np.full(len(numbers), np.nan)
        used = np.zeros(int(place.max(initial=-1)) + 1)
        np.maximum.at(used, place, used_there)
        for at, number in enumerate(block):
            if number < 0:
                continue
            if not np.isnan(block_bytes[number]) and block_bytes[number] != of_object[at]:
                raise objects.wrong(
                    at,
                    _BLOCK_BYTES,
                    float(of_object[at]),
                    "others of its block say another number",
                    HINT,
                )
            block_bytes[number] = of_object[at]
        return ObjectMemory(
            footprint=amounts(_FOOTPRINT),
            working=amounts(_WORKING),
            block=np.array(block, dtype=np.int32),
            block_bytes=block_bytes,
            used=used,
        )


def _list(source: str, phase: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = phase.get(name, [])
    if not isinstance(found, list):
        raise InputError(f"{source}: '{name}' of phase {phase['id']} (it is no list): {HINT}")
    for number, one in enumerate(found):
        if not isinstance(one, dict):
            noun = name.removesuffix("s")
            raise InputError(
                f"{source}: {noun} number {number} of phase {phase['id']} (it is no object of "
                f"JSON): {HINT}"
            )
    return found


def _entity(source: str, one: Mapping[str, Any], name: str, what: str) -> dict[str, Any]:
    entity = one.get(name)
    if not isinstance(entity, dict):
        raise InputError(f"{source}: {what}: '{name}' (it is no object of JSON): {HINT}")
    return entity


def _id(source: str, one: Mapping[str, Any], name: str, what: str) -> int:
    """Newer dumps have `id`, older ones or those by LBAF perhaps `seq_id` alone."""
    entity = _entity(source, one, name, what)
    id_ = entity.get("id", entity.get("seq_id"))
    if type(id_) is not int:
        raise InputError(f"{source}: {what}: '{name}' (it has no whole number as id): {HINT}")
    return id_
