# SPDX-License-Identifier: Apache-2.0
"""The JSON document of `makespan balance --json`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from makespan.graph.phases_table import phases_document

if TYPE_CHECKING:
    from makespan.graph.balancing import Candidate, Comparison
    from makespan.graph.phases import Played


def balance_document(comparison: Comparison, played: Sequence[Played] = ()) -> str:
    """`{"graph", "machine", "bound_s", "strategies", "best"}`; times in seconds.

    Where phases were played also `phases`.
    """
    graph, places = comparison.graph, comparison.places
    document: dict[str, object] = {
        "graph": {
            "source": graph.source,
            "objects": len(graph),
            "edges": len(graph.edges),
            "kinds": list(graph.kinds),
            "fixed": int(graph.fixed.sum()),
            "notes": list(graph.notes),
        },
        "machine": {
            "source": places.name,
            "places": _places(comparison),
            "domains": list(places.table.domain_labels),
            "latency": places.table.latency_source,
            "bandwidth": places.table.bandwidth_source,
            "network": places.network or None,
        },
        "bound_s": comparison.bound_s,
        "strategies": [_strategy(one, comparison.bound_s) for one in comparison.candidates],
        "best": comparison.best.name,
    }
    if played:
        document["phases"] = phases_document(played)
    return json.dumps(document, allow_nan=False) + "\n"


def _places(comparison: Comparison) -> list[dict[str, Any]]:
    table = comparison.places.table
    columns = (table.labels, table.kinds, table.speeds, table.domains, table.nodes)
    names = ("label", "kind", "speed", "domain", "node")
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _strategy(one: Candidate, bound_s: float) -> dict[str, Any]:
    return {
        "name": one.name,
        **one.quality,
        "ratio": one.quality["phase_s"] / bound_s if bound_s else None,
        "decision_s": one.decision_s,
        "compute_s": one.compute_s.tolist(),
        "receive_s": one.receive_s.tolist(),
    }
