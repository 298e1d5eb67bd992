# SPDX-License-Identifier: Apache-2.0
"""Every policy, with steals and without, where machines are uneven, change, or fail.

The cases are those of a survey of loop schedules: A uneven tasks on eight processors and a device
forty times as fast; B few and very uneven tasks; C that device falls to a quarter of its speed half
way; D a processor to a tenth; E eight equal processors; F a processor fails half way; G the device.
All that could be done in a second, changes counted, is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from makespan.sim.comparison import Case, compare, ways_of
from makespan.sim.machine import Machine
from makespan.sim.machine_text import machine_of
from makespan.sim.tasks import made_tasks

from bench.result import Row

PROCESSORS = 8
FASTER = 40
LAUNCH_US = 20.0
PIECE_US = 4000.0


@dataclass(frozen=True)
class RobustnessCase:
    """Tasks of a mean cost of 1, and what happens to which device half way."""

    name: str
    tasks: str
    has_accelerator: bool = True
    device: int = 0
    factor: float = 1.0


CASES = (
    RobustnessCase("A", "20000:lognormal:0.5"),
    RobustnessCase("B", "1000:lognormal:1"),
    RobustnessCase("C", "20000:lognormal:0.5", device=PROCESSORS, factor=0.25),
    RobustnessCase("D", "20000:lognormal:0.5", device=0, factor=0.1),
    RobustnessCase("E", "20000:lognormal:0.5", has_accelerator=False),
    RobustnessCase("F", "20000:lognormal:0.5", device=0, factor=0.0),
    RobustnessCase("G", "20000:lognormal:0.5", device=PROCESSORS, factor=0.0),
)
DISPATCHERS = ("counter", "steal")
DEFAULT = "equal_time"
LAUNCHED_SINGLY = "self"
"""Pays a launch for every task, by its definition."""
SINGLE_TASK_TAIL = "B"


def machine(case: RobustnessCase) -> Machine:
    """One process; the fast device takes launches as a GPU does when it prices options."""
    count = int(case.tasks.split(":")[0])
    speed = count / (PROCESSORS + (FASTER if case.has_accelerator else 0))
    kinds: dict[str, dict[str, float]] = {"cpu": {"speed": speed}}
    devices = [f"{PROCESSORS} cpu"]
    if case.has_accelerator:
        kinds["gpu"] = {"speed": speed * FASTER, "launch_us": LAUNCH_US, "piece_us": PIECE_US}
        devices.append("gpu")
    what = (
        f"slow:{case.device}@0.5:{1 / case.factor!r}" if case.factor else f"fail:{case.device}@0.5"
    )
    return machine_of(
        case.name,
        {
            "kind": kinds,
            "node": [{"devices": devices}],
            "run": {"perturb": [what] if case.factor != 1.0 else []},
        },
    )


def ratios(
    seeds: Sequence[int], notice: Callable[[str], None]
) -> dict[tuple[str, str, str], list[float]]:
    """By case, policy and dispatcher: makespans over what could not be beaten, one for each seed.

    Infinite where a bag is never done.
    """
    ways = ways_of("all", ",".join(DISPATCHERS))
    found: dict[tuple[str, str, str], list[float]] = {}
    for case in CASES:
        where = machine(case)
        for seed in seeds:
            tasks = made_tasks(case.tasks, seed=seed)
            for one in compare(Case(where, tasks), ways):
                found.setdefault((case.name, one.policy, one.dispatcher), []).append(one.over_ideal)
        notice(f"case {case.name}")
    return found


def table(found: dict[tuple[str, str, str], list[float]], dispatcher: str) -> str:
    """A table in Markdown: a line for each policy, the mean and the worst of each case."""
    names = [case.name for case in CASES]
    lines = ["| policy | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    policies = dict.fromkeys(policy for _, policy, way in found if way == dispatcher)
    for policy in sorted(policies):
        cells = [_cell(found[name, policy, dispatcher]) for name in names]
        lines.append(f"| `{policy}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def worst_rows(found: dict[tuple[str, str, str], list[float]]) -> list[Row]:
    """The worst case but the one of few tasks, with steals: by the default, `self`, any other."""
    worst: dict[str, tuple[float, str]] = {}
    for (name, policy, way), values in found.items():
        if way == "steal" and name != SINGLE_TASK_TAIL:
            group = policy if policy in (DEFAULT, LAUNCHED_SINGLY) else "any other policy"
            here = (max(values), f"`{policy}` in {name}")
            worst[group] = max(worst.get(group, here), here)
    return [
        Row(
            f"steal with {group}, the worst of A, C to G ({where}): over the ideal",
            ratio,
            "",
            target="value <= 1.02",
        )
        for group, (ratio, where) in worst.items()
    ]


def _cell(values: Sequence[float]) -> str:
    mean, worst = sum(values) / len(values), max(values)
    if worst == float("inf"):
        return "never"
    digits = 3 if worst < 2 else 1
    if round(mean, digits) == round(worst, digits):
        return f"{mean:.{digits}f}"
    return f"{mean:.{digits}f} / {worst:.{digits}f}"
