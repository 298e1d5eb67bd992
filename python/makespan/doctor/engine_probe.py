# SPDX-License-Identifier: Apache-2.0
"""The compiled engine: whether it loads, its instruction sets, and whether it prices right."""

from __future__ import annotations

from dataclasses import dataclass

from makespan.doctor.finding import Finding, missing, ok, warning

TRIAL_BOOK = {
    "option_type": ["call"],
    "spot": [100.0],
    "strike": [100.0],
    "rate": [0.05],
    "volatility": [0.2],
    "expiry": [1.0],
    "fixings": [12],
    "fixing_grid": ["exclude_start"],
}
TRIAL_PATHS = 4096
TRIAL_PRICE = 6.156832885165813
"""Of method mc and seed 0, to the last bit on every instruction set (2 cores, AVX-512, 2026)."""

SLOW_ISA = "one_lane"


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """What became of loading it."""

    why_not: str | None
    """Why it does not load; None: it does."""
    build: str = ""
    """Compiler and kind of build."""
    isas: tuple[str, ...] = ()
    """Best first."""
    build_type: str = "Release"


@dataclass(frozen=True, slots=True)
class TrialFacts:
    """What became of pricing one option."""

    price: float | None
    why_not: str | None = None


def gather_engine() -> EngineFacts:
    """Loads it."""
    from makespan.base.engine import load_engine
    from makespan.base.errors import NotConfiguredError

    try:
        engine = load_engine()
    except NotConfiguredError as error:
        return EngineFacts(str(error.__cause__ or error))
    built = engine.build_info()
    kind = str(built.get("build_type", ""))
    build = f"{kind}, {built.get('compiler')}, contracts {built.get('contracts')}"
    return EngineFacts(None, build, tuple(engine.available_isas()), kind)


def gather_trial() -> TrialFacts:
    """Prices the book of one row, in this process. Whatever goes wrong is the answer."""
    try:
        import makespan

        result = makespan.price(TRIAL_BOOK, paths=TRIAL_PATHS, seed=0, memory=False)
        # Of the images of a job the first one has it, and speaks.
        return TrialFacts(None if result is None else float(result.table["price"][0]))
    except Exception as error:
        return TrialFacts(None, f"{type(error).__name__}: {error}".replace("\n", " "))


def probe_engine(facts: EngineFacts) -> Finding:
    """Whether it loads."""
    if facts.why_not is not None:
        return missing(
            "engine",
            facts.why_not,
            "nothing can be computed",
            "pip install --force-reinstall makespan, or in the repository make build",
        )
    if facts.build_type == "Debug":
        return warning(
            "engine", facts.build, "a build for debugging: many times slower", "make build"
        )
    return ok("engine", facts.build, "it loads")


def probe_isas(facts: EngineFacts) -> Finding:
    """Which vectors the CPU and the engine have in common."""
    if facts.why_not is not None:
        return missing("instruction sets", "not known without engine", "nothing can be computed")
    found = f"{facts.isas[0]} is used; there are {', '.join(facts.isas)}"
    if facts.isas[0] == SLOW_ISA:
        return warning(
            "instruction sets",
            found,
            "this CPU has no AVX2, or the engine was built without: one number at a time",
            "build on this machine: pip install --no-binary makespan makespan",
        )
    return ok("instruction sets", found, "all give the same bits; --isa chooses another")


def probe_trial(facts: TrialFacts) -> Finding:
    """Whether a price is what it should be."""
    if facts.why_not is not None:
        return missing(
            "pricing",
            facts.why_not,
            "a book of one option cannot be priced",
            'pip install --force-reinstall "makespan[all]"',
        )
    if facts.price != TRIAL_PRICE:
        return warning(
            "pricing",
            f"{facts.price!r}, not {TRIAL_PRICE!r}",
            "results are not those of other machines: do not use them, and report this",
        )
    found = f"{facts.price!r} for one option and {TRIAL_PATHS} paths"
    return ok("pricing", found, "right to the last bit")


def prices_right(facts: TrialFacts) -> bool:
    """What doctor's exit code says."""
    return facts.price == TRIAL_PRICE
