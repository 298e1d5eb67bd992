# SPDX-License-Identifier: Apache-2.0
"""The run record: which graph was balanced, where, by what, and what was found."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from makespan.base.engine import Engine
from makespan.graph.input import COURSE_SETTINGS, MEMORY_SETTINGS, PHASE, PHASES
from makespan.machines.input import PLACE_SETTINGS
from makespan.report.run_record import plain, record_head

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from makespan.graph.objects_table import ObjectsTable
    from makespan.graph.outcome import Balanced, PhasesResult

_RUN_SETTINGS = (*PLACE_SETTINGS, *MEMORY_SETTINGS, PHASE, PHASES, *COURSE_SETTINGS)


def balance_record(
    engine: Engine, balanced: Balanced, given: Mapping[str, Any], command: Sequence[str] = ()
) -> dict[str, Any]:
    """Of `makespan balance`, as plain JSON values."""
    comparison = balanced.comparison
    found: dict[str, Any] = {
        **record_head(engine, "balance", command),
        "graph": graph_facts(comparison.graph),
        "places": {
            "source": comparison.places.name,
            "count": len(comparison.places.labels),
            "speeds": list(comparison.places.table.speeds),
        },
        "settings": {
            "balancer": given["balancer"],
            **{one.name: _told(given[one.name]) for one in _RUN_SETTINGS},
        },
        "bound_s": comparison.bound_s,
        "balancers": [
            {
                "name": one.name,
                "options": dict(one.options),
                **one.quality,
                "decision_s": one.decision_s,
                "mapping_hash": mapping_hash(one.mapping),
            }
            for one in comparison.candidates
        ],
        "best": comparison.best.text,
    }
    if balanced.played:
        found["phases"] = [phases_facts(one) for one in balanced.played]
    return dict(plain(found))


def phases_record(
    engine: Engine,
    graph: ObjectsTable,
    places: Mapping[str, ArrayLike],
    ran: PhasesResult,
    given: Mapping[str, Any],
) -> dict[str, Any]:
    """Of `makespan.simulate_phases`, as plain JSON values."""
    names = ("phases", "balancer", *(one.name for one in COURSE_SETTINGS))
    return dict(
        plain(
            {
                **record_head(engine, "simulate_phases"),
                "graph": graph_facts(graph),
                "places": {name: np.asarray(column) for name, column in places.items()},
                "settings": {name: _told(given[name]) for name in names},
                "result": phases_facts(ran),
            }
        )
    )


def phases_facts(one: PhasesResult) -> dict[str, Any]:
    """What was found of many phases by one balancer, and by what to know it again."""
    return {
        "balancer": one.balancer,
        "total_s": one.total_s,
        "ideal_s": one.ideal_s,
        "moved": int(one.phases["moved"].sum()),
        "mapping_hash": mapping_hash(one.mapping),
    }


def graph_facts(graph: ObjectsTable) -> dict[str, Any]:
    """By what to know a graph again: `hash` is the SHA-256 of its columns."""
    digest = hashlib.sha256()
    edges = graph.edges
    for column in (
        *(graph.work, graph.bytes, graph.place, graph.fixed),
        *(edges.sender, edges.receiver, edges.messages, edges.bytes),
    ):
        digest.update(np.ascontiguousarray(column).tobytes())
    if graph.memory is not None:
        memory = graph.memory
        for column in (memory.footprint, memory.working, memory.block, memory.block_bytes):
            digest.update(np.ascontiguousarray(column).tobytes())
        digest.update(memory.used.tobytes())
    return {
        "source": graph.source,
        "objects": len(graph),
        "edges": len(graph.edges),
        "hash": digest.hexdigest(),
    }


def mapping_hash(mapping: NDArray[np.int32]) -> str:
    """SHA-256 of the places, as int32."""
    return hashlib.sha256(np.ascontiguousarray(mapping, dtype=np.int32).tobytes()).hexdigest()


def _told(value: Any) -> Any:
    """Paths as texts."""
    return str(value) if hasattr(value, "__fspath__") else value
