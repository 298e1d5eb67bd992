# SPDX-License-Identifier: Apache-2.0
"""Bags of tasks that are made up, as `20000:lognormal:0.5`."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from makespan.base.errors import InputError
from makespan.base.setting_names import called

TASKS_MAX = 10_000_000
COST_MAX = 1e30
"""Of an item, and of spreads and factors: as loads of graphs, and sums of them are numbers."""
_DIGITS_MAX = 20
"""More are no count, and Python reads no whole number of thousands."""
_RIGHT = (
    "give COUNT[:DISTRIBUTION[:SPREAD[:MEAN]]], as 20000:lognormal:0.5; distributions are "
    "constant, uniform, normal, exponential, lognormal"
)


@dataclass(frozen=True, slots=True)
class Tasks:
    """A bag: predicted costs of an item of each task, and how many times as much it really is."""

    source: str
    costs: tuple[float, ...]
    factors: tuple[float, ...] = ()
    """None at all where all predictions are right."""
    items: tuple[int, ...] = ()
    """Of each task; none at all where each has one."""
    times: int = 1
    """So many bags like this one, each when the one before it is done."""
    kept: tuple[float, ...] = ()
    """Real work of each worker where all keep their parts, as in a traced run of steps."""
    later: tuple[Tasks, ...] = ()
    """Bags that follow, each when the one before it is done."""

    @property
    def counts(self) -> Sequence[int]:
        """Items of each task."""
        return self.items or (1,) * len(self.costs)

    @property
    def bags(self) -> tuple[Tasks, ...]:
        """This one, as often as it is there, and those that follow."""
        return tuple(bag for one in (self, *self.later) for bag in (one,) * one.times)

    @property
    def count(self) -> int:
        """Of tasks, of all bags."""
        return sum(len(bag.costs) for bag in self.bags)

    @property
    def work(self) -> float:
        """Predicted, of all bags."""
        return math.fsum(
            count * cost
            for bag in self.bags
            for count, cost in zip(bag.counts, bag.costs, strict=True)
        )


def made_tasks(text: str, *, error: float = 0.0, seed: int = 1) -> Tasks:
    """Tasks of one item each. `error` is the spread of real over predicted cost; `InputError`."""
    parts = text.split(":")
    count = _whole(text, parts[0])
    name = parts[1] if len(parts) > 1 else "constant"
    spread = _number(text, parts[2]) if len(parts) > 2 else _SPREADS.get(name, 0.0)
    mean = _number(text, parts[3]) if len(parts) > 3 else 1.0
    if name not in _DRAWS or len(parts) > 4:
        raise InputError(f"{called('tasks')} {text}: {_RIGHT}")
    if mean < 1 / COST_MAX:
        raise InputError(
            f"{called('tasks')} {text}: a mean of {mean:g} (costs are from {1 / COST_MAX:g} on): "
            f"{_RIGHT}"
        )
    if name == "uniform" and spread > 1 / math.sqrt(3):
        raise InputError(
            f"{called('tasks')} {text}: costs would be below 0 (a uniform spread is at most "
            "0.577): take less"
        )
    draws = random.Random(seed)  # noqa: S311 - no secret
    costs = tuple(mean * _DRAWS[name](draws, spread) for _ in range(count))
    factors = tuple(_lognormal(draws, error) for _ in range(count)) if error > 0.0 else ()
    return Tasks(text, costs, factors)


def _whole(text: str, word: str) -> int:
    is_count = word.isdecimal() and len(word) <= _DIGITS_MAX
    if not is_count or not 1 <= int(word) <= TASKS_MAX:
        raise InputError(
            f"{called('tasks')} {text}: '{word}' is no count from 1 to {TASKS_MAX}: {_RIGHT}"
        )
    return int(word)


def _number(text: str, word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not 0.0 <= value <= COST_MAX:
        raise InputError(
            f"{called('tasks')} {text}: '{word}' is no number from 0 to {COST_MAX:g}: {_RIGHT}"
        )
    return value


def _lognormal(draws: random.Random, spread: float) -> float:
    variance = math.log1p(spread * spread)
    return math.exp(draws.gauss(-variance / 2, math.sqrt(variance)))


def _normal(draws: random.Random, spread: float) -> float:
    return max(1e-3, draws.gauss(1.0, spread))


def _uniform(draws: random.Random, spread: float) -> float:
    return 1.0 + math.sqrt(3) * spread * (2.0 * draws.random() - 1.0)


_DRAWS: dict[str, Callable[[random.Random, float], float]] = {
    "constant": lambda _draws, _spread: 1.0,
    "uniform": _uniform,
    "normal": _normal,
    "exponential": lambda draws, _spread: max(1e-6, draws.expovariate(1.0)),
    "lognormal": _lognormal,
}
_SPREADS = {"uniform": 0.5, "normal": 0.3, "lognormal": 0.5}
