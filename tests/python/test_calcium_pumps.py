# SPDX-License-Identifier: Apache-2.0
"""Pumps of a calcium spark, and the network SR that they fill: calcium is where it went."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from makespan.base.engine import load_engine
from makespan.base.errors import InputError
from makespan.grids.calcium.input import CALCIUM_FILE, KEYS, calcium_settings, checked_calcium
from small_grids import result_of, run

import makespan

SPARK: dict[str, Any] = {
    "points": [18, 16, 18],
    "spacing": 0.03,
    "time_step": 6e-4,
    "cleft_height": 0.03,
    "jsr_thickness": 0.03,
    "jsr_length": 0.3,
    "jsr_width": 0.3,
    "ryr_per_side": 3,
    "ryr_open": [[4, 0.0, 1.0], [1, 0.0, 0.8]],
    "table_ms": 0,
    "scan_ms": 0,
    "slice_ms": 0,
}
"""A release unit in a closed box, so coarse that a ms takes a tenth of a second."""


def spark(**given: Any) -> Any:
    result = makespan.calcium(**{**SPARK, "duration": 0.6, **given})
    assert result is not None
    return result


def total(result: Any) -> float:
    """Free and bound, over all voxels."""
    return float(sum(values.sum() for values in result.fields.values()))


def network_sr(result: Any) -> float:
    number, unit = result.measures["network SR"].split()
    assert unit == "uM"
    return float(number)


def test_all_switches_off_are_the_units_of_before() -> None:
    """Goal: a run without pumps has the settings, and with them the checkpoints, of before."""
    given = CALCIUM_FILE.defaults()
    names = {key.name for key in KEYS if key.section == "pumps"}

    assert len(names) == 7
    assert names.isdisjoint(calcium_settings(given))


@pytest.mark.parametrize(
    "switch", [{"serca": True}, {"membrane_pump": True}, {"exchanger": True}], ids=str
)
def test_each_switch_takes_calcium_and_its_leak_keeps_rest(switch: dict[str, bool]) -> None:
    closed = {"ryr_open": [], "duration": 0.6}

    rest = spark(fields=True, **closed)
    kept = spark(fields=True, **closed, **switch)
    spent = spark(fields=True, **closed, **switch, leaks=False)

    assert total(kept) == pytest.approx(total(rest), rel=1e-12)
    assert total(spent) < total(rest) - 1e-3
    assert spark(**switch).hash != spark().hash


@pytest.mark.parametrize(("interval", "lost"), [(0.6, 0.01), (0.06, 0.001)])
def test_what_leaves_the_grid_is_in_the_network_sr(interval: float, lost: float) -> None:
    """Free, bound and stored calcium together stay what they were.

    But for the error of the interval, and that of steps: SERCA sees calcium after it has diffused.
    """
    share = 0.0538
    pumps = {"serca": True, "network_sr": True, "network_sr_ms": interval}

    before = spark(fields=True, duration=0.0, **pumps)
    after = spark(fields=True, duration=6.0, **pumps)

    cytosol = int(np.count_nonzero(before.fields["ca_atp"]))
    stored = (network_sr(after) - 1300) * share * cytosol
    gained = total(after) - total(before)
    assert network_sr(before) == 1300
    assert stored < -2000
    assert gained + stored == pytest.approx(0, abs=lost * abs(stored))


def test_a_network_sr_that_is_kept_loses_nothing() -> None:
    kept = spark(serca=True)
    emptied = spark(serca=True, network_sr=True)
    large = spark(serca=True, network_sr=True, network_sr_share=1e9)

    assert "network SR" not in kept.measures
    assert emptied.hash != kept.hash
    assert network_sr(large) == pytest.approx(1300, abs=1e-6)


def test_the_cut_does_not_matter() -> None:
    pumps = {"serca": True, "exchanger": True, "network_sr": True, "membrane_pump": True}

    hashes = {
        spark(**pumps, threads=threads, devices=devices).hash
        for threads, devices in ((1, "cpu"), (2, "cpu cpu"))
    }

    assert len(hashes) == 1


def test_a_run_goes_on_with_its_network_sr(tmp_path: Path) -> None:
    keys = {
        **SPARK,
        "serca": True,
        "network_sr": True,
        "network_sr_ms": 0.24,
        "duration": 1.2,
        "checkpoint_ms": 0.6,
    }
    names = {key.name: key.section for key in KEYS}
    lines: dict[str, list[str]] = {}
    for name, value in keys.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        lines.setdefault(names[name], []).append(f"{name} = {text}")
    text = "".join(f"[{section}]\n" + "\n".join(found) + "\n" for section, found in lines.items())
    (tmp_path / "spark.toml").write_text(text)

    whole = run(tmp_path, "calcium", "spark.toml", "--checkpoint", "saved")
    again = run(tmp_path, "calcium", "spark.toml", "--restart-from", "saved/step-1000.vtkhdf")

    def stored(ended: Any) -> list[str]:
        return [line for line in ended.stdout.splitlines() if line.startswith("network SR")]

    assert len(stored(whole)) == 1
    assert stored(again) == stored(whole)
    assert result_of(again) == result_of(whole)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[release]\nlayout = "plain"\nryr_open = []\n[pumps]\nexchanger = true\n', "no T-tubule"),
        ("[species]\nca_rest = 0.05\n[pumps]\nserca = true\n", "SERCA runs backwards"),
        ("[species]\nserca_total = 1e9\n[pumps]\nserca = true\n", "pumping is stable up to"),
        ("[species]\nmembrane_voltage = -2000\n", "give a number from -1000 to 1000"),
        ("[pumps]\nserca = 1\n", "give true or false"),
        ("[pumps]\nnetwork_sr_ms = 0\n", "give a number"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "spark.toml"
    path.write_text(text)

    with pytest.raises(InputError) as raised:
        checked_calcium(CALCIUM_FILE.read(path), load_engine())

    assert str(raised.value).startswith(str(path))
    assert message in str(raised.value)
