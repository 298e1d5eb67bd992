# SPDX-License-Identifier: Apache-2.0
"""What balancers make of a graph, beside what it is now."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from makespan.graph.objects_table import ObjectsTable
    from makespan.graph.place_source import KnownPlaces

NOW = "now"
"""The mapping that the graph comes with."""
EVERY = "all"

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mapping, and what is predicted of it; times [s] by place."""

    name: str
    mapping: NDArray[np.int32]
    quality: Mapping[str, Any]
    compute_s: NDArray[np.float64]
    receive_s: NDArray[np.float64]
    decision_s: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The graph as it is now, first, and by each strategy."""

    graph: ObjectsTable
    places: KnownPlaces
    bound_s: float
    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate:
        """The strategy with the shortest phase; the first of equals."""
        return min(self.candidates[1:], key=lambda one: float(one.quality["phase_s"]))


@dataclass(frozen=True, slots=True)
class Strategies:
    """Balancers to be compared, and each one's options."""

    options: Mapping[str, Mapping[str, float]]

    @staticmethod
    def named(engine: Engine, names: str | None, options: Sequence[str]) -> Strategies:
        """`names` have commas between, or are all; the default is the registry's first.

        Each option, `name=value`, goes to all that know it. Raises `InputError`.
        """
        known = {entry["name"]: entry for entry in engine.balancers()}
        chosen = _chosen(list(known), names)
        given: dict[str, dict[str, float]] = {name: {} for name in chosen}
        for text in options:
            option, value = _assignment(text)
            takers = [n for n in chosen if any(o["name"] == option for o in known[n]["options"])]
            if not takers:
                raise _unknown_option(option, {n: known[n]["options"] for n in chosen})
            for taker in takers:
                given[taker][option] = value
        return Strategies(given)

    def compare(
        self,
        engine: Engine,
        graph: ObjectsTable,
        places: KnownPlaces,
        progress: Progress = lambda *_: None,
    ) -> Comparison:
        """Lets all of them decide. Raises `InputError`."""
        graph.check_places(len(places.labels), places.name)
        progress("preparing", 0, len(self.options))
        objects = graph.engine_graph(engine, places.kinds)
        try:
            where = places.table.to_places()
            candidates = [_judged(engine, NOW, objects, where, (graph.place, None))]
            for number, (name, given) in enumerate(self.options.items()):
                progress(name, number, len(self.options))
                decided = engine.balance(objects, where, name, dict(given))
                candidates.append(_judged(engine, name, objects, where, decided))
            bound_s = float(engine.phase_lower_bound(objects, where))
        except ValueError as error:
            raise InputError(str(error)) from error
        return Comparison(graph, places, bound_s, tuple(candidates))


def _judged(
    engine: Engine,
    name: str,
    objects: Any,
    where: Any,
    decided: tuple[NDArray[np.int32], float | None],
) -> Candidate:
    mapping, decision_s = decided
    times = engine.phase_times(objects, where, mapping)
    quality = engine.mapping_quality(objects, where, mapping)
    return Candidate(name, mapping, quality, *times, decision_s)


def _chosen(known: list[str], names: str | None) -> list[str]:
    if names is None:
        return known[:1]
    wanted = [name.strip() for name in names.split(",")]
    chosen: list[str] = []
    for name in wanted:
        if name != EVERY and name not in known:
            near = difflib.get_close_matches(name, [*known, EVERY], n=1, cutoff=0.0)[0]
            raise InputError(
                f"--strategy '{name}' (known: {', '.join([*known, EVERY])}): did you mean '{near}'?"
            )
        chosen += known if name == EVERY else [name]
    return list(dict.fromkeys(chosen))


def _assignment(text: str) -> tuple[str, float]:
    name, equals, value = text.partition("=")
    try:
        return name.strip(), float(value if equals else "")
    except ValueError:
        raise InputError(
            f"--option '{text}' (no name with a number): write it as name=0.5"
        ) from None


def _unknown_option(option: str, options: Mapping[str, Sequence[Any]]) -> InputError:
    known = sorted({one["name"] for some in options.values() for one in some})
    chosen = ", ".join(options)
    if not known:
        return InputError(f"--option '{option}' ({chosen} has none): leave it out")
    near = difflib.get_close_matches(option, known, n=1, cutoff=0.0)[0]
    return InputError(
        f"--option '{option}' (known of {chosen}: {', '.join(known)}): did you mean '{near}'?"
    )
