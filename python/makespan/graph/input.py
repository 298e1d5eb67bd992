# SPDX-License-Identifier: Apache-2.0
"""The settings of balancing, each declared once, and what they say of phases to be played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.graph.phases import PHASES_MAX, Change, PhasesJob
from makespan.machines.input import PLACE_SETTINGS
from makespan.settings.algorithm import Algorithm
from makespan.settings.from_python import plain
from makespan.settings.kinds import ABOVE_0, COUNT, Checked, Number, OneOf, OrElse, Whole
from makespan.settings.perturbation import Perturbations, perturbation
from makespan.settings.setting import Setting
from makespan.settings.shared import (
    BALANCER,
    FILE,
    GATHER,
    OUTPUT,
    PERTURB,
    RECORD,
    REPORT,
    SEED,
)

GRAPH = Setting(
    "graph",
    FILE,
    help="The graph; of vt the files of all ranks.",
    is_argument=True,
    is_repeated=True,
    only_flag=True,
)
PHASE = Setting("phase", Whole(0), help="Of a dump of vt; the last by default.")
BALANCERS = BALANCER.but(
    kind=Algorithm("balancers", many=True),
    help="With commas between, or all; options as in name:option=1,other=2.",
)


def growth_of(value: Any) -> tuple[float, float]:
    """`0.01:0.1`, or the pair: a tenth of the objects grow by a hundredth from phase to phase.

    Raises `ValueError` for what is neither.
    """
    if isinstance(value, str):
        value = value.split(":") if ":" in value else (value, 1.0)
    rate, share = map(float, plain(value))
    if not (-1.0 < rate < 10.0 and 0.0 <= share <= 1.0):
        raise ValueError(value)
    return rate, share


def _is_growth(value: Any) -> bool:
    try:
        growth_of(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


PHASES = Setting(
    "phases", Whole(1, PHASES_MAX), help="Play so many phases in virtual time, balanced."
)
COURSE_SETTINGS = (
    Setting(
        "when",
        OrElse(OneOf(("auto", "never")), COUNT, "WHEN"),
        default="auto",
        help="Of phases, when to balance: auto (where it pays), never, or after so many phases.",
    ),
    Setting(
        "growth",
        Checked(
            _is_growth,
            "the rate of a phase and the share of the objects, as 0.01:0.1",
            growth_of,
            "RATE:SHARE",
        ),
        help="Of phases: 0.01:0.1, a tenth of the objects grow by 1 % a phase.",
    ),
    Setting(
        "noise",
        Number(least=0.0, most=10.0),
        default=0.0,
        help="Of phases, of loads: deviation over mean.",
    ),
    PERTURB.but(
        kind=Perturbations(("slow",), "PLACE", "PHASE"),
        help="Of phases: slow:3@20:4, from phase 20 on place 3 takes 4 times as long.",
    ),
    SEED.but(help="Selects the random numbers of growth and noise."),
)
"""How phases are balanced, and what happens in them."""

MEMORY_SETTINGS = (
    Setting(
        "memory_gb",
        ABOVE_0,
        unit="10^9 B",
        help="What objects may take of a memory, in 10^9 bytes; all mappings keep to it.",
    ),
    Setting(
        "memory_of",
        OneOf(("place", "domain", "node")),
        default="place",
        help="What has a memory of its own; of vt's ranks each.",
    ),
)

BALANCE_SETTINGS = (
    *PLACE_SETTINGS,
    *MEMORY_SETTINGS,
    PHASE,
    BALANCERS,
    PHASES,
    *COURSE_SETTINGS,
    OUTPUT.but(help="Write the best mapping here; .zst packs it."),
    REPORT.but(help="Write a page: times by place and traffic, before and after."),
    RECORD,
)
"""All that `makespan balance` and `makespan.balance` have in common."""

BALANCE_KEYWORDS = (*BALANCE_SETTINGS, GATHER)
PHASES_KEYWORDS = (
    BALANCER.but(help="Options as in name:option=1,other=2."),
    *COURSE_SETTINGS,
    RECORD,
    GATHER,
)
"""Of `makespan.simulate_phases`, but for the number of phases, which has no default."""


@dataclass(frozen=True, slots=True)
class MemoryLimit:
    """What objects may take of each memory; `of` is what has one: place, domain or node."""

    bytes: float
    of: str


def asked_memory(given: Mapping[str, Any]) -> MemoryLimit | None:
    """The limit, if there is one. Raises `InputError`."""
    if given["memory_gb"] is None:
        if given["memory_of"] != "place":
            raise InputError(
                f"{called('memory_of')} is of a limit: give {called('memory_gb')}, too"
            )
        return None
    if given["phases"] is not None:
        raise InputError(
            f"{called('memory_gb')} with {called('phases')} (what is played knows no limits): "
            "leave one of them out"
        )
    return MemoryLimit(1e9 * float(given["memory_gb"]), given["memory_of"])


def asked_job(given: Mapping[str, Any]) -> PhasesJob | None:
    """What is to be played, if anything is. Raises `InputError`."""
    if given["phases"] is None:
        _expect_nothing(given)
        return None
    return phases_job(given)


def phases_job(given: Mapping[str, Any]) -> PhasesJob:
    """What is to be played: `given` are the values of `COURSE_SETTINGS`, and phases."""
    when, perturb = given["when"], given["perturb"] or ()
    is_word = isinstance(when, str)
    growth, share = (0.0, 0.0) if given["growth"] is None else growth_of(given["growth"])
    return PhasesJob(
        phases=given["phases"],
        when=when if is_word else "periodic",
        every=1 if is_word else when,
        growth=growth,
        growing_share=share,
        noise=float(given["noise"]),
        seed=given["seed"],
        changes=tuple(map(_change, perturb)),
    )


def _change(text: str) -> Change:
    found = perturbation(text, ("slow",))
    if not found.where.isdecimal() or found.when != int(found.when):
        raise InputError(
            f"{called('perturb')} {text} (no place and phase by their numbers): count both from "
            "0, as in slow:3@20:4"
        )
    if found.value < 1.0:
        raise InputError(
            f"{called('perturb')} {text} (a place is as fast as its speed says at most): give a "
            "factor of at least 1"
        )
    return int(found.where), int(found.when), 1.0 / found.value


def _expect_nothing(given: Mapping[str, Any]) -> None:
    for one in COURSE_SETTINGS:
        if plain(given[one.name]) not in (one.default, []):
            raise InputError(
                f"{called(one.name)} is of phases that are played: give {called('phases')}, too"
            )
