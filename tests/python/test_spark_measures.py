# SPDX-License-Identifier: Apache-2.0
"""Measures of sparks: against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from makespan.grids.calcium.line_scan import ScanImage
from makespan.grids.calcium.spark_measures import SparkMeasures, half_span, measured
from sparks import PEAK_MS, RISE, calm, exact_duration, exact_width, spark


def test_a_spark_has_its_measures() -> None:
    """Straight lines between values 0.02 um and 0.25 ms apart are off by less than is allowed."""
    image = spark()

    found = measured(image, release=2.0)

    assert found.peak is not None
    assert found.peak.light == 1 + RISE
    assert (found.peak.time, found.peak.position) == (PEAK_MS, image.positions[100])
    assert found.time_to_peak == PEAK_MS - 2.0
    assert found.width is not None
    assert found.width.length == pytest.approx(exact_width(), rel=1e-3)
    assert found.width.half == 1 + RISE / 2
    assert found.duration is not None
    assert found.duration.length == pytest.approx(exact_duration(), rel=1e-3)
    assert found.duration.begin == pytest.approx(PEAK_MS / 2, rel=1e-12)


@given(sigma=st.floats(0.1, 0.5), middle=st.floats(1.9, 2.1))
def test_the_width_is_that_of_a_gaussian(sigma: float, middle: float) -> None:
    """A straight line instead of the curve is off by h^2/8 of its second derivative at most.

    At half of the peak that derivative is 0.386/sigma^2, and the slope 1.177/(2 sigma).
    """
    step = 0.01
    places = np.arange(0, 4, step)
    light = 1 + 3 * np.exp(-((places - middle) ** 2) / (2 * sigma**2))

    span = half_span(places, light, int(light.argmax()))

    assert span is not None
    # Where the peak lies between two values, its half is too low by up to (h/2)^2/(4 sigma^2).
    off = 2 * (step**2 / 8 * 0.386 / sigma**2 + (step / 2) ** 2 / (4 * sigma**2)) / (0.5 / sigma)
    assert span.length == pytest.approx(2 * sigma * np.sqrt(2 * np.log(2)), abs=1.5 * off)


def test_a_triangle_is_measured_exactly() -> None:
    places = np.array([0.0, 1.0, 3.0, 7.0])

    span = half_span(places, np.array([1.0, 1.0, 5.0, 1.0]), 2)

    assert span is not None
    assert (span.begin, span.end, span.half, span.length) == (2.0, 5.0, 3.0, 3.0)


def test_the_nearest_crossing_counts() -> None:
    light = np.array([4.0, 1.0, 5.0, 1.0, 4.0])

    span = half_span(np.arange(5.0), light, 2)

    assert span is not None
    assert (span.begin, span.end) == (1.5, 2.5)


def test_there_may_be_no_spark() -> None:
    assert measured(calm()) == SparkMeasures(None, None, None, None)


def test_there_may_be_no_line() -> None:
    empty = ScanImage(np.empty(0), np.arange(3.0), np.empty((0, 3)))

    assert measured(empty).peak is None


def test_a_spark_that_has_not_faded_has_no_duration() -> None:
    whole = spark()
    begun = ScanImage(whole.times[:44], whole.positions, whole.light[:44])

    found = measured(begun)

    assert found.duration is None
    assert found.width is not None
    assert found.time_to_peak == PEAK_MS


def test_a_spark_at_the_end_of_the_line_has_no_width() -> None:
    whole = spark()
    cut = ScanImage(whole.times, whole.positions[95:], whole.light[:, 95:])

    found = measured(cut)

    assert found.width is None
    assert found.duration is not None
