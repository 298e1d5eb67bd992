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

    @property
    def real_work(self) -> float:
        """As it really is, of all bags."""
        return math.fsum(
            count * cost * factor
            for bag in self.bags
            for count, cost, factor in zip(
                bag.counts, bag.costs, bag.factors or (1.0,) * len(bag.costs), strict=True
            )
        )


def made_tasks(text: str, *, error: float = 0.0, seed: int = 1) -> Tasks:
    """Tasks of one item each. `error` is the spread of real over predicted cost; `InputError`."""
    parts = text.split(":")
    count = _whole(text, parts[0])
    name = parts[1] if len(parts) > 1 else "constant"
    if name not in _DRAWS or len(parts) > 4:
        raise InputError(f"{called('tasks')} {text}: {_RIGHT}")
    spread = _number(text, parts[2]) if len(parts) > 2 else _SPREADS[name]
    mean = _number(text, parts[3]) if len(parts) > 3 else 1.0
    if mean < 1 / COST_MAX:
        raise InputError(
            f"{called('tasks')} {text}: a mean of {mean:g} (costs are from {1 / COST_MAX:g} on): "
            f"{_RIGHT}"
        )
    _check_spread(text, name, spread)
    draws = random.Random(seed)  # noqa: S311 - no secret
    costs = tuple(mean * _DRAWS[name](draws, spread) for _ in range(count))
    factors = tuple(_lognormal(draws, error) for _ in range(count)) if error > 0.0 else ()
    return Tasks(text, costs, factors)


def _check_spread(text: str, name: str, spread: float) -> None:
    if name in _ONE_SPREAD and spread != _SPREADS[name]:
        raise InputError(
            f"{called('tasks')} {text}: {name} costs have a spread of {_SPREADS[name]:g}: give "
            "that, or take lognormal"
        )
    if spread > (most := _SPREADS_MAX.get(name, COST_MAX)):
        raise InputError(
            f"{called('tasks')} {text}: too many costs would be below 0 (a {name} spread is at "
            f"most {most:.3g}): take less, or lognormal"
        )


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
_SPREADS = {
    "constant": 0.0,
    "uniform": 0.5,
    "normal": 0.3,
    "exponential": 1.0,
    "lognormal": 0.5,
}
"""Where none is given."""
_ONE_SPREAD = ("constant", "exponential")
_SPREADS_MAX = {"uniform": 1.0 / math.sqrt(3), "normal": 0.5}
"""A normal one of 0.5 has 2.3 % of costs below 0; taken as 0.001 they raise the mean by 0.4 %."""
