# SPDX-License-Identifier: Apache-2.0
"""Settings are checked against what the engine offers, and say what would be right."""

from __future__ import annotations

from typing import Any

import fake_core
import pytest
from makespan.base.errors import InputError
from makespan.pricing.input import Settings, policy_options


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"method": "mcc"}, "method must be one of mc, mc_plain, rqmc; got 'mcc'"),
        ({"isa": "sse"}, "isa must be one of auto, avx2, one_lane; got 'sse'"),
        ({"mode": "mo"}, "mode must be one of auto, mt; got 'mo'"),
        (
            {"dispatcher": "boss"},
            "dispatcher must be one of steal, counter; got 'boss'",
        ),
        ({"precision": "half"}, "precision must be one of auto, single, double; got 'half'"),
        ({"policy": "gss"}, "policy must be one of equal_time, self; got 'gss'"),
        (
            {"policy": "equal_time:alpha=1"},
            "option of policy equal_time must be one of fraction; got 'alpha'",
        ),
        (
            {"policy": "equal_time:fraction=x"},
            "policy option fraction must be a number, got 'x'; write equal_time:fraction=1",
        ),
        (
            {"fixing_grid": "explicit"},
            "fixing_grid must be one of exclude_start, include_start; got 'explicit'",
        ),
        ({"rounds": 8}, "rounds must be 10 or 7, got 8"),
        ({"paths": 1, "std_error": 1.0}, "give paths or std_error, not both"),
        ({"paths": 0}, "paths must be a whole number from 1 to 4294967296, got 0"),
        ({"std_error": -1.0}, "std_error must be > 0 and finite, got -1.0"),
        ({"std_error": float("nan")}, "std_error must be > 0 and finite, got nan"),
        ({"seed": -1}, "seed must be a whole number from 0 to 18446744073709551615, got -1"),
        ({"seed": 1.5}, "seed must be a whole number from 0 to 18446744073709551615, got 1.5"),
        ({"threads": 0}, "threads must be a whole number from 1 to 4096, got 0"),
        ({"replicates": 8}, "replicates must be a whole number from 16 to 4096, got 8"),
        ({"confidence": 1.0}, "confidence must lie between 0 and 1, got 1.0"),
    ],
)
def test_a_wrong_setting_says_what_would_be_right(wrong: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError) as caught:
        Settings(**wrong).check(fake_core)

    assert str(caught.value) == text


def test_the_defaults_are_right() -> None:
    Settings().check(fake_core)


def test_policy_options_reach_the_engine() -> None:
    settings = Settings(policy="equal_time:fraction=0.125", threads=3)

    given = settings.for_engine(fake_core)

    assert (given["policy"], given["policy_options"]) == ("equal_time", {"fraction": 0.125})
    assert given["threads"] == 3
    assert policy_options("self", fake_core) == ("self", {})


def test_only_what_changes_bits_is_among_the_bits() -> None:
    scheduling = Settings(threads=2, isa="avx2", mode="mo", policy="self")

    assert scheduling.bits() == Settings().bits()
    assert Settings(precision="double").bits() != Settings().bits()
