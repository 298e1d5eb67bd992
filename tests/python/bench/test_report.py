# SPDX-License-Identifier: Apache-2.0
import io

import pytest
from rich.console import Console

from bench.ratio import Spread
from bench.report import half_range, print_outcome, rounded, short_target
from bench.result import Outcome, Row


@pytest.mark.parametrize(
    ("figure", "text"),
    [(None, "-"), (28430.2, "28,430"), (3.1, "3.10"), (0.0303, "0.0303"), (12.0, "12.0")],
)
def test_figures_have_three_digits_and_no_exponent(figure, text):
    assert rounded(figure) == text


def test_spread_is_half_the_distance_of_the_quartiles():
    assert half_range(Spread(2.0, 1.9, 2.1, 9)) == "±5.0 %"
    assert half_range(Spread(2.0, 2.0, 2.0, 1)) == ""


def test_target_shows_whether_it_is_a_ratio():
    assert short_target(Row("a", 1.0, "s", target="ratio >= 10000")) == "≥ 10000x"
    assert short_target(Row("a", 1.0, "s", target="value < 10")) == "< 10"
    assert short_target(Row("a", 1.0, "s")) == ""


def test_table_fits_80_columns_and_names_gaps_once():
    outcome = Outcome()
    ratio = Spread(28430.0, 27000.0, 30000.0, 9)
    outcome.add(Row("kernel10_vs_mkl_philox10", 1.67, "Gvalues/s", "x", 28430.0), ratio=ratio)
    outcome.add(Row("book_overhead_beyond_engine", 9.5, "us", target="value < 10"))
    outcome.leave_out(Row("one", None, "s"), "not built")
    outcome.leave_out(Row("two", None, "s"), "not built")
    text = io.StringIO()

    print_outcome(Console(file=text, width=80), "bench", outcome)

    lines = text.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert any("kernel10_vs_mkl_philox10" in line and "28,430" in line for line in lines)
    assert any("book_overhead_beyond_engine" in line and "yes" in line for line in lines)
    assert lines[-1] == "left out: one, two: not built"


def test_table_shows_errors_in_place_of_targets():
    outcome = Outcome()
    outcome.add(Row("n365_quantlib_turnbull_wakeman", 0.25, "ms", error=2e-2))
    outcome.add(Row("n365_mc", 33.0, "ms", error=5e-5, own_error=1e-4))
    text = io.StringIO()

    print_outcome(Console(file=text, width=80), "bench", outcome)

    printed = text.getvalue()
    assert "its own" in printed
    assert "target" not in printed
    assert "2.0e-02" in printed
    assert "1.0e-04" in printed
