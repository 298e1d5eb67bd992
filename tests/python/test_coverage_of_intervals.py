# SPDX-License-Identifier: Apache-2.0
"""95 % intervals contain the truth 93 to 97 times in 100: the short version of `make coverage`.

A thousand seeds, few paths: intervals are as honest with few paths as with many, or they are not
honest. The seeds are fixed, so the shares are the same in every run.
"""

from __future__ import annotations

from typing import Any

import pytest
from coverage_of_intervals import METHODS, RARE_CONTRACTS, shares_of

SEEDS = 1000
FIXED: dict[str, Any] = {"paths": 4096}
TARGETS: dict[str, dict[str, Any]] = {
    "mc": {"std_error": 0.01, "max_paths": 1 << 20},
    "rqmc": {"std_error": 0.01, "max_paths": 1 << 20},
    "mc_plain": {"std_error": 0.15, "max_paths": 1 << 20},
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("label", ["at_the_money", "average_strike"])
def test_intervals_of_fixed_paths_are_honest(label: str, method: str) -> None:
    shares = list(shares_of(label, method, "paths", SEEDS, FIXED))

    assert len(shares) >= 6
    assert [share for share in shares if not share.is_honest] == []


@pytest.mark.parametrize("method", METHODS)
def test_intervals_of_a_target_error_are_honest(method: str) -> None:
    """Stopping when the error looks small enough must not favour runs that look lucky."""
    shares = list(shares_of("seasoned", method, "std_error", SEEDS, TARGETS[method]))

    assert len(shares) == 7
    assert [share for share in shares if not share.is_honest] == []


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("label", RARE_CONTRACTS)
def test_intervals_allow_for_what_the_sample_has_not_seen(label: str, method: str) -> None:
    shares = list(shares_of(label, method, "paths", SEEDS, {"paths": 16_384}))

    assert len(shares) >= 6
    assert [share for share in shares if not share.is_honest] == []
