# SPDX-License-Identifier: Apache-2.0
"""Settings are checked against what the engine offers, and say what would be right."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import fake_core
import pytest
from makespan.base.errors import InputError, NotConfiguredError
from makespan.pricing.input import ENGINE_SETTINGS, Settings
from makespan.settings.algorithm import Algorithm, algorithm


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (
            {"method": "mcc"},
            "method='mcc' cannot be used (default \"auto\"): name 'mcc' is unknown",
        ),
        ({"isa": "sse"}, "isa='sse' cannot be used (default \"auto\"): name 'sse' is unknown"),
        ({"mode": "mo"}, "mode='mo' cannot be used"),
        ({"dispatcher": "boss"}, "name 'boss' is unknown (known: steal, counter)"),
        ({"precision": "half"}, '(default "auto"): give auto, single or double'),
        ({"policy": "gss"}, "name 'gss' is unknown (known: equal_time, self): use one of these"),
        ({"policy": "equal_time:alpha=1"}, "option of equal_time 'alpha' is unknown"),
        ({"policy": "equal_time:fraction=x"}, "is no number: give equal_time:fraction=1"),
        (
            {"policy": "equal_time:fraction=0.5,fraction=0.25"},
            "option fraction stands there twice: give it once",
        ),
        ({"policy": "self:x=1"}, "self has no options: give self alone"),
        ({"fixing_grid": "explicit"}, "give exclude_start or include_start"),
        ({"rounds": 8}, "rounds=8 cannot be used (default 10): give 10 or 7"),
        ({"paths": 1, "std_error": 1.0}, "give paths or std_error, not both"),
        ({"threads": 1, "devices": "cpu[cores=0,threads=2]"}, "threads (each of devices says"),
        ({"paths": 0}, "paths=0 cannot be used: give a whole number from 1 to 2^32"),
        ({"std_error": -1.0}, "std_error=-1.0 cannot be used: give a number above 0"),
        ({"std_error": float("nan")}, "std_error=nan cannot be used: give a finite number above 0"),
        (
            {"seed": -1},
            "seed=-1 cannot be used (default 0): give a whole number from 0 to 2^64 - 1",
        ),
        ({"seed": 1.5}, "give a whole number from 0 to 2^64 - 1"),
        ({"threads": 0}, "threads=0 cannot be used: give a whole number from 1 to 4096"),
        ({"replicates": 8}, "give a whole number from 16 to 4096"),
        ({"confidence": 1.0}, "give a number between 0 and 1"),
        ({"perturb": ["oops"]}, "give slow:DEVICE@ITEM:FACTOR"),
        ({"perturb": "slow:0@1:4"}, "give a list of them"),
        ({"timeout": math.inf}, "give a finite number above 0"),
    ],
)
def test_a_wrong_setting_says_what_would_be_right(wrong: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError) as caught:
        Settings(**wrong).check(fake_core)

    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("registry", "message"),
    [
        ("policies", "all has no options: give them behind a name, as all,equal_time:fraction=1"),
        ("balancers", "all has no options: give all alone"),
    ],
)
def test_all_have_no_options_together(registry: str, message: str) -> None:
    many = Algorithm(registry, many=True)

    assert many.problem("all:seed=3", fake_core) == message
    assert many.problem("all", fake_core) is None


def test_what_is_not_built_is_no_part_of_all() -> None:
    """As metis in a wheel; what is asked for by its name is refused as what an extra brings is."""
    entries = [
        {"name": "greedy", "summary": "the heaviest first", "options": [], "is_built": True},
        {"name": "metis", "summary": "a partitioner", "options": [], "is_built": False},
    ]
    engine = SimpleNamespace(balancers=lambda: entries)

    chosen = Algorithm("balancers", many=True).chosen("all", engine)  # type: ignore[arg-type]

    assert [one.name for one in chosen] == ["greedy"]
    for asked in ("metis", "greedy,metis"):
        with pytest.raises(NotConfiguredError, match="metis is not in this build of makespan"):
            Algorithm("balancers", many=True).chosen(asked, engine)  # type: ignore[arg-type]


def test_the_defaults_are_right() -> None:
    Settings().check(fake_core)


def test_policy_options_reach_the_engine() -> None:
    settings = Settings(policy="equal_time:fraction=0.125", threads=3)

    given = settings.for_engine(fake_core)

    assert (given["policy"], given["policy_options"]) == ("equal_time", {"fraction": 0.125})
    assert given["threads"] == 3
    chosen = algorithm("self", "policies", fake_core)
    assert (chosen.name, chosen.options) == ("self", {})


OTHERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "method": ("rqmc", {"method": "rqmc"}),
    "greeks": (True, {"greeks": True}),
    "devices": ("cpu cpu", {"devices": "cpu cpu"}),
    "threads": (3, {"threads": 3}),
    "isa": ("avx2", {"isa": "avx2"}),
    "policy": ("self", {"policy": "self"}),
    "mode": ("mt", {"mode": "mt"}),
    "dispatcher": ("counter", {"dispatcher": "counter"}),
    "timeout": (7, {"timeout": 7.0}),
    "perturb": (["fail:0@1", "slow:1@0:2"], {"perturb": "fail:0@1,slow:1@0:2"}),
    "precision": ("double", {"precision": "double"}),
    "rounds": (7, {"rounds": 7}),
    "replicates": (64, {"replicates": 64}),
    "confidence": (0.5, {"confidence": 0.5}),
}
"""A value that is not the default, and what the engine is given for it."""
IN_COLUMNS = {"std_error", "paths", "seed", "fixing_grid"}
OF_PYTHON = {"memory", "sensitivities"}


def test_every_setting_reaches_the_engine() -> None:
    usual = Settings().for_engine(fake_core)

    assert OTHERS.keys() | IN_COLUMNS | OF_PYTHON == {one.name for one in ENGINE_SETTINGS}
    for name, (value, changed) in OTHERS.items():
        given = Settings(**{name: value}).for_engine(fake_core)
        assert given == {**usual, **changed}, name
    assert Settings(timeline=True).for_engine(fake_core) == {**usual, "timeline": True}


def test_only_what_changes_bits_is_among_the_bits() -> None:
    scheduling = Settings(threads=2, isa="avx2", mode="mo", policy="self")

    assert scheduling.bits() == Settings().bits()
    assert Settings(precision="double").bits() != Settings().bits()
