# SPDX-License-Identifier: Apache-2.0
import pytest

from bench.ratio import paired_ratio, spread


def test_spread_is_median_and_quartiles():
    width = spread([5.0, 1.0, 4.0, 2.0, 3.0])

    assert (width.lower_quartile, width.median, width.upper_quartile) == (2.0, 3.0, 4.0)
    assert width.count == 5


def test_spread_of_one_measurement_has_no_width():
    width = spread([7.0])

    assert width.lower_quartile == width.median == width.upper_quartile == 7.0


def test_spread_of_nothing_says_why():
    with pytest.raises(ValueError, match="no measurements"):
        spread([])


def test_paired_ratio_cancels_a_slow_minute_that_a_ratio_of_medians_keeps():
    # The machine runs at half speed in rounds 2 and 3; ours is twice as fast in every round.
    theirs = [10.0, 5.0, 5.0]
    ours = [20.0, 10.0, 10.0]

    ratio = paired_ratio(ours, theirs)

    assert (ratio.lower_quartile, ratio.median, ratio.upper_quartile) == (2.0, 2.0, 2.0)


def test_paired_ratio_differs_from_the_ratio_of_medians_where_the_drift_is_uneven():
    ours, theirs = [1.0, 8.0, 3.0], [1.0, 2.0, 4.0]

    ratio = paired_ratio(ours, theirs)

    assert ratio.median == 1.0  # of 1, 4 and 3/4; the medians alone would give 3/2


def test_paired_ratio_refuses_series_that_are_no_pairs():
    with pytest.raises(ValueError, match="2 and 1 rounds"):
        paired_ratio([1.0, 2.0], [1.0])
