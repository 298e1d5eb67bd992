# SPDX-License-Identifier: Apache-2.0
"""Writes stencil.json: 8 x 8 blocks of a grid that exchange edges, dealt out by rows to 8 places.

Blocks of the upper left quarter take three times as long, as where a mesh is refined: the places
that have them are late. No random numbers, so the file is always the same.
"""

import json
import sys
from pathlib import Path

SIDE = 8
PLACES = 8
BLOCK_S = 0.002
EDGE_BYTES = 65536
BLOCK_BYTES = 2 << 20


def stencil() -> dict[str, object]:
    """The graph, as docs/reference/graph-file.md describes it."""
    cells = [(x, y) for y in range(SIDE) for x in range(SIDE)]
    ids = {cell: f"block {cell[0]},{cell[1]}" for cell in cells}
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1))
    edges = [
        (ids[x, y], ids[x + dx, y + dy])
        for x, y in cells
        for dx, dy in steps
        if (x + dx, y + dy) in ids
    ]
    return {
        "format": "makespan graph",
        "version": 1,
        "about": {"made by": "examples/graph/make_stencil.py"},
        "kinds": ["cpu"],
        "objects": {
            "id": list(ids.values()),
            "work": {"cpu": [BLOCK_S * (3 if x < SIDE // 2 > y else 1) for x, y in cells]},
            "bytes": [BLOCK_BYTES] * len(cells),
            "place": [y * PLACES // SIDE for _, y in cells],
        },
        "edges": {
            "from": [sender for sender, _ in edges],
            "to": [receiver for _, receiver in edges],
            "bytes": [EDGE_BYTES] * len(edges),
        },
    }


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("stencil.json")
    target.write_text(json.dumps(stencil(), indent=1) + "\n", encoding="utf-8")
