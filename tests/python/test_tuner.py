# SPDX-License-Identifier: Apache-2.0
"""The tuner finds what runs fastest within its budget, keeps it, and changes no bit of a run."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from makespan.base.errors import InputError
from makespan.grids import tuner
from makespan.grids.diffusion.input import DIFFUSE_FILE
from makespan.grids.input import RunOptions
from small_grids import FIELD, result_of, run

import makespan


class Bench:
    """A run whose team is slow with what it is not given, on a clock of its own."""

    images = 1
    threads = 2

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **keys: Any) -> None:
        self.given = DIFFUSE_FILE.defaults().with_keywords(keys)
        self.now = 0.0
        self.made = 0
        self.steps = 0
        self.fresh_s = 0.0
        """That the first grid takes besides, for memory that is new, say."""
        self.is_opened = False
        self.making_s = 0.5
        self.speedup = 1.0
        self.rounds: list[list[int]] = []
        self.cold_s = 0.0
        """That the first step of a grid takes besides."""
        self.costs: dict[str, Any] = {}
        self.steps_at_once_max = 8
        self.grid: Any = type("Grid", (), {"application": "diffuse", "points": (500, 500, 500)})
        monkeypatch.setattr(tuner.time, "monotonic", lambda: self.now)

    def open(self, team: Any) -> None:
        assert team is self
        if self.given["schedule"] == "pipeline":
            raise InputError("no pipes here")
        if self.given["steps_at_once"] > self.steps_at_once_max:
            raise InputError("too wide a halo")
        self.now += self.making_s + (0.0 if self.is_opened else self.fresh_s)
        self.rounds.append([])
        self.is_opened = True
        self.steps = 0

    def start(self) -> None:
        self.now += 0.1

    def run(self, steps: int) -> None:
        self.now += 0.0 if self.steps else self.cold_s
        self.steps += steps
        self.made += steps
        self.rounds[-1].append(steps)
        self.now += steps * (0.1 if self.given["steps_at_once"] == 3 else 0.2) / self.speedup

    def report(self) -> dict[str, Any]:
        # What its thread did says nothing of how long a device computed.
        one = {"boundary_s": 0.0, "interior_s": 1e-3, "busy_s": 1.0, "points": 100}
        return {"devices": [one, {**one, "points": 300}]}


def test_a_long_run_is_tuned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    options = RunOptions(threads=2, devices="cpu cpu")
    engine = makespan.base.engine.load_engine()
    bench = Bench(monkeypatch)

    tuning = tuner.tune(engine, bench, bench, options, 20000)

    assert tuning is not None
    assert tuning.source == "tried"
    assert tuning.run_s == pytest.approx(4000.0)
    assert tuning.budget_s == pytest.approx(60.0)
    assert tuning.spent_s == pytest.approx(bench.now)
    assert tuning.won == {"steps_at_once": 3}
    assert bench.given["steps_at_once"] == 3
    assert [one.refused for one in tuning.tried if one.refused] == ["no pipes here"]

    again = Bench(monkeypatch)
    kept = tuner.tune(engine, again, again, options, 20000)
    assert kept is not None
    assert (kept.source, kept.won, again.made) == ("kept", {"steps_at_once": 3}, 0)
    assert kept.beginning_s == 0.0
    assert again.given["steps_at_once"] == 3

    anew = Bench(monkeypatch, tune="now")
    tried = tuner.tune(engine, anew, anew, options, 20000)
    assert tried is not None
    assert tried.source == "tried"
    # Of another input nothing is known.
    other = Bench(monkeypatch, blocks=5)
    found = tuner.tune(engine, other, other, options, 20000)
    assert found is not None
    assert found.source == "tried"
    # And of another kernel.
    unlike = Bench(monkeypatch)
    unlike.costs = {"update": "another one"}
    found = tuner.tune(engine, unlike, unlike, options, 20000)
    assert found is not None
    assert found.source == "tried"


def test_what_was_kept_and_cannot_be_run_is_tried_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    options = RunOptions(threads=2, devices="cpu cpu")
    engine = makespan.base.engine.load_engine()
    first = Bench(monkeypatch)
    first.costs = {"of": "this test"}
    tuner.tune(engine, first, first, options, 20000)
    narrow = Bench(monkeypatch)
    narrow.costs, narrow.steps_at_once_max = first.costs, 1

    tuning = tuner.tune(engine, narrow, narrow, options, 20000)

    assert tuning is not None
    assert tuning.source == "tried"
    assert narrow.given["steps_at_once"] == 1


@pytest.mark.parametrize("cold_s", [0.0, 1.0])
def test_a_way_is_not_judged_by_the_first_step_of_a_new_grid(
    monkeypatch: pytest.MonkeyPatch, cold_s: float
) -> None:
    bench = Bench(monkeypatch, tune="now")
    bench.cold_s = cold_s
    options = RunOptions(threads=2, devices="cpu cpu")

    tuning = tuner.tune(makespan.base.engine.load_engine(), bench, bench, options, 20000)

    assert tuning is not None
    assert tuning.won == {"steps_at_once": 3}


def test_speeds_are_by_what_devices_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(monkeypatch)

    trial = tuner.measured(bench, bench, {}, tuner.Pace(1000, share=0.2))

    assert trial.speeds == (100 * trial.steps, 300 * trial.steps)


def test_what_won_with_one_gpu_is_not_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    def tuned(devices: str, *gpus: str) -> str:
        engine: Any = SimpleNamespace(
            version=lambda: "0", build_info=dict, gpus=lambda: {"names": gpus}
        )
        bench = Bench(monkeypatch)
        bench.costs = {"of": "the test of GPUs"}
        options = RunOptions(threads=2, devices=devices)
        tuning = tuner.tune(engine, bench, bench, options, 20000)
        assert tuning is not None
        return tuning.source

    assert tuned("cpu cuda", "L4") == "tried"
    assert tuned("cpu cuda", "L4") == "kept"
    assert tuned("cpu cuda", "H200", "L4") == "tried"
    assert tuned("cpu cuda", "H200", "L40S") == "kept", "the second takes no part"
    assert tuned("cuda cuda", "H200", "L40S") == "tried"
    assert tuned("cpu cpu", "L4") == "tried"
    assert tuned("cpu cpu") == "kept", "no GPU takes part"


def test_a_way_that_is_hopeless_is_measured_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(monkeypatch, steps_at_once=2)
    pace = tuner.Pace(1000, share=0.02, usual_s=0.09)

    trial = tuner.measured(bench, bench, {}, pace)

    assert trial.step_s == pytest.approx(0.2)
    assert trial.steps == bench.made == 4


def test_a_budget_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(monkeypatch, tune="now", tune_share=0.02)
    options = RunOptions(threads=2, devices="cpu cpu")

    tuning = tuner.tune(makespan.base.engine.load_engine(), bench, bench, options, 1001)

    assert tuning is not None
    assert tuning.budget_s == pytest.approx(0.02 * 1001 * 0.2)
    assert 0.0 < bench.now <= tuning.budget_s
    assert tuning.skipped > 0


def test_what_the_first_grid_takes_besides_uses_up_no_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It did: of a run of two minutes whose fields take three seconds to make nothing was tried."""
    options = RunOptions(threads=2, devices="cpu cpu")
    engine = makespan.base.engine.load_engine()
    bench = Bench(monkeypatch, tune="now", tune_share=0.1)
    bench.fresh_s = 300.0

    tuning = tuner.tune(engine, bench, bench, options, 1001)

    assert tuning is not None
    assert tuning.beginning_s == pytest.approx(300.0)
    assert tuning.won == {"steps_at_once": 3}
    assert tuning.spent_s == pytest.approx(bench.now)
    assert bench.now - 300.0 <= tuning.budget_s


