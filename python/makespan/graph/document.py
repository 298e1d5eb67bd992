# SPDX-License-Identifier: Apache-2.0
"""The JSON document of `makespan balance --json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from makespan.graph.balancing import Candidate, Comparison
    from makespan.graph.outcome import Balanced, PhasesResult


def balance_document(balanced: Balanced) -> str:
    """`{"graph", "machine", "bound_s", "balancers", "best"}`; times in seconds.

    Where phases were played also `phases`.
    """
    comparison = balanced.comparison
    graph, places = comparison.graph, comparison.places
    document: dict[str, object] = {
        "format": "makespan balance",
        "version": 1,
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
        "balancers": [_candidate(one, comparison) for one in comparison.candidates],
        "best": comparison.best.text,
    }
    if balanced.played:
        document["phases"] = [_phases(one) for one in balanced.played]
    return json.dumps(document, allow_nan=False) + "\n"


def _places(comparison: Comparison) -> list[dict[str, Any]]:
    table = comparison.places.table
    columns = (table.labels, table.kinds, table.speeds, table.domains, table.nodes)
    names = ("label", "kind", "speed", "domain", "node")
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _candidate(one: Candidate, comparison: Comparison) -> dict[str, Any]:
    return {
        "name": one.name,
        "options": dict(one.options),
        **one.quality,
        "ratio": comparison.ratio(one),
        "decision_s": one.decision_s,
        "compute_s": one.compute_s.tolist(),
        "receive_s": one.receive_s.tolist(),
    }


def _phases(one: PhasesResult) -> dict[str, Any]:
    """Columns by phase."""
    return {
        "balancer": one.balancer,
        "total_s": one.total_s,
        "ideal_s": one.ideal_s,
        **one.phases.to_dict(as_series=False),
    }
