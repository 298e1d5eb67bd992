# SPDX-License-Identifier: Apache-2.0
"""The tuner finds the fastest of what it tries, within its budget, and keeps it for later runs."""

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
from makespan.grids.engine_keys import ENGINE_KEYS, STEPS_AT_ONCE
from makespan.grids.input import RunOptions
from makespan.grids.tuning import Job, Trial, Tuning, search
from makespan.grids.tuning_memory import TuningMemory
from small_grids import FIELD, result_of, run

import makespan

DEFAULTS = {one.name: one.default for one in (*ENGINE_KEYS, STEPS_AT_ONCE)}


def job(images: int = 1, devices: int = 2, **given: Any) -> Job:
    return Job(images, devices, 0, {**DEFAULTS, **given}, DEFAULTS)


def searched(of: Job, cost: Any, budget_s: float = 100.0) -> Tuning:
    """With steps of `cost(values)` seconds, and trials of 1 s."""

    def measure(values: Any) -> Trial:
        return Trial(values, 1, cost(values), 1.0, speeds=(3.0, 1.0) * of.images)

    first = measure({})
    tuning = Tuning("tried", budget_s, first.seconds, 1e3, [first], best=first)
    search(of, tuning, measure)
    return tuning


def cost_of(values: Any) -> float:
    """Halos cost nothing with three steps at once, or a host at both ends."""
    cost = 10.0
    cost -= 2.0 if values.get("device_speeds") == [1.5, 0.5] else 0.0
    cost -= {3: 3.0, 2: 1.0}.get(values.get("steps_at_once"), 0.0)
    cost += 5.0 if values.get("schedule") == "none" else 0.0
    cost -= 1.0 if values.get("host") == "front-back" else 0.0
    return cost


def test_what_is_best_on_each_axis_goes_together() -> None:
    tuning = searched(job(), cost_of)

    assert tuning.won == {"device_speeds": [1.5, 0.5], "steps_at_once": 3, "host": "front-back"}
    assert tuning.best.step_s == 4.0
    assert tuning.skipped == 0
    assert tuning.spent_s == len(tuning.tried)
    assert len({json.dumps(one.values, sort_keys=True) for one in tuning.tried}) == len(
        tuning.tried
    )


def test_what_is_said_stays() -> None:
    tuning = searched(
        job(steps_at_once=2, host="all", schedule="pipeline", device_speeds="measured"), cost_of
    )

    assert tuning.won == {}
    assert len(tuning.tried) == 1


def test_a_lone_device_has_steps_at_once_only() -> None:
    tuning = searched(job(devices=1), cost_of)

    assert {name for one in tuning.tried for name in one.values} == {"steps_at_once"}


def test_processes_may_be_cut_otherwise() -> None:
    tuning = searched(job(images=2), lambda values: 1.0 if values.get("cut") == "boxes" else 2.0)

    assert tuning.won == {"cut": "boxes"}


def test_noise_changes_nothing() -> None:
    tuning = searched(job(), lambda values: 1.0 - 0.01 * len(values))

    assert tuning.won == {}


@pytest.mark.parametrize("budget_s", [0.5, 1.0, 2.0, 3.5, 6.0])
def test_no_trial_begins_that_would_take_more_than_the_budget(budget_s: float) -> None:
    tuning = searched(job(), cost_of, budget_s)

    assert tuning.spent_s <= max(1.0, budget_s)
    assert tuning.skipped > 0


@pytest.mark.parametrize(
    ("before", "long_s", "spent_s"), [(2, 6.0, 8.0), (3, 50.0, 53.0), (9, 50.0, 59.0)]
)
def test_a_trial_that_takes_longer_than_the_one_before_is_the_last(
    before: int, long_s: float, spent_s: float
) -> None:
    """It is begun, as one of 1 s, like that before it, would have had room in what is left."""
    trials: list[Any] = []

    def measure(values: Any) -> Trial:
        trials.append(values)
        seconds = long_s if len(trials) == before + 1 else 1.0
        return Trial(values, 1, 1.0, seconds, speeds=(3.0, 1.0) * 4)

    of = job(images=4)
    first = measure({})
    tuning = Tuning("tried", 10.0, first.seconds, 1e3, [first], best=first)
    search(of, tuning, measure)

    assert len(tuning.tried) == len(trials) == before + 1
    assert tuning.skipped > 0
    assert tuning.spent_s == spent_s <= tuning.budget_s - 1.0 + long_s


def test_what_the_engine_refuses_takes_no_part() -> None:
    tuning = searched(job(), lambda values: None if "steps_at_once" in values else cost_of(values))

    assert tuning.won == {"device_speeds": [1.5, 0.5], "host": "front-back"}


class Bench:
    """A run whose team is slow with what it is not given, on a clock of its own."""

    images = 1
    threads = 2

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **keys: Any) -> None:
        self.given = DIFFUSE_FILE.defaults().with_keywords(keys)
        self.now = 0.0
        self.made = 0
        self.steps = 0
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
        self.now += 0.5
        self.steps = 0

    def start(self) -> None:
        self.now += 0.1

    def run(self, steps: int) -> None:
        self.now += 0.0 if self.steps else self.cold_s
        self.steps += steps
        self.made += steps
        self.now += steps * (0.1 if self.given["steps_at_once"] == 3 else 0.2)

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

    trial = tuner.measured(bench, bench, {}, tuner.Pace(steps_max=100))

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
    pace = tuner.Pace(steps_max=1000, usual_s=0.09)

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
    assert bench.given["steps_at_once"] == 1
    assert bench.made == 0


def memory(folder: Path, **kind: Any) -> TuningMemory:
    return TuningMemory(folder / "grids", {"points": [1, 2, 3], **kind})


def test_a_memory_keeps_what_it_is_given(tmp_path: Path) -> None:
    assert memory(tmp_path).kept() is None
    memory(tmp_path).keep({"schedule": "none", "device_speeds": [1.0, 2.0]})

    assert memory(tmp_path).kept() == {"schedule": "none", "device_speeds": [1.0, 2.0]}
    assert memory(tmp_path, images=2).kept() is None
    assert TuningMemory(None, {}).kept() is None
    TuningMemory(None, {}).keep({})


@pytest.mark.parametrize(
    "text",
    ["", "nothing", "[]", '{"format": 2}', "x" * (1 << 17), "[" * 100000],
    ids=lambda text: text[:9],
)
def test_a_damaged_memory_is_none(tmp_path: Path, text: str) -> None:
    memory(tmp_path).keep({"schedule": "none"})
    (path,) = (tmp_path / "grids").iterdir()
    path.write_text(text)

    assert memory(tmp_path).kept() is None
    assert not path.exists()


@pytest.mark.parametrize("won", [{"schedule": "wild"}, {"colour": 1}, {"blocks": 0}], ids=str)
def test_a_memory_of_what_cannot_be_is_none(tmp_path: Path, won: dict[str, Any]) -> None:
    memory(tmp_path).keep(won)

    assert memory(tmp_path).kept() is None


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
    assert told["spent_s"] - last["seconds"] <= told["budget_s"]
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
