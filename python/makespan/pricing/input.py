# SPDX-License-Identifier: Apache-2.0
"""The settings of pricing, each declared once, and their values in one run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.pricing.columns.book import FIXING_GRIDS, PATHS_MAX
from makespan.settings.algorithm import Algorithm, algorithm, unknown
from makespan.settings.kinds import ABOVE_0, FilePath, Number, OneOf, Switch, Whole
from makespan.settings.perturbation import Perturbations
from makespan.settings.setting import Setting, by_name, check_keywords, defaults
from makespan.settings.shared import (
    CHECKPOINT,
    DEVICES,
    DISPATCHER,
    FILE,
    GATHER,
    OUTPUT,
    PERTURB,
    POLICY,
    RECORD,
    REPORT,
    RESTART_FROM,
    SEED,
    THREADS_OF_RUN,
    TRACE,
)

UNITS = ("standard", "desk")
PERTURBATIONS = Perturbations(when="ITEM")
REPLICATES_MIN = 16
"""Fewer scrambles than this give no honest error estimate (docs/explanation/estimators.md)."""
REPLICATES_MAX = 1 << 12

BOOK = Setting(
    "book", FilePath(), help="CSV, Parquet or Arrow file.", is_argument=True, only_flag=True
)

CURVES = Setting(
    "curves",
    FILE,
    help="CSV, Parquet or Arrow file of the curves that the book names.",
    only_flag=True,
)
BASKETS = Setting(
    "baskets",
    FILE,
    help="Likewise of the baskets that it names.",
    only_flag=True,
)
CORRELATIONS = Setting(
    "correlations",
    FILE,
    help="Likewise of the correlations of their underlyings.",
    only_flag=True,
)
SURFACES = Setting(
    "surfaces",
    FILE,
    help="Likewise of the volatility surfaces that book or baskets name.",
    only_flag=True,
)
MARKET_SETTINGS = (CURVES, BASKETS, CORRELATIONS, SURFACES)
"""Tables that rows of a book refer to."""
MARKET_TABLES = tuple(setting.name for setting in MARKET_SETTINGS)

ENGINE_SETTINGS = (
    Setting(
        "std_error",
        ABOVE_0,
        unit="price",
        help="Standard error to reach, in price units, for notional 1.",
        in_bits=True,
    ),
    Setting("paths", Whole(1, PATHS_MAX), help="Simulate this many paths.", in_bits=True),
    Setting(
        "method",
        Algorithm("methods"),
        default="auto",
        help="How rows are priced.",
        in_bits=True,
    ),
    Setting(
        "greeks",
        Switch(),
        default=False,
        help="Six Greeks with standard errors as well.",
        in_bits=True,
    ),
    Setting(
        "sensitivities",
        OneOf(("times", "points")),
        help="Derivatives to each time of curves and surfaces, each underlying, each of Heston's "
        "parameters; points: to each point of surfaces and each correlation as well.",
    ),
    Setting(
        "fixing_grid",
        OneOf(FIXING_GRIDS),
        help="For rows without their own.",
        in_bits=True,
    ),
    SEED.but(kind=Whole(0, 2**64 - 1), in_bits=True),
    DEVICES.but(
        help="What computes, as in 'cpu[cores=0-3,isa=avx2] cpu[cores=4-7]'; the whole CPU by "
        "default. Within brackets: cores, isa, threads, mode."
    ),
    THREADS_OF_RUN,
    Setting("isa", Algorithm("available_isas"), default="auto", help="Instruction set."),
    POLICY,
    Setting("mode", Algorithm("modes"), default="auto", help="How options are laid on threads."),
    DISPATCHER,
    Setting(
        "timeout",
        ABOVE_0,
        default=300.0,
        unit="s",
        help="Seconds at one piece of work after which a thread is taken as lost.",
    ),
    PERTURB.but(
        kind=PERTURBATIONS,
        help=f"For tests: {PERTURBATIONS.what}.",
        is_hidden=True,
    ),
    Setting(
        "memory",
        Switch(),
        default=True,
        help="Neither use nor keep the devices' speeds of other runs.",
    ),
    Setting(
        "precision",
        OneOf(("auto", "single", "double")),
        default="auto",
        help="Of the paths.",
        in_bits=True,
    ),
    Setting("rounds", OneOf((10, 7)), default=10, help="Rounds of Philox4x32.", in_bits=True),
    Setting(
        "replicates",
        Whole(REPLICATES_MIN, REPLICATES_MAX),
        default=32,
        help="Scramblings of methods rqmc and rqmc_smooth.",
        in_bits=True,
    ),
    Setting(
        "confidence",
        Number(above=0.0, below=1.0),
        default=0.95,
        help="Of ci_low and ci_high.",
        in_bits=True,
    ),
)
"""What is computed and how."""

FILE_SETTINGS = (
    OUTPUT.but(help="Where the prices go; replaced if there already."),
    RECORD.but(
        help="Write the run record here; by default the command writes it beside the prices."
    ),
    TRACE,
    REPORT.but(help="Write the schedule as a page: bars by thread, idle time, speeds."),
    CHECKPOINT.but(
        kind=FILE, help="Keep finished options in this file (the journal) as the run goes."
    ),
    RESTART_FROM.but(kind=FILE, help="Price only what this journal lacks, and keep it there."),
)
"""What is read and written besides the book."""

RUN_SETTINGS = (
    *FILE_SETTINGS,
    Setting(
        "skip_invalid",
        Switch(),
        default=False,
        help="Price the good rows; explain bad ones in 'error'.",
    ),
    Setting(
        "units",
        OneOf(UNITS),
        default="standard",
        help="desk: vega, rho, dividend_rho per 1 %; theta per day.",
    ),
)

PRICE_SETTINGS = (*ENGINE_SETTINGS, *RUN_SETTINGS)
"""All that `makespan price` and `makespan.price` have in common."""

PYTHON_SETTINGS = (*PRICE_SETTINGS, GATHER)
_KNOWN = by_name(ENGINE_SETTINGS)
_OF_A_DEVICE = ("threads", "isa", "mode")
"""What holds for devices that say nothing of it."""
_NOT_THE_ENGINE_S = ("std_error", "paths", "seed", "fixing_grid", "memory", "sensitivities")
"""They are in the columns of a book, or Python's own."""


