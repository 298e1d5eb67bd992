# SPDX-License-Identifier: Apache-2.0
"""Everything that a run can be told, checked against what the engine offers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from makespan.engine import Engine
from makespan.errors import InputError
from makespan.schema import FIXING_GRIDS, PATHS_MAX, SEED_DEFAULT

PRECISIONS = ("auto", "single", "double")
UNITS = ("standard", "desk")
ROUNDS = (10, 7)
REPLICATES_MIN = 16
"""Fewer scrambles than this give no honest error estimate (docs/explanation/estimators.md)."""
REPLICATES_MAX = 1 << 12
THREADS_MAX = 1 << 12
DEVICE_TIMEOUT_S = 300.0
"""A device that is at one piece of work for so long is taken as lost; pieces take milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a book is priced. Fields up to `fixing_grid` change the bits of the answer."""

    method: str = "mc"
    paths: int | None = None
    std_error: float | None = None
    greeks: bool = False
    seed: int = SEED_DEFAULT
    precision: str = "auto"
    rounds: int = 10
    replicates: int = 32
    confidence: float = 0.95
    fixing_grid: str | None = None

    devices: str | None = None
    threads: int | None = None
    isa: str = "auto"
    mode: str = "auto"
    dispatcher: str = "steal"
    policy: str = "equal_time"
    device_timeout: float = DEVICE_TIMEOUT_S
    inject: str | None = None
    timeline: bool = False
    memory: bool = True

    def check(self, engine: Engine) -> None:
        """Raises `InputError` for a value that the engine cannot use."""
        self._check_accuracy()
        _check_word("method", self.method, (m["name"] for m in engine.methods()))
        _check_word("isa", self.isa, ["auto", *engine.available_isas()])
        _check_word("mode", self.mode, (mode["name"] for mode in engine.modes()))
        _check_word("dispatcher", self.dispatcher, (d["name"] for d in engine.dispatchers()))
        _check_word("precision", self.precision, PRECISIONS)
        if self.fixing_grid is not None:
            _check_word("fixing_grid", self.fixing_grid, FIXING_GRIDS)
        policy_options(self.policy, engine)
        if self.rounds not in ROUNDS:
            raise InputError(f"rounds must be 10 or 7, got {self.rounds}")
        _check_whole("seed", self.seed, 0, 2**64 - 1)
        _check_whole("replicates", self.replicates, REPLICATES_MIN, REPLICATES_MAX)
        if self.threads is not None:
            _check_whole("threads", self.threads, 1, THREADS_MAX)
        if not 0.0 < self.device_timeout < math.inf:
            raise InputError(
                f"device_timeout must be a number of seconds > 0, got {self.device_timeout}"
            )
        if not 0.0 < self.confidence < 1.0:
            raise InputError(f"confidence must lie between 0 and 1, got {self.confidence}")

    def _check_accuracy(self) -> None:
        if self.paths is not None and self.std_error is not None:
            raise InputError("give paths or std_error, not both")
        if self.paths is not None:
            _check_whole("paths", self.paths, 1, PATHS_MAX)
        if self.std_error is not None and not 0.0 < self.std_error < math.inf:
            raise InputError(f"std_error must be > 0 and finite, got {self.std_error}")

    def bits(self) -> dict[str, Any]:
        """The settings that change the bits of the answer, for the journal and its messages."""
        return {
            "method": self.method,
            "paths": self.paths,
            "std_error": self.std_error,
            "greeks": self.greeks,
            "seed": self.seed,
            "precision": self.precision,
            "rounds": self.rounds,
            "replicates": self.replicates,
            "confidence": self.confidence,
            "fixing_grid": self.fixing_grid,
        }

    def for_engine(self, engine: Engine) -> dict[str, Any]:
        """The dictionary that `PricingRun` takes; accuracy, seed and grid are in the columns."""
        policy, options = policy_options(self.policy, engine)
        return {
            "method": self.method,
            "greeks": self.greeks,
            "replicates": self.replicates,
            "precision": self.precision,
            "philox_rounds": self.rounds,
            "devices": self.devices or "",
            "threads": self.threads or 0,
            "isa": self.isa,
            "mode": self.mode,
            "dispatcher": self.dispatcher,
            "policy": policy,
            "policy_options": options,
            "device_timeout_s": float(self.device_timeout),
            "injections": self.inject or "",
            "trace": self.timeline,
            "confidence": self.confidence,
        }


def policy_options(text: str, engine: Engine) -> tuple[str, dict[str, float]]:
    """Splits `name` or `name:option=1,other=2`; raises `InputError` for what the engine lacks."""
    name, _, rest = text.partition(":")
    known = {policy["name"]: policy for policy in engine.policies()}
    _check_word("policy", name, known)
    names = [option["name"] for option in known[name]["options"]]
    options = {}
    for item in rest.split(",") if rest else ():
        option, _, number = item.partition("=")
        _check_word(f"option of policy {name}", option.strip(), names)
        try:
            options[option.strip()] = float(number)
        except ValueError:
            raise InputError(
                f"policy option {option} must be a number, got '{number}'; write {name}:{option}=1"
            ) from None
    return name, options


def _check_word(name: str, value: str, choices: Iterable[str]) -> None:
    words: Sequence[str] = list(choices)
    if value not in words:
        raise InputError(f"{name} must be one of {', '.join(words)}; got '{value}'")


def _check_whole(name: str, value: object, low: int, high: int) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not low <= value <= high:  # type: ignore[operator]
        raise InputError(f"{name} must be a whole number from {low} to {high}, got {value!r}")
