# SPDX-License-Identifier: Apache-2.0
"""`makespan.simulate_phases`: objects that talk, over many phases, from Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine, load_engine
from makespan.base.errors import InputError
from makespan.graph.phases import Change, PhasesJob

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import ArrayLike, NDArray

_GRAPH_COLUMNS = ("work", "place", "bytes", "fixed", "from", "to", "messages", "edge_bytes")
_PLACE_COLUMNS = ("speed", "domain", "node", "latency_s", "bandwidth_bytes_s")


@dataclass(frozen=True, slots=True)
class SimulatedPhases:
    """What came of it; times in seconds."""

    total_s: float
    """Of all phases, with looks at loads and the time that objects were on their way."""
    ideal_s: float
    """All work over all speeds, phase by phase, without messages."""
    phases: pl.DataFrame
    """A row for each: time_s, compute_s (work over all speeds), look_s, migrate_s, moved,
    moved_bytes; looks and moves come before the phase."""
    mapping: NDArray[np.int32]
    """The place of each object at the end."""


def simulate_phases(
    graph: str | PathLike[str] | Mapping[str, ArrayLike],
    places: Mapping[str, ArrayLike],
    *,
    phases: int,
    balancer: str = "makespan",
    options: Mapping[str, float] | None = None,
    every: int | None = None,
    growth: float = 0.0,
    growing_share: float = 0.0,
    noise: float = 0.0,
    changes: Sequence[Change] = (),
    seed: int = 1,
) -> SimulatedPhases:
    """Plays phases of objects on places that need not exist, balanced on the way.

    `graph` is the path of a graph file, or columns: by object `work` (seconds at speed 1) and
    `place`, and if wanted `bytes` (to move it) and `fixed`; by edge `from`, `to` (objects),
    `messages`, `edge_bytes`. `places` are columns: by place `speed` and `domain`, by domain `node`,
    and of shape (domains, domains), the sender's first, `latency_s` and `bandwidth_bytes_s`.

    `balancer` is one of `makespan balance --list`, or "never"; it is asked when that seems worth
    it, or after `every` so many phases. A drawn `growing_share` of the objects grow by `growth`
    from phase to phase, loads vary by `noise` (deviation over mean); `changes` are (place, phase,
    part of the time in which the place has its core from then on).

    The phase is that of docs/explanation/graph.md (Pilla et al., ICPADS 2012). Repeats to the last
    bit. Raises `InputError`.
    """
    import polars as pl

    engine = load_engine()
    job = PhasesJob(
        phases=phases,
        when="auto" if every is None else "periodic",
        every=1 if every is None else every,
        growth=growth,
        growing_share=growing_share,
        noise=noise,
        seed=seed,
        changes=tuple(changes),
    )
    try:
        found = engine.simulate_phases(
            _graph(engine, graph), _places(engine, places), job.job(balancer, options or {})
        )
    except ValueError as error:
        raise InputError(str(error)) from error
    table = pl.DataFrame(dict(found["phases"]))
    ideal_s = float(sum(found["phases"]["compute_s"]))
    return SimulatedPhases(found["total_s"], ideal_s, table, found["mapping"])


def _graph(engine: Engine, given: str | PathLike[str] | Mapping[str, ArrayLike]) -> Any:
    from makespan.graph.read_graph import read_graph

    if not isinstance(given, Mapping):
        table = read_graph([Path(fspath(given))])
        return table.engine_graph(engine, table.kinds)
    columns = _columns("graph", given, _GRAPH_COLUMNS, ("work", "place"))
    objects = len(columns["work"])
    return engine.Graph(
        {
            "kinds": 1,
            "work": _numbers(columns["work"]),
            "bytes": _numbers(columns.get("bytes", [0.0] * objects)),
            "place": _indices(columns["place"]),
            "fixed": _flags(columns.get("fixed", [0] * objects)),
            "from": _indices(columns.get("from", [])),
            "to": _indices(columns.get("to", [])),
            "messages": _numbers(columns.get("messages", [])),
            "edge_bytes": _numbers(columns.get("edge_bytes", [])),
        }
    )


def _places(engine: Engine, given: Mapping[str, ArrayLike]) -> Any:
    columns = _columns("places", given, _PLACE_COLUMNS, _PLACE_COLUMNS)
    return engine.Places(
        {
            "kind": _indices([0] * len(columns["speed"])),
            "speed": _numbers(columns["speed"]),
            "domain": _indices(columns["domain"]),
            "node": _indices(columns["node"]),
            "latency_s": _numbers(columns["latency_s"]),
            "bandwidth_bytes_s": _numbers(columns["bandwidth_bytes_s"]),
        }
    )


def _columns(
    what: str, given: Mapping[str, ArrayLike], known: Sequence[str], needed: Sequence[str]
) -> dict[str, Any]:
    from makespan.settings.key_file import unknown

    for name in given:
        if name not in known:
            raise InputError(f"{what}: {unknown('column', name, known)}")
    for name in needed:
        if name not in given:
            raise InputError(f"{what}: no column {name}: give {', '.join(needed)}")
    return dict(given)


def _numbers(values: ArrayLike) -> NDArray[np.float64]:
    import numpy as np

    return np.ascontiguousarray(values, dtype=np.float64).reshape(-1)


def _indices(values: ArrayLike) -> NDArray[np.int32]:
    import numpy as np

    return np.ascontiguousarray(values, dtype=np.int32).reshape(-1)


def _flags(values: ArrayLike) -> NDArray[np.uint8]:
    import numpy as np

    return np.ascontiguousarray(values, dtype=np.uint8).reshape(-1)
