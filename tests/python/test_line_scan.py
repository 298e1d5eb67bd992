# SPDX-License-Identifier: Apache-2.0
"""What a microscope sees: against scipy's Gaussian filter and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from makespan.grids.calcium.line_scan import (
    CONFOCAL,
    LineScan,
    PointSpread,
    ScanImage,
    middles,
    relative,
    scanned_box,
    scanned_line,
    spread_weights,
)
from scipy.ndimage import gaussian_filter1d
from scipy.stats import norm


def some_values(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).random(shape)


def test_the_microscope_is_the_published_one() -> None:
    """Walker et al. 2014: full widths at half maximum of 0.4 and 0.8 um."""
    widths = [2 * np.sqrt(2 * np.log(2) * variance) for variance in CONFOCAL]

    assert widths == pytest.approx([0.400, 0.400, 0.800], abs=5e-4)


@pytest.mark.parametrize("spacing", [0.011, 0.015, 0.05, 0.2])
def test_weights_are_the_normal_density(spacing: float) -> None:
    weights = np.array(spread_weights(0.0289, spacing))

    away = spacing * np.arange(len(weights))

    density = norm.pdf(away, scale=0.17)
    np.testing.assert_allclose(weights, density / density[0], rtol=1e-14)
    assert away[-1] <= 4 * 0.17 < away[-1] + spacing


def test_voxels_larger_than_the_blur_are_seen_as_they_are() -> None:
    values = some_values(3, 4, 5)

    assert scanned_line(values, 2.0, (2, 1)).tolist() == values[1, 2].tolist()


@settings(deadline=None)
@given(
    shape=st.tuples(st.integers(1, 40), st.integers(1, 25), st.integers(1, 25)),
    at=st.tuples(st.floats(0, 0.999), st.floats(0, 0.999)),
    spacing=st.sampled_from([0.03, 0.05, 0.11]),
)
def test_a_line_is_as_scipy_blurs_it(
    shape: tuple[int, int, int], at: tuple[float, float], spacing: float
) -> None:
    values = some_values(*shape)
    z, y = int(at[0] * shape[0]), int(at[1] * shape[1])

    line = scanned_line(values, spacing, (y, z))

    blurred, weight = values, np.ones(shape)
    for axis, variance in enumerate((CONFOCAL.z, CONFOCAL.y, CONFOCAL.x)):
        sigma = np.sqrt(variance) / spacing
        told = {"axis": axis, "mode": "constant", "radius": int(4 * sigma)}
        blurred = gaussian_filter1d(blurred, sigma, **told)
        weight = gaussian_filter1d(weight, sigma, **told)
    np.testing.assert_allclose(line, (blurred / weight)[z, y], rtol=1e-12)


@settings(deadline=None)
@given(
    points=st.tuples(st.integers(1, 9), st.integers(1, 50), st.integers(1, 80)),
    at=st.tuples(st.floats(0, 0.999), st.floats(0, 0.999)),
)
def test_the_box_around_a_line_gives_the_same_bits(
    points: tuple[int, int, int], at: tuple[float, float]
) -> None:
    values = some_values(*points[::-1])
    y, z = int(at[0] * points[1]), int(at[1] * points[2])

    begin, end = scanned_box(points, 0.05, (y, z))

    box = values[begin[2] : end[2], begin[1] : end[1], begin[0] : end[0]]
    near = scanned_line(box, 0.05, (y - begin[1], z - begin[2]))
    assert near.tobytes() == scanned_line(values, 0.05, (y, z)).tobytes()
    assert (begin[0], end[0]) == (0, points[0])


def test_a_gaussian_becomes_a_wider_one() -> None:
    """Variances add: a cloud of 0.04 um^2 through 0.0289 um^2."""
    spacing, voxels = 0.02, 201
    x = middles(voxels, spacing) - 2.01
    cloud = np.exp(-(x**2) / (2 * 0.04))

    line = scanned_line(cloud[None, None, :], spacing, (0, 0))

    variance = (line * x**2).sum() / line.sum()
    assert variance == pytest.approx(0.04 + 0.0289, rel=2e-3)  # the cut at 4 sigma takes 1e-3


def test_what_is_the_same_everywhere_stays_so_at_the_ends() -> None:
    assert scanned_line(np.full((9, 9, 9), 0.7), 0.1, (0, 8)) == pytest.approx(0.7, rel=1e-14)


def test_another_microscope_may_be_used() -> None:
    values = some_values(9, 9, 9)

    sharp = scanned_line(values, 0.1, (4, 4), PointSpread(1e-4, 1e-4, 1e-4))

    assert sharp.tolist() == values[4, 4].tolist()


def test_lines_are_collected_over_the_light_at_rest() -> None:
    scan = LineScan(middles(3, 0.5), rest=np.array([1.0, 2.0, 0.0]))
    line = np.array([2.0, 2.0, 0.0])
    scan.add(0.0, line)
    line[:] = 4.0
    scan.add(0.5, line)

    image = scan.image

    assert len(scan) == 2
    assert image.times.tolist() == [0.0, 0.5]
    assert image.positions.tolist() == [0.25, 0.75, 1.25]
    assert image.light.tolist() == [[2.0, 1.0, 1.0], [4.0, 2.0, 1.0]]


def test_a_scan_goes_on_after_an_earlier_one() -> None:
    positions = middles(2, 1.0)
    earlier = ScanImage(np.array([0.0, 1.0]), positions, np.array([[1.0, 1.0], [3.0, 2.0]]))
    scan = LineScan(positions, 2.0, earlier)

    scan.add(2.0, np.array([8.0, 6.0]))

    assert scan.image.times.tolist() == [0.0, 1.0, 2.0]
    assert scan.image.light.tolist() == [[1.0, 1.0], [3.0, 2.0], [4.0, 3.0]]
    assert earlier.light.shape == (2, 2)


def test_an_empty_scan_has_a_shape() -> None:
    image = LineScan(middles(4, 1.0), 1.0).image

    assert (image.times.shape, image.light.shape) == ((0,), (0, 4))


def test_lines_that_do_not_follow_are_mistakes() -> None:
    scan = LineScan(middles(2, 1.0), 1.0)
    scan.add(1.0, np.ones(2))

    with pytest.raises(ValueError, match=r"shape \(3,\), not \(2,\)"):
        scan.add(2.0, np.ones(3))
    with pytest.raises(ValueError, match=r"at 1\.0 ms after one at 1\.0 ms"):
        scan.add(1.0, np.ones(2))


def test_no_light_at_rest_counts_as_none_since() -> None:
    assert relative(np.array([1.0, 3.0]), np.array([0.0, 2.0])).tolist() == [1.0, 1.5]
