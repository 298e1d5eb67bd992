# SPDX-License-Identifier: Apache-2.0
"""Goal: a spark goes on from arrays of fields. Method: where nothing depends on time, a run from
what another one ended with has the bits of one that did not stop; and one thing wrong at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from makespan.base.errors import InputError

import makespan

STEP_MS = 1.5e-4
PLAIN: dict[str, Any] = {"layout": "plain", "ryr_open": [], "scan_ms": 0, "threads": 1}


def spark(values: Any = None, steps: int = 4, **settings: Any) -> Any:
    told = {"duration": steps * STEP_MS, **PLAIN, **settings}
    return makespan.calcium(values, fields=True, **told)


def peak() -> np.ndarray[Any, Any]:
    """Calcium [uM] in the middle of a box."""
    values = np.full((6, 8, 10), 0.1)
    values[3, 4, 5] = 20.0
    return values


def test_a_spark_goes_on_from_fields() -> None:
    half = spark({"ca": peak()})
    whole = spark({"ca": peak()}, 8)

    again = spark(half.fields)

    assert again.hash == whole.hash
    assert half.record["first_values_hash"] == spark({"ca": peak()}, 0).hash
    assert half.record["input"]["points"] == [10, 8, 6]
    assert again.record["first_values_hash"] == half.hash


def test_a_release_unit_takes_all_of_its_fields() -> None:
    """Regions, too: what is kept, what pumps and what binds goes on."""
    small: dict[str, Any] = {
        **{"layout": "release-unit", "jsr_length": 0.3, "jsr_width": 0.3, "ryr_per_side": 3},
        **{"ryr_open": [[4, 0.0, 1.0]], "serca": True, "membrane_pump": True, "exchanger": True},
    }
    half = spark(None, 4, points=[48, 44, 48], **small)

    again = spark(half.fields, **small)

    assert again.hash == spark(None, 8, points=[48, 44, 48], **small).hash


GATED: dict[str, Any] = {
    **{"layout": "release-unit", "points": [26, 24, 26], "spacing": 0.03, "time_step": 4e-4},
    **{"cleft_height": 0.03, "jsr_length": 0.3, "jsr_width": 0.3, "jsr_thickness": 0.06},
    **{"ryr_per_side": 3, "gating_ms": 0.008, "table_ms": 4e-4, "ryr_open": [[4, 0.0024, 1.0]]},
}
"""Channels may change every 20 steps, and one is to open at the sixth."""


def test_a_channel_that_opens_after_a_checkpoint_opens_when_it_would_have(tmp_path: Path) -> None:
    """By a draw, whether the run was begun here or goes on from a checkpoint."""
    saved = tmp_path / "step-2.vtkhdf"

    def gated(steps: int, **settings: Any) -> Any:
        return spark(None, **GATED | settings, duration=steps * 4e-4)

    gated(2, checkpoint=tmp_path)
    for steps in (15, 30):
        whole, rest = gated(steps), gated(steps, restart_from=saved)
        assert rest.hash == whole.hash
    assert whole.table["open_ryr"].to_list() == [0] * 20 + [1] * 11


def test_channels_are_held_open_from_step_to_step_as_the_engine_counts_them() -> None:
    """Ten steps of 3e-4 ms are 0.0029999999999999996 ms, and the opening is at 0.003."""
    assert 10 * 3e-4 < 0.003
    uneven = GATED | {"time_step": 3e-4, "gating_ms": 0.003, "ryr_open": [[4, 0.003, 1.0]]}

    whole = spark(None, **uneven, duration=12 * 3e-4)

    assert whole.table["open_ryr"].to_list() == [0] * 10 + [1] * 3


def test_an_opening_between_two_draws_is_refused() -> None:
    with pytest.raises(InputError, match=r"ryr_open: RyR 4 is open from 0\.0024 to 0\.006 ms \(ch"):
        spark(None, **GATED | {"ryr_open": [[4, 0.0, 1.0], [4, 0.0024, 0.006]]})


def test_times_of_a_gated_channel_may_overlap_and_others_may_not() -> None:
    def held(*rows: list[float], **settings: Any) -> Any:
        return spark(None, **GATED | {"ryr_open": list(rows), "duration": 25 * 4e-4} | settings)

    assert held([4, 0, 1], [4, 0.5, 2]).hash == held([4, 0, 2]).hash
    with pytest.raises(InputError, match=r"RyR 4 opens at 0\.5 ms \(it is open then, from 0"):
        held([4, 0, 1], [4, 0.5, 2], gating_ms=0)
    assert held([4, 0, 1], [4, 0.5, 0.5], gating_ms=0).hash == held([4, 0, 1], gating_ms=0).hash


def test_fields_that_are_not_named_begin_at_rest() -> None:
    rest = spark(points=[10, 8, 6], steps=0).fields
    found = spark({"ca": peak()}, 0).fields

    assert np.array_equal(found["ca"], peak())
    for name in set(rest) - {"ca"}:
        assert np.array_equal(found[name], rest[name])


def test_rest_given_as_arrays_is_rest() -> None:
    rest = spark(points=[10, 8, 6], steps=0)

    assert rest.record["first_values_hash"] is None
    assert spark(rest.fields, 3).hash == spark(points=[10, 8, 6], steps=3).hash


@pytest.mark.parametrize(
    ("values", "settings", "says"),
    [
        ({"calcium": peak()}, {}, "values: field 'calcium' is unknown (known: ca, ca_at"),
        ({"ca": peak()[0]}, {}, "values['ca'] of shape (8, 10): give an array of (z, y,"),
        (
            {"ca": peak(), "ca_fluo": peak()[1:]},
            {},
            "values['ca_fluo'] of shape (5, 8, 10) (those of",
        ),
        ({"ca": -peak()}, {}, "values['ca'][3, 4, 5] = -20.0: give concentrations of 0"),
        ({"ca": peak() * np.nan}, {}, "values['ca'][0, 0, 0] = nan: give finite numbers"),
        ({"ca": [[["a"]]]}, {}, "values['ca'] are no numbers"),
        ({}, {}, "values is a dict of no fields"),
        ({"ca": peak()}, {"points": [10, 8, 6]}, "points=[10, 8, 6] (the array of values say"),
        (peak(), {}, "give the path of an input file, or a dict of fields and arrays"),
    ],
)
def test_what_are_no_values_is_refused_by_one_message(
    values: Mapping[str, Any], settings: dict[str, Any], says: str
) -> None:
    with pytest.raises(InputError) as refused:
        spark(values, **settings)

    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_run_that_goes_on_elsewhere_and_ends_before_a_line_has_no_pictures(
    tmp_path: Path,
) -> None:
    """The lines of the run before it are in another folder."""
    scanned: dict[str, Any] = {"scan_ms": 10 * STEP_MS, "points": [12, 10, 8]}
    spark(None, 4, output=tmp_path / "a", checkpoint=tmp_path / "saved", **scanned)
    saved = tmp_path / "saved" / "step-4.vtkhdf"

    rest = spark(
        None,
        6,
        output=tmp_path / "b",
        restart_from=saved,
        record=tmp_path / "record.json",
        **scanned,
    )

    assert rest.hash == spark(None, 6, **scanned).hash
    assert (tmp_path / "record.json").exists()
    assert (tmp_path / "a" / "line-scan.png").exists()
    assert not (tmp_path / "b" / "line-scan.png").exists()
    assert (tmp_path / "b" / "line-scan.csv").exists()


@pytest.mark.filterwarnings("error")
def test_a_dye_of_which_there_is_none_has_no_pictures(tmp_path: Path) -> None:
    plain: dict[str, Any] = {"points": [12, 10, 8], "slice_ms": 4 * STEP_MS}
    spark(None, 4, output=tmp_path, fluo=[0.0, 0.02, 0.1, 0.11], **plain)

    names = sorted(one.name for one in (tmp_path / "slices").iterdir())
    assert names
    assert all(name.startswith("calcium") for name in names)
