# SPDX-License-Identifier: Apache-2.0
"""What a user reads about a bad book, word for word."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from makespan.base.errors import PROBLEMS_SHOWN_MAX, BookError
from makespan.base.setting_names import by_flags
from makespan.pricing.book.correlation import matrix_of
from small_books import checked, messages, plain_book, plain_row, row_messages

GRID_MISSING = (
    "fixing_grid missing: 'include_start' averages S(0) too (t_i=T*i/(N-1)); 'exclude_start' does "
    "not (t_i=T*i/N). These differ by 8 % for N=12"
)

ROW_CASES: list[tuple[dict[str, Any], list[str]]] = [
    ({"option_type": "buy"}, ["option_type must be 'call' or 'put', got 'buy'"]),
    ({"option_type": None}, ["option_type is missing"]),
    ({"average_type": "mean"}, ["average_type must be 'arithmetic' or 'geometric', got 'mean'"]),
    ({"averaging": "spot"}, ["averaging must be 'price' or 'strike', got 'spot'"]),
    (
        {"averaging": "strike"},
        ["strike is not used for averaging='strike'; use strike_multiplier"],
    ),
    (
        {"strike_multiplier": 1.1},
        ["strike_multiplier is not used for averaging='price'; leave it empty"],
    ),
    ({"strike": None}, ["strike is missing"]),
    ({"spot": 0.0}, ["spot must be > 0, got 0.0"]),
    ({"spot": "abc"}, ["spot must be a number, got 'abc'"]),
    ({"spot": float("inf")}, ["spot must be a finite number, got inf"]),
    ({"spot": float("nan")}, ["spot must be a finite number, got nan"]),
    ({"strike": -1.5}, ["strike must be >= 0, got -1.5"]),
    ({"volatility": -0.2}, ["volatility must be >= 0, got -0.2"]),
    ({"rate": None}, ["rate is missing"]),
    (
        {"rate": 0.08, "dividend_yield": 0.03, "drift": 0.12},
        ["drift (0.12) contradicts rate - dividend_yield (0.05); give one"],
    ),
    ({"last_fixing": 1.25}, ["last_fixing 1.25 is after expiry 1.0"]),
    (
        {"first_fixing": 0.5, "last_fixing": 0.25},
        ["first_fixing 0.5 is after last_fixing 0.25"],
    ),
    (
        {"first_fixing": 0.5, "fixings": 1},
        ["fixings is 1, but first_fixing 0.5 is not last_fixing 1.0; make them equal"],
    ),
    (
        {"first_fixing": 1.0},
        ["12 fixings, but first and last are both at 1.0"],
    ),
    ({"first_fixing": -0.1}, ["first_fixing must be >= 0, got -0.1"]),
    (
        {"first_fixing": 0.0},
        ["fixing_grid='exclude_start' contradicts first_fixing 0.0; use 'include_start'"],
    ),
    (
        {"first_fixing": 0.25, "fixing_grid": "include_start"},
        ["fixing_grid='include_start' contradicts first_fixing 0.25; leave one empty"],
    ),
    (
        {"fixings": 1, "fixing_grid": "include_start"},
        ["fixing_grid='include_start' needs fixings >= 2, got 1"],
    ),
    (
        {"fixings": None},
        ["fixings is missing; give fixings or fixing_times (fixings 0: every fixing is past)"],
    ),
    ({"fixings": 0}, ["fixings must be 1..1 000 000, got 0 (0 only when past_fixings_count > 0)"]),
    ({"fixings": 1_000_001}, ["fixings must be 1..1 000 000, got 1000001"]),
    ({"fixings": -3}, ["fixings must be 1..1 000 000, got -3"]),
    ({"fixings": 12.5}, ["fixings must be a whole number, got 12.5"]),
    ({"fixings": "twelve"}, ["fixings must be a whole number, got 'twelve'"]),
    ({"fixing_grid": "both"}, [
        "fixing_grid must be 'exclude_start', 'include_start' or 'explicit', got 'both'"
    ]),
    ({"fixing_grid": "explicit", "fixings": None}, ["fixing_grid='explicit' needs fixing_times"]),
    (
        {"expiry": 0.0},
        ["expiry must be > 0, got 0.0 (0 is allowed when every fixing is past)"],
    ),
    ({"expiry": -1.0}, ["expiry must be >= 0, got -1.0"]),
    (
        {"expiry": 0.0, "fixings": 1},
        [
            "expiry must be > 0, got 0.0 (0 is allowed when every fixing is past, or the only one "
            "left is now: fixing_times 0)"
        ],
    ),
    (
        {"expiry": 0.0, "fixings": None, "fixing_grid": None, "fixing_times": [0.0, 0.1]},
        [
            "expiry must be > 0, got 0.0 (0 is allowed when every fixing is past)",
            "fixing time 0.1 is after expiry 0.0",
        ],
    ),
    ({"past_fixings_count": 2}, ["average_type='arithmetic' needs past_fixings_sum"]),
    (
        {"past_fixings_count": 2, "average_type": "geometric"},
        ["average_type='geometric' needs past_fixings_log_sum"],
    ),
    (
        {"past_fixings_count": 2, "past_fixings_sum": 0.0},
        ["past_fixings_sum must be > 0 where past_fixings_count is, got 0.0"],
    ),
    (
        {"past_fixings_count": 2, "past_fixings_sum": -1.0},
        ["past_fixings_sum must be >= 0, got -1.0"],
    ),
    (
        {"past_fixings_count": 2, "past_fixings_sum": 200.0, "past_fixings_log_sum": 9.0},
        ["past_fixings_log_sum is used only for average_type='geometric'; leave it empty"],
    ),
    (
        {"past_fixings_sum": 200.0},
        ["past_fixings_sum is given but past_fixings_count is 0; give both or none"],
    ),
    ({"past_fixings_count": -1}, ["past_fixings_count must be 0..1 000 000 000, got -1"]),
    ({"paths": 64, "std_error": 0.01}, ["give paths or std_error, not both"]),
    ({"paths": 0}, ["paths must be 1..4 294 967 296, got 0"]),
    ({"std_error": 0.0}, ["std_error must be > 0, got 0.0"]),
    ({"max_paths": -1}, ["max_paths must be 1..4 294 967 296, got -1"]),
    ({"seed": -1}, ["seed must be a whole number from 0 to 2^64-1, got -1"]),
    (
        {"volatility": 1e-320},
        ["volatility 1e-320 is too small to compute with; the least is 1e-09"],
    ),
    ({"spot": 1e300}, ["spot 1e+300 is too large to compute with; the most is 1e+100"]),
    (
        {"drift": -1e243},
        [
            "drift -1e+243 is too large to compute with; the most is 1e+100",
            "drift x expiry is -1e+243, too large to compute with; the most is 300.0",
        ],
    ),
    ({"rate": 301.0}, ["rate x expiry is 301.0, too large to compute with; the most is 300.0"]),
    (
        {"volatility": 1001.0},
        ["volatility x sqrt(expiry) is 1001.0, too large to compute with; the most is 34.0"],
    ),
    ({"first_fixing": 1e-12}, [
        "first_fixing 1e-12 is too small to compute with; the least is 1e-09"
    ]),
    (
        {"average_type": "geometric", "past_fixings_count": 2, "past_fixings_log_sum": 1e4},
        ["past_fixings_log_sum / past_fixings_count is 5000.0; the most is 300.0"],
    ),
    ({"notional": "1,000"}, ["notional must be a number, got '1,000'"]),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "expected"), ROW_CASES, ids=lambda case: str(case)[:60])
def test_a_bad_row_is_named_with_its_id_and_what_would_be_right(
    changes: dict[str, Any], expected: list[str]
) -> None:
    assert row_messages(**changes) == [f"row 1 (A1): {text}" for text in expected]


TIMES_CASES: list[tuple[list[float], str]] = [
    ([0.25, 0.5, 0.5], "duplicate fixing time 0.5"),
    ([0.5, 0.25], "fixing_times must increase: 0.25 comes after 0.5"),
    (
        [-0.5, 0.25],
        "fixing time -0.5 is before 0; known fixings go into past_fixings_count and sum",
    ),
    ([0.5, 1.25], "fixing time 1.25 is after expiry 1.0"),
    ([1e-12, 0.5], "fixing time 1e-12 is too small to compute with; the least is 1e-09"),
    ([0.5, float("nan")], "fixing_times must be finite numbers, got nan"),
]


@pytest.mark.parametrize(("times", "expected"), TIMES_CASES)
def test_bad_fixing_times_are_named(times: list[float], expected: str) -> None:
    found = row_messages(fixings=None, fixing_grid="explicit", fixing_times=times)

    assert found == [f"row 1 (A1): {expected}"]


def test_times_beside_a_grid_contradict_it() -> None:
    found = row_messages(fixing_times=[0.5, 1.0], first_fixing=0.5)

    assert found == [
        "row 1 (A1): fixings cannot stand beside fixing_times; leave it empty",
        "row 1 (A1): fixing_grid must be 'explicit' or empty beside fixing_times",
        "row 1 (A1): first_fixing cannot stand beside fixing_times; leave it empty",
    ]


def test_equal_ids_name_the_earlier_row() -> None:
    rows = [plain_row(id=f"A{i}") for i in range(17)]
    rows[2]["id"] = rows[16]["id"] = "A12"
    rows[12]["id"] = "other"

    assert messages(pl.DataFrame(rows)) == ["row 17: id 'A12' already used in row 3"]


def test_a_row_without_id_is_named_by_its_number() -> None:
    table = plain_book(3).drop("id").with_columns(spot=pl.Series([1.0, 2.0, -3.0]))

    assert messages(table) == ["row 3: spot must be > 0, got -3.0"]


def test_every_problem_of_every_row_is_reported_at_once() -> None:
    rows = [
        plain_row(id="A", spot=-1.0, volatility=-0.1),
        plain_row(id="B"),
        plain_row(id="C", option_type="x", fixings=0),
    ]

    assert messages(pl.DataFrame(rows).with_columns(volatilty=1)) == [
        "unknown column 'volatilty' (did you mean 'volatility'?)",
        "row 1 (A): spot must be > 0, got -1.0",
        "row 1 (A): volatility must be >= 0, got -0.1",
        "row 3 (C): option_type must be 'call' or 'put', got 'x'",
        "row 3 (C): fixings must be 1..1 000 000, got 0 (0 only when past_fixings_count > 0)",
    ]


@pytest.mark.parametrize(
    ("given", "nearest"),
    [
        ("vol", "volatility"),
        ("Spot", "spot"),
        ("striek", "strike"),
        ("fixing", "fixings"),
        ("optiontype", "option_type"),
        ("div_yield", "dividend_yield"),
        ("maturity", "expiry"),
        ("kappa", "heston_kappa"),
        ("v0", "heston_v0"),
        ("type", "option_type"),
        ("surface", "volatility_surface"),
        ("vols", "volatility"),
    ],
)
def test_an_unknown_column_names_its_nearest_neighbour(given: str, nearest: str) -> None:
    table = plain_book(1).with_columns(pl.lit(1.0).alias(given))

    assert messages(table) == [f"unknown column '{given}' (did you mean '{nearest}'?)"]


@pytest.mark.parametrize("given", ["foo", "1", "xyz"])
def test_a_column_like_none_has_no_neighbour(given: str) -> None:
    table = plain_book(1).with_columns(pl.lit(1.0).alias(given))

    text = f"unknown column '{given}' (no column has a name like it)"
    assert messages(table) == [text]


def test_an_alias_beside_its_column_is_refused() -> None:
    table = plain_book(1).with_columns(S=pl.lit(1.0))

    assert messages(table) == ["columns 'spot' and 'S' are both spot; keep one"]


def test_a_missing_grid_is_never_guessed() -> None:
    one_missing = pl.DataFrame([plain_row(), plain_row(id="A2", fixing_grid=None)])

    assert messages(one_missing) == [f"row 2 (A2): {GRID_MISSING}"]
    assert messages(plain_book(2).drop("fixing_grid")) == [
        f"{GRID_MISSING}; add the column or give fixing_grid"
    ]
    assert messages(one_missing, fixing_grid="include_start") == []


@pytest.mark.parametrize("name", ["option_type", "spot", "rate", "volatility", "expiry"])
def test_a_missing_column_is_one_message(name: str) -> None:
    assert messages(plain_book(3).drop(name)) == [
        f"column '{name}' is missing; every option needs one"
    ]


def test_a_column_of_a_useless_type_is_one_message() -> None:
    table = plain_book(2).with_columns(
        expiry=pl.date(2026, 1, 31), spot=pl.lit(value=True), volatility=pl.lit([0.2, 0.3])
    )

    assert messages(table) == [
        "column 'spot' must hold numbers, got Boolean",
        "column 'volatility' must hold numbers, got List(Float64)",
        "column 'expiry' must hold numbers, got Date; "
        "makespan.year_fraction turns dates into years",
    ]


def test_an_unreadable_cell_causes_no_second_message() -> None:
    assert row_messages(averaging="strik", strike=None) == [
        "row 1 (A1): averaging must be 'price' or 'strike', got 'strik'"
    ]
    assert row_messages(expiry="soon", last_fixing=0.5) == [
        "row 1 (A1): expiry must be a number, got 'soon'"
    ]


def test_the_heading_counts_and_relates_rows_to_lines(tmp_path: Any) -> None:
    path = tmp_path / "book.csv"
    plain_book(2).with_columns(spot=pl.lit(-1.0)).write_csv(path)

    with pytest.raises(BookError) as caught:
        checked(path)

    first, *rest = str(caught.value).splitlines()
    assert first == "book.csv: 2 errors (row 1 is line 2 of the file)"
    assert rest == [f"  row {i} (A{i}): spot must be > 0, got -1.0" for i in (1, 2)]


def test_a_line_is_named_where_it_is_not_the_row_plus_one(tmp_path: Any) -> None:
    path = tmp_path / "book.csv"
    head, good, bad = plain_book(2).with_columns(spot=pl.Series([1.0, -1.0])).write_csv().split()
    path.write_text(f"{head}\n{good}\n\n\n{bad}\n")

    assert messages(path) == ["row 2 (A2), line 5: spot must be > 0, got -1.0"]


def test_a_flood_of_problems_ends_but_is_kept() -> None:
    rows = PROBLEMS_SHOWN_MAX + 5
    table = plain_book(rows).with_columns(spot=pl.lit(-1.0))

    with pytest.raises(BookError) as caught:
        checked(table)

    assert len(caught.value.problems) == rows
    assert str(caught.value).splitlines()[-1].startswith("  ... and 5 more;")


def test_a_message_stays_on_one_line_whatever_the_cell_holds() -> None:
    found = row_messages(id="a\nb\x1b[31m", option_type="x" * 500 + "\n")

    assert len(found) == 1
    assert found[0].isprintable()
    assert len(found[0]) < 200


def test_a_command_is_told_of_its_flags() -> None:
    with by_flags():
        assert messages(plain_book(2).drop("fixing_grid")) == [
            f"{GRID_MISSING}; add the column or give --fixing-grid"
        ]
        assert row_messages(rate=None, rate_curve="usd") == [
            "row 1 (A1): rate_curve names 'usd', but no curves were given; give them with --curves"
        ]
        assert matrix_of(["a", "b"], None)[1].endswith("give them with --correlations")


def test_skip_invalid_keeps_the_good_rows_and_explains_the_bad() -> None:
    rows = [plain_row(id="A", spot=-1.0, fixings=0), plain_row(id="B"), plain_row(id="B")]

    book = checked(pl.DataFrame(rows), skip_invalid=True)

    assert book.valid_ids.to_list() == ["B"]
    assert book.columns["spot"].tolist() == [100.0]
    assert book.errors == {
        0: "spot must be > 0, got -1.0; "
        "fixings must be 1..1 000 000, got 0 (0 only when past_fixings_count > 0)",
        2: "id 'B' already used in row 2",
    }


def test_skip_invalid_does_not_hide_a_problem_of_the_whole_book() -> None:
    with pytest.raises(BookError, match="unknown column 'vol'"):
        checked(plain_book(2).with_columns(vol=0.2), skip_invalid=True)


def test_an_empty_time_is_told_wherever_it_stands() -> None:
    for text in ("0.5;1;", "0.5;1;;;", "0.5;;1", ";0.5;1"):
        table = plain_book(1).drop("fixings", "fixing_grid").with_columns(fixing_times=pl.lit(text))
        told = "row 1 (A1): fixing_times must be finite numbers, got ''"
        assert set(messages(table)) == {told}, text


def test_a_row_without_times_is_told_how_many_fixings_it_has() -> None:
    """Not that a column is missing: this one has all of its fixings in the past."""
    table = plain_book(1).drop("fixings", "fixing_grid")
    times = pl.Series([None], dtype=pl.String)
    past = table.with_columns(past_fixings_count=6, past_fixings_sum=600.0, fixing_times=times)

    assert messages(past) == [
        "row 1 (A1): fixings is missing; give fixings or fixing_times (fixings 0: every fixing is "
        "past)"
    ]