def test_grids_that_always_take_long_to_make_use_up_the_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The second is made before that is known, and is the last."""
    options = RunOptions(threads=2, devices="cpu cpu")
    bench = Bench(monkeypatch, tune="now", tune_share=0.1)
    bench.making_s = 300.0

    tuning = tuner.tune(makespan.base.engine.load_engine(), bench, bench, options, 1001)

    assert tuning is not None
    assert len(tuning.tried) == 2
    assert tuning.beginning_s == pytest.approx(0.0)
    assert tuning.skipped > 0


def test_rounds_are_longer_where_the_run_is() -> None:
    """As long as a dozen trials of three rounds and a first step have room in the budget."""

    def round_s(run_s: float, making_s: float = 0.0) -> float:
        steps = tuner.Pace(int(run_s / 1e-3), share=0.02).steps_of_round(1e-3, making_s)
        return float(steps) * 1e-3

    assert round_s(60.0) == tuner.ROUND_S_MIN
    assert round_s(400.0) == pytest.approx(8.0 / 48, abs=1e-3)
    assert round_s(400.0, making_s=0.2) == pytest.approx((8.0 / 12 - 0.2) / 4, abs=1e-3)
    assert round_s(4000.0) == tuner.ROUND_S_MAX
    # With two steps before its rounds, a third of the share's steps at most.
    assert round_s(2.0) == pytest.approx(3e-3)


def test_the_least_share_has_room_for_several_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(monkeypatch, tune="now")
    bench.making_s = 0.0
    options = RunOptions(threads=2, devices="cpu cpu")

    tuning = tuner.tune(makespan.base.engine.load_engine(), bench, bench, options, 1001)

    assert tuning is not None
    assert len(tuning.tried) >= 3
    assert bench.now <= tuning.budget_s


def test_all_ways_have_rounds_of_as_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shortest of short rounds is shorter than that of long ones, where steps waver."""
    bench = Bench(monkeypatch, tune="now")
    bench.speedup, bench.cold_s = 1000.0, 0.01
    options = RunOptions(threads=2, devices="cpu cpu")

    tuning = tuner.tune(makespan.base.engine.load_engine(), bench, bench, options, 3_000_000)

    assert tuning is not None
    assert tuning.won == {"steps_at_once": 3}
    # 2e-4 s each, of which the budget of 12 s has room for a tenth of a second and more.
    first, *_ = tuning.tried
    assert first.round_steps > 0.1 / 2e-4
    for rounds in bench.rounds:
        assert first.round_steps - 4 < max(rounds) <= first.round_steps


