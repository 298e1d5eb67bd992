# SPDX-License-Identifier: Apache-2.0
"""A sweep in a terminal, and as a JSON document."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from makespan.sim.table import COLUMNS, candidate_row, document_head, way_document

if TYPE_CHECKING:
    from rich.table import Table

    from makespan.sim.comparison import Candidate
    from makespan.sim.machine_text import Machine
    from makespan.sim.sweep import Sweep
    from makespan.sim.tasks import Tasks

SWEEP_COLUMNS = ("value", *COLUMNS)
WAYS_MAX = 5
"""Of each value, in a terminal."""
_GAP = 2


def sweep_rows(
    sweep: Sweep, found: Sequence[Sequence[Candidate]], ways_max: int | None
) -> list[tuple[str, ...]]:
    """Texts of `SWEEP_COLUMNS`: of each value the best so many ways."""
    return [
        (f"{value:g}", *candidate_row(one))
        for value, own in zip(sweep.values, found, strict=True)
        for one in own[:ways_max]
    ]


def sweep_table(sweep: Sweep, found: Sequence[Sequence[Candidate]]) -> Table:
    """The best of several ways is bold."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for at, name in enumerate(SWEEP_COLUMNS):
        is_text = name in ("policy", "dispatcher")
        title = sweep.title if at == 0 else name
        table.add_column(title, justify="left" if is_text else "right", no_wrap=True)
    for value, own in zip(sweep.values, found, strict=True):
        for one in own[:WAYS_MAX]:
            is_best = one is own[0] and len(own) > 1
            row = map(escape, (f"{value:g}", *candidate_row(one)))
            table.add_row(*row, style="bold" if is_best else None)
    return table


def left_out_line(found: Sequence[Sequence[Candidate]]) -> str:
    """Says that there are more ways than the table has; nothing where there are not."""
    more = len(found[0]) - WAYS_MAX
    return f"{more} more ways of each: --json and --report have them" if more > 0 else ""


def sweep_document(
    machine: Machine, tasks: Tasks, sweep: Sweep, found: Sequence[Sequence[Candidate]]
) -> str:
    """`{"machine", "tasks", "sweep": {"name", "kind", "values": [{"value", "ways"}]}}`.

    `machine` and `tasks` are as they are without the sweep; times in seconds, the best way first.
    """
    document = {
        **document_head(machine, tasks),
        "sweep": {
            "name": sweep.name,
            "kind": sweep.kind,
            "values": [
                {"value": value, "ways": [way_document(one) for one in own]}
                for value, own in zip(sweep.values, found, strict=True)
            ],
        },
    }
    return json.dumps(document, allow_nan=False) + "\n"
