# SPDX-License-Identifier: Apache-2.0
"""Graphs in files of our own format: columns in JSON, compressed when long.

docs/reference/graph-file.md describes them, and for programs the schema of `makespan graph`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from makespan.base.errors import InputError
from makespan.graph.columns import Columns, IdIndex
from makespan.graph.objects_table import Edges, ObjectMemory, ObjectsTable
from makespan.graph.packed_text import write_json

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = "makespan graph"
VERSION = 1
HINT = (
    "`makespan balance --example` shows one, and docs/reference/graph-file.md describes the format"
)

_TOP = ("format", "version", "about", "kinds", "objects", "edges", "blocks", "places")
_OBJECTS = ("id", "work", "bytes", "place", "fixed", "footprint", "working", "block")
_BYTES = ("bytes",)
_USED = ("used_bytes",)
_EDGES = ("from", "to", "messages", "bytes")


def graph_from(document: Mapping[str, Any], source: str) -> ObjectsTable:
    """The graph of a document; `source` names it in messages. Raises `InputError`."""
    if document.get("version") != VERSION:
        raise InputError(
            f"{source}: version {json.dumps(document.get('version'))} (this makespan reads "
            f"{VERSION}): {HINT}"
        )
    _check_names(source, "the file", document, _TOP)
    kinds = _kinds(document.get("kinds"), source)
    objects = _part(document, "objects", source)
    _check_names(source, "'objects'", objects, _OBJECTS)
    work = objects.get("work")
    if not isinstance(work, dict):
        raise InputError(
            f"{source}: 'work' of objects (it is no object with a list by kind): {HINT}"
        )
    _check_names(source, "'work'", work, kinds)
    absent = [kind for kind in kinds if kind not in work]
    if absent:
        raise InputError(
            f"{source}: 'work' has no list for kind {absent[0]!r} (it is in 'kinds'): {HINT}"
        )
    places = objects.get("place")
    if not isinstance(places, list):
        raise InputError(f"{source}: 'place' of objects (it is no list): say where each object is")
    return _table(source, kinds, objects, document)


def _table(
    source: str, kinds: tuple[str, ...], objects: Mapping[str, Any], document: Mapping[str, Any]
) -> ObjectsTable:
    count = len(objects["place"])
    index = IdIndex(source, objects.get("id"), count)
    if "id" in objects:
        count = len(index.ids)
    columns = Columns(source, "objects", count, lambda at: f"object {index.ids[at]!r}")
    work = [columns.amounts(f"work on {kind}", objects["work"][kind]) for kind in kinds]
    is_plain = "fixed" not in objects
    return ObjectsTable(
        source=source,
        kinds=kinds,
        ids=index.ids,
        work=np.stack(work, axis=1),
        bytes=columns.amounts("bytes", objects["bytes"]) if "bytes" in objects else np.zeros(count),
        place=columns.places("place", objects["place"]),
        fixed=np.zeros(count, np.bool_) if is_plain else columns.flags("fixed", objects["fixed"]),
        edges=_edges(source, index, document.get("edges")),
        memory=_memory(columns, objects, document),
    )


def _memory(
    columns: Columns, objects: Mapping[str, Any], document: Mapping[str, Any]
) -> ObjectMemory | None:
    is_given = any(name in objects for name in ("footprint", "working", "block"))
    if not is_given and "blocks" not in document and "places" not in document:
        return None
    count = columns.count

    def amounts(name: str) -> NDArray[np.float64]:
        return columns.amounts(name, objects[name]) if name in objects else np.zeros(count)

    block_bytes = _listed(columns.source, document, "blocks", _BYTES, "block")
    block = np.full(count, -1, dtype=np.int32)
    if "block" in objects:
        block = columns.numbers_or_none("block", objects["block"], len(block_bytes))
    return ObjectMemory(
        footprint=amounts("footprint" if "footprint" in objects else "bytes"),
        working=amounts("working"),
        block=block,
        block_bytes=block_bytes,
        used=_listed(columns.source, document, "places", _USED, "place"),
    )


def _listed(
    source: str, document: Mapping[str, Any], name: str, known: tuple[str], noun: str
) -> NDArray[np.float64]:
    """The one column of blocks, or of places; nothing where the file has none."""
    if name not in document:
        return np.zeros(0)
    part = _part(document, name, source)
    _check_names(source, f"'{name}'", part, known)
    values = part.get(known[0])
    count = len(values) if isinstance(values, list) else 0
    return Columns(source, name, count, lambda at: f"{noun} {at}").amounts(known[0], values)


def _edges(source: str, index: IdIndex, edges: object) -> Edges:
    if edges is None:
        edges = {"from": [], "to": []}
    if not isinstance(edges, dict):
        raise InputError(f"{source}: 'edges' (it is no object with columns): {HINT}")
    _check_names(source, "'edges'", edges, _EDGES)
    senders = index.numbers(edges.get("from"), None, "from")
    count = len(senders)
    receivers = index.numbers(edges.get("to"), count, "to")
    columns = Columns(source, "edges", count, lambda at: f"edge {at}")
    return Edges(
        sender=senders,
        receiver=receivers,
        messages=columns.amounts("messages", edges["messages"])
        if "messages" in edges
        else np.ones(count),
        bytes=columns.amounts("bytes", edges["bytes"]) if "bytes" in edges else np.zeros(count),
    )


def _is_name(text: object) -> bool:
    """Whether it can stand in a message of one line."""
    return isinstance(text, str) and text != "" and text.isprintable()


def _kinds(kinds: object, source: str) -> tuple[str, ...]:
    if not isinstance(kinds, list) or not kinds or not all(map(_is_name, kinds)):
        raise InputError(
            f"{source}: 'kinds' (no list of names of kinds of places): as in [\"cpu\"]"
        )
    if len(set(kinds)) < len(kinds):
        raise InputError(f"{source}: 'kinds' (a name is there twice): name each kind once")
    return tuple(kinds)


def _part(document: Mapping[str, Any], name: str, source: str) -> dict[str, Any]:
    part = document.get(name)
    if not isinstance(part, dict):
        raise InputError(f"{source}: '{name}' (it is missing, or no object with columns): {HINT}")
    return part


def _check_names(source: str, where: str, given: Iterable[str], known: Iterable[str]) -> None:
    known = list(known)
    wrong = next((name for name in given if name not in known), None)
    if wrong is not None:
        raise InputError(
            f"{source}: {wrong!r} in {where} (it has no meaning there): use {', '.join(known)}"
        )


def document_of(table: ObjectsTable, about: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The document that `graph_from` reads; `about` is anything else that the file should say."""
    work = {kind: table.work[:, number].tolist() for number, kind in enumerate(table.kinds)}
    ids = np.array(table.ids, dtype=object)
    return {
        "format": FORMAT,
        "version": VERSION,
        **({} if about is None else {"about": dict(about)}),
        "kinds": list(table.kinds),
        "objects": {
            "id": list(table.ids),
            "work": work,
            "bytes": table.bytes.tolist(),
            "place": table.place.tolist(),
            "fixed": table.fixed.tolist(),
            **_memory_columns(table),
        },
        **_memory_document(table),
        "edges": {
            "from": ids[table.edges.sender].tolist(),
            "to": ids[table.edges.receiver].tolist(),
            "messages": table.edges.messages.tolist(),
            "bytes": table.edges.bytes.tolist(),
        },
    }


def _memory_columns(table: ObjectsTable) -> dict[str, Any]:
    if table.memory is None:
        return {}
    return {
        "footprint": table.memory.footprint.tolist(),
        "working": table.memory.working.tolist(),
        "block": [None if block < 0 else block for block in table.memory.block.tolist()],
    }


def _memory_document(table: ObjectsTable) -> dict[str, Any]:
    if table.memory is None:
        return {}
    return {
        "blocks": {"bytes": table.memory.block_bytes.tolist()},
        "places": {"used_bytes": table.memory.used.tolist()},
    }


def write_graph(path: Path, table: ObjectsTable, about: Mapping[str, Any] | None = None) -> Path:
    """Writes a graph, whole or not at all; where it is.

    Compressed if `path` ends in `.zst`, or longer than 1 MiB: then `.zst` is added to the name.
    """
    return write_json(path, document_of(table, about))