@pytest.mark.parametrize(
    ("keys", "steps", "source"),
    [
        ({"tune": "off"}, 10**6, None),
        ({}, 100, None),  # few points and steps
        ({"tune": "now"}, 999, "short"),  # of which two in a hundred are less than a trial
        ({"tune": "now", "tune_share": 0.0}, 10**6, "short"),
        ({}, 500, "short"),
    ],
    ids=str,
)
def test_a_short_run_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, keys: dict[str, Any], steps: int, source: str | None
) -> None:
    bench = Bench(monkeypatch, **keys)

    tuning = tuner.tune(
        makespan.base.engine.load_engine(), bench, bench, RunOptions(devices="cpu cpu"), steps
    )

    assert (None if tuning is None else tuning.source) == source
    assert tuning is None or tuning.beginning_s >= 0.0
    assert bench.given["steps_at_once"] == 1
    assert bench.made == 0


def test_a_tuned_run_has_the_same_bits_and_tells_of_it(tmp_path: Path) -> None:
    (tmp_path / "field.toml").write_text(FIELD.replace("steps = 20", "steps = 3000"))
    plain = run(tmp_path, "diffuse", "field.toml")

    words = ("diffuse", "field.toml", "--threads", 2, "--devices", "cpu cpu", "--tune", "now")
    tuned = run(tmp_path, *words, "--tune-share", 0.5, "--record", "run.json")

    assert (tuned.returncode, tuned.stderr) == (0, "")
    assert result_of(tuned) == result_of(plain)
    record = json.loads((tmp_path / "run.json").read_text())
    told = record["tuning"]
    assert told["source"] == "tried"
    assert told["tried"][0]["keys"] == {}
    assert told["tried"][0]["step_s"] > 0
    assert f"tuned in {told['spent_s']:.3g} s" in tuned.stdout
    assert told["spent_s"] == pytest.approx(sum(one["seconds"] for one in told["tried"]))
    # The first is made before there is a budget; another is begun if one like that before it has
    # room.
    *_, last = told["tried"]
    assert told["spent_s"] - told["beginning_s"] - last["seconds"] <= told["budget_s"]
    for name, value in told["won"].items():
        assert record["input"][name] == value


def test_python_tunes_too(tmp_path: Path) -> None:
    values = np.random.default_rng(3).random((12, 10, 8))
    plain = makespan.diffuse(values, steps=2000, threads=1)

    tuned = makespan.diffuse(
        values,
        steps=2000,
        threads=2,
        devices="cpu cpu",
        tune="now",
        tune_share=0.5,
        record=tmp_path / "run.json",
    )

    assert np.array_equal(plain.values, tuned.values)
    assert json.loads((tmp_path / "run.json").read_text())["tuning"]["source"] == "tried"
