# SPDX-License-Identifier: Apache-2.0
"""`makespan.diffuse` and `makespan.calcium`: grids from Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import makespan

POINTS = (14, 9, 12)  # z, y, x


def field() -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.random.default_rng(1).random(POINTS)


def stepped(values: np.ndarray[Any, Any], steps: int, factor: float) -> np.ndarray[Any, Any]:
    """The plain formula; nothing passes the faces."""
    for _ in range(steps):
        wide = np.pad(values, 1, mode="edge")
        core = (slice(1, -1),) * 3
        around = sum(np.roll(wide, shift, axis)[core] for axis in range(3) for shift in (-1, 1))
        values = values + factor * (around - 6 * values)
    return values


def test_a_field_is_diffused_as_the_formula_says() -> None:
    values = field()

    after = makespan.diffuse(values, steps=25, diffusion=0.5, time_step=0.4, spacing=2.0)

    assert after is not None
    np.testing.assert_allclose(after.values, stepped(values, 25, 0.05), rtol=1e-13)
    assert after.steps == 25
    assert after.table["step"].to_list() == [0, 25]
    assert after.table["mean"][0] == pytest.approx(values.mean())
    assert np.array_equal(values, field())  # it was not changed


def test_the_bits_are_the_same_however_it_is_run() -> None:
    settings: dict[str, Any] = {
        "steps": 12,
        "time_step": 0.1,
        "x_boundary": ("periodic", "periodic"),
        "z_boundary": [np.float64(0.5), "no-flux"],
    }
    whole = makespan.diffuse(field(), **settings)

    cut = makespan.diffuse(field(), **settings, threads=3, devices="cpu cpu cpu", steps_at_once=2)

    assert whole is not None
    assert cut is not None
    assert np.array_equal(whole.values, cut.values)
    assert whole.hash == cut.hash


def test_nothing_is_done_in_no_steps() -> None:
    none, one = makespan.diffuse(field(), steps=0), makespan.diffuse([[[2]]], steps=3)

    assert none is not None
    assert one is not None
    assert np.array_equal(none.values, field())
    assert one.values == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("values", "settings", "message"),
    [
        (np.zeros((2, 3)), {}, "values of shape (2, 3): give an array of (z, y, x)"),
        (np.zeros((0, 3, 3)), {}, "values of shape (0, 3, 3)"),
        (np.array([[[0.0, np.nan]]]), {}, "values[0, 0, 1] = nan: give finite numbers"),
        (field(), {"time_step": 1.0}, "stable up to 0.5"),
        (field(), {"tme_step": 1.0}, "diffuse: keyword 'tme_step' is unknown"),
        (field(), {"threads": 0}, "threads=0 cannot be used: give a whole number from 1 to 4096"),
        (field(), {"devices": 2, "threads": 1}, "devices = 2"),
        (field(), {"devices": 2}, "devices=2 cannot be used (default \"cpu\"): give cpu and cuda"),
        (field(), {"schedule": "late"}, "schedule='late' cannot be used"),
        (field(), {"steps": -1}, "steps=-1 cannot be used"),
        (field(), {"points": [12, 9, 14]}, "(the array of values says it): leave points out"),
        (field(), {"start": "mode"}, "start='mode' (the array of values says it)"),
        ([["a"]], {}, "values are no numbers"),
        ("none.toml", {}, "none.toml: cannot be read"),
    ],
)
def test_what_cannot_be_is_refused(values: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(makespan.InputError) as refused:
        makespan.diffuse(values, **{"steps": 1, **settings})

    assert message in str(refused.value)


def test_a_spark_comes_back_as_a_table(tmp_path: Path) -> None:
    lines = []
    settings: dict[str, Any] = {
        "points": [48, 44, 48],
        "jsr_length": 0.3,
        "jsr_width": 0.3,
        "ryr_per_side": 3,
        "ryr_open": [[4, 0.0, 0.02], [0, 0.01, 1.0]],
        "duration": 0.03,
        "table_ms": 0.0075,
        "scan_ms": 0.015,
    }

    result = makespan.calcium(**settings, threads=2, devices="cpu cpu", on_line=lines.append)

    assert result is not None
    assert result.fields == {}
    assert result.steps == 200
    assert result.table["step"].to_list() == [0, 50, 100, 150, 200]
    assert result.table["open_ryr"].to_list() == [1, 1, 2, 1, 1]
    assert result.table.to_dicts() == lines
    assert result.table["cleft_ca"][0] == pytest.approx(0.14)
    assert result.table["cleft_ca"][4] > 1
    assert result.table["sr_ca"][4] < 1300
    again = makespan.calcium(**settings, threads=1, output=tmp_path / "out", fields=True)
    assert again is not None
    assert again.hash == result.hash
    assert list(again.fields) == ["ca", "ca_atp", "ca_cmdn", "ca_trpn", "ca_fluo"]
    assert {one.shape for one in again.fields.values()} == {(48, 44, 48)}
    assert again.fields["ca"].max() > 1
    assert (tmp_path / "out" / "spark.png").is_file()


def test_channels_gate_by_chance_and_a_run_goes_on_with_them(tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "points": [48, 44, 48],
        "jsr_length": 0.3,
        "jsr_width": 0.3,
        "ryr_per_side": 3,
        "ryr_open": [[channel, 0.0, 0.015] for channel in range(9)],
        "gating_ms": 0.003,
        "seed": 7,
        "table_ms": 0.003,
        "scan_ms": 0.0,
        "checkpoint_ms": 0.03,
    }
    whole = makespan.calcium(**settings, duration=0.12)

    makespan.calcium(**settings, duration=0.06, checkpoint=tmp_path / "saved")
    source = tmp_path / "saved" / "step-400.vtkhdf"
    rest = makespan.calcium(**settings, duration=0.12, restart_from=source)

    assert whole is not None
    assert rest is not None
    assert rest.hash == whole.hash
    assert rest.table.equals(whole.table.filter(whole.table["step"] >= 400))
    assert whole.table["open_ryr"].n_unique() > 1  # some did open
    other = makespan.calcium(**{**settings, "seed": 3}, duration=0.12)
    assert other is not None
    assert other.hash != whole.hash