class Settings(Mapping[str, Any]):
    """The value of each of `ENGINE_SETTINGS` in one run, by name and as attributes.

    `timeline` says whether the engine keeps who did what, when: for a trace or a report.
    """

    def __init__(self, *, timeline: bool = False, **given: Any) -> None:
        for name in given:
            if name not in _KNOWN:
                raise InputError(f"price: {unknown('keyword', name, _KNOWN)}")
        self.timeline = timeline
        self._values = {**defaults(ENGINE_SETTINGS), **given}

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Settings:
        """Of all flags or keywords of a run."""
        timeline = given["trace"] is not None or given["report"] is not None
        return cls(timeline=timeline, **{one.name: given[one.name] for one in ENGINE_SETTINGS})

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._values:
            raise AttributeError(name)
        return self._values[name]

    def without_greeks(self, method: str) -> Settings:
        """The same for prices by another method alone, whose timeline is not kept."""
        return Settings(**{**self._values, "method": method, "greeks": False})

    def check(self, engine: Engine) -> None:
        """Raises `InputError` for a value that cannot be used."""
        check_keywords(ENGINE_SETTINGS, self._values, engine)
        if self.paths is not None and self.std_error is not None:
            raise InputError(f"give {called('paths')} or {called('std_error')}, not both")
        for name in _OF_A_DEVICE:
            if self[name] != _KNOWN[name].default and self._all_devices_differ(name):
                raise InputError(
                    f"{called(name)} (each of {called('devices')} says its own, in brackets): "
                    "leave one out"
                )

    def _all_devices_differ(self, name: str) -> bool:
        devices = re.findall(r"[^\s\[]+(\[[^\]]*\])?", self.devices or "")
        said = [re.search(rf"[\[,]\s*{name}\s*=\s*([^,\]\s]*)", one) for one in devices]
        return bool(said) and all(one and one[1] != str(self[name]) for one in said)

    def bits(self) -> dict[str, Any]:
        """The settings that change the bits of the answer, for the journal and its messages."""
        chosen = {name: setting for name, setting in _KNOWN.items() if setting.in_bits}
        # 1 and 1.0 are one number, and two texts.
        return {
            name: float(self[name])
            if isinstance(setting.kind, Number) and self[name] is not None
            else self[name]
            for name, setting in chosen.items()
        }

    def for_engine(self, engine: Engine) -> dict[str, Any]:
        """The dictionary that `PricingRun` takes; accuracy, seed and grid are in the columns."""
        policy = algorithm(self.policy, "policies", engine)
        given = {name: self[name] for name in self if name not in _NOT_THE_ENGINE_S}
        return {
            **given,
            "devices": self.devices or "",
            "threads": self.threads or 0,
            "policy": policy.name,
            "policy_options": dict(policy.options),
            "timeout": float(self.timeout),
            "perturb": ",".join(self.perturb or ()),
            "timeline": self.timeline,
        }
