# SPDX-License-Identifier: Apache-2.0
"""makespan's prices and Greeks against published values and against the oracle's."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from agreement import Z_MAX, chance_of_spread, greek_excesses, price_excess
from book_rows import book_row, price_book
from oracle import Contract, true_greeks, true_price
from oracle.bounds import lower_bound
from oracle.cases import Case, new_cases
from oracle.reference import ReferenceGreeks, ReferencePrice, reference_greeks, reference_prices

PRICES = reference_prices()
GREEKS = reference_greeks()
CASES = [case for case in new_cases(60) if len(case.contract.times) <= 40]
LONG_CASES = new_cases(120)
LONG_GREEKS_CASES = [case for case in LONG_CASES if len(case.contract.times) <= 250]

METHODS = ("mc", "rqmc", "mc_plain")
ERROR_SHARE = 1e-4  # target standard error, as a share of spot
SEED = 20_261_120

# Plain Monte Carlo needs 1e8 paths for that; 2^17 keep its standard error honest and affordable.
PLAIN_PATHS = 1 << 17

# A row at the far end of the range must not take minutes; then its status says so.
CASE_PATHS_MAX = 1 << 22

Priced = dict[str, dict[str, Any]]


def priced(contracts: list[tuple[str, Contract]], method: str, paths_max: int = 1 << 28) -> Priced:
    """Price contracts with Greeks by one method."""
    rows = []
    for row_id, contract in contracts:
        if method == "mc_plain":
            extra: dict[str, Any] = {"paths": PLAIN_PATHS}
        else:
            extra = {"std_error": ERROR_SHARE * contract.spot, "max_paths": paths_max}
        rows.append(book_row(row_id, contract, **extra))
    return price_book(rows, method=method, greeks=True, seed=SEED)


@cache
def priced_references(method: str) -> Priced:
    contracts = [(row.id, row.contract) for row in PRICES]
    contracts += [(row.label, row.contract) for row in GREEKS]
    return priced(contracts, method)


@cache
def priced_cases(method: str) -> Priced:
    return priced([(case.id, case.contract) for case in CASES], method, CASE_PATHS_MAX)


@cache
def priced_long_cases(method: str) -> Priced:
    return priced([(case.id, case.contract) for case in LONG_CASES], method)


settled_price = cache(true_price)
settled_greeks = cache(true_greeks)


def is_settled(contract: Contract) -> bool:
    """Whether the row needs no simulation, whatever the method."""
    return contract.volatility == 0.0 or not contract.after_first_fixing().times


def check_price(row: dict[str, Any], contract: Contract, truth: float, error: float) -> None:
    assert price_excess(row, contract, truth, error) <= Z_MAX
    assert row["ci_low"] <= row["price"] <= row["ci_high"]
    if contract.averaging == "price" and is_settled(contract):
        assert row["status"] == "deterministic"
    if row["status"] == "deterministic":
        assert row["std_error"] == 0.0
    if contract.average_type == "arithmetic":
        bound = lower_bound(contract)
        assert row["price"] >= bound - Z_MAX * row["std_error"] - 1e-9 * contract.spot


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("reference", PRICES, ids=lambda row: row.id)
def test_price_agrees_with_the_reference(reference: ReferencePrice, method: str) -> None:
    row = priced_references(method)[reference.id]

    check_price(row, reference.contract, reference.exact, reference.exact_error)
    if method != "mc_plain":
        assert row["status"] in ("ok", "deterministic")
        assert row["std_error"] <= ERROR_SHARE * reference.contract.spot


@pytest.mark.parametrize("method", METHODS)
def test_standard_errors_are_of_the_right_size(method: str) -> None:
    """The rows are independent, so their scores spread as normal ones do, neither more nor less."""
    rows = priced_references(method)
    scores = [
        (rows[reference.id]["price"] - reference.exact) / rows[reference.id]["std_error"]
        for reference in PRICES
        if rows[reference.id]["std_error"] > 0.0
    ]

    assert len(scores) >= 40
    assert chance_of_spread(scores) > 1e-4


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("reference", GREEKS, ids=lambda row: row.label)
def test_greeks_agree_with_the_reference(reference: ReferenceGreeks, method: str) -> None:
    """Held against the table itself, and against the oracle, whose gamma has no bump's error."""
    row = priced_references(method)[reference.label]
    contract = reference.contract

    truth = true_greeks(contract)

    check_price(row, contract, reference.price, 1e-8)
    assert max(greek_excesses(row, contract, truth).values()) <= Z_MAX
    for name, value in reference.greeks.items():
        table_error = abs(value - getattr(truth, name))
        assert abs(row[name] - value) <= Z_MAX * row[f"{name}_std_error"] + table_error, name


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_new_case_agrees_with_the_oracle(case: Case, method: str) -> None:
    row = priced_cases(method)[case.id]

    check_case(row, case)
    check_greeks(row, case)


def check_case(row: dict[str, Any], case: Case) -> None:
    truth = settled_price(case.contract)
    check_price(row, case.contract, truth.value, truth.error)
    assert (row["measure"] == "user_drift") == case.contract.drift_given


def check_greeks(row: dict[str, Any], case: Case) -> None:
    excesses = greek_excesses(row, case.contract, settled_greeks(case.contract))
    assert max(excesses.values()) <= Z_MAX, excesses


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", LONG_CASES, ids=lambda case: case.id)
def test_long_case_agrees_with_the_oracle(case: Case, method: str) -> None:
    check_case(priced_long_cases(method)[case.id], case)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", LONG_GREEKS_CASES, ids=lambda case: case.id)
def test_greeks_of_long_case_agree_with_the_oracle(case: Case, method: str) -> None:
    check_greeks(priced_long_cases(method)[case.id], case)
