# SPDX-License-Identifier: Apache-2.0
"""The true prices of the rivals' cases are the oracle's."""

from pathlib import Path

import pytest
from oracle.contract import Contract, equal_steps
from oracle.truth import true_price

from bench.case import Scale
from bench.rivals.__main__ import RIVALS
from bench.rivals.case import read_rivals
from bench.rivals.contract import EXPIRY_Y, RATE, SPOT, VOLATILITY, read_words, take_call

CASES = Path(__file__).resolve().parents[3] / "bench" / "cases" / "rivals"


@pytest.mark.parametrize("name", RIVALS)
def test_true_prices_are_the_oracles(name: str) -> None:
    rivals = read_rivals(CASES / f"{name}.toml", Scale.FULL)
    words = read_words(rivals.case.contestants[0].full_request.split())
    call = take_call(words)
    middle = len(call.strikes) // 2  # and the first: each takes the oracle a second

    for index in {0, middle}:
        contract = Contract(
            average_type=call.average,
            spot=SPOT,
            strike=call.strikes[index],
            rate=RATE,
            drift=RATE,
            volatility=VOLATILITY,
            expiry=EXPIRY_Y,
            times=equal_steps(EXPIRY_Y / call.fixings, EXPIRY_Y, call.fixings),
        )
        assert rivals.truths[index] == pytest.approx(true_price(contract).value, abs=2e-10)
    assert len(rivals.truths) == len(call.strikes)
