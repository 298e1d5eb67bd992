# SPDX-License-Identifier: Apache-2.0
"""A graph to begin with: twelve objects in a chain of blocks, all at the first of the places."""

from __future__ import annotations

GRAPH_EXAMPLE = """\
{
  "format": "makespan graph",
  "version": 1,
  "kinds": ["cpu"],
  "objects": {
    "id": ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11"],
    "work": {"cpu": [3e-3, 3e-3, 3e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3]},
    "bytes": [1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6],
    "place": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  },
  "edges": {
    "from": ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10"],
    "to": ["b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11"],
    "messages": [10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10],
    "bytes": [80000, 80000, 80000, 80000, 80000, 80000, 80000, 80000, 80000, 80000, 80000]
  }
}
"""
"""docs/reference/graph-file.md describes it: work in seconds, the rest of one phase."""
