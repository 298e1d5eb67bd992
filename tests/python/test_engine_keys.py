# SPDX-License-Identifier: Apache-2.0
"""How a grid is cut and run is said in files, by flags and by keywords, and changes no bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from job_programs import needs_mpi
from makespan.base.errors import InputError
from makespan.grids.diffusion.input import DIFFUSE_FILE
from makespan.grids.engine_keys import (
    ENGINE_KEYS,
    FIRST_LOOK_STEPS,
    STEPS_AT_ONCE,
    engine_options,
)
from makespan.sim.grids.input import TABLES
from small_grids import FIELD, SPARK, result_of, run

import makespan

SIZE = (14, 10, 12)
WAYS: tuple[dict[str, Any], ...] = (
    {},
    {"schedule": "none"},
    {"schedule": "pipeline", "blocks": 2, "block_order": "near-first"},
    {"devices": "cpu cpu", "route": "relayed"},
    {"devices": "cpu cpu", "host": "none"},
    {"devices": "cpu cpu cpu", "host": "all", "host_thickness": 1},
    {"devices": "cpu cpu", "host": "left-right", "host_thickness": [2, 1, 0]},
    {"devices": "cpu cpu", "host": "front-back", "steps_at_once": 2, "rebalance_steps": 3},
    {"devices": "cpu cpu", "host": "all", "steps_at_once": 2, "schedule": "pipeline"},
    {"devices": "cpu cpu", "device_speeds": [1, 3.5]},
    {"devices": "cpu cpu", "device_speeds": "measured"},
    {"devices": "cpu cpu", "plane_weights": [5.0] * 4 + [1.0] * 10},
)


def field() -> np.ndarray:
    return np.random.default_rng(5).random(SIZE)


@pytest.fixture(scope="module")
def plain() -> np.ndarray:
    return makespan.diffuse(field(), steps=30, threads=3).values


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_any_way_has_the_same_bits(way: dict[str, Any], plain: np.ndarray) -> None:
    result = makespan.diffuse(field(), steps=30, threads=3, **way)

    assert np.array_equal(result.values, plain)


def test_the_schedule_is_the_one_that_is_named() -> None:
    def counts(**way: Any) -> tuple[int, int]:
        """Messages of all devices, and those that left while points were still to be computed."""
        result = makespan.diffuse(field(), steps=30, threads=3, devices="cpu cpu cpu", **way)
        devices = result.record["devices"]
        return sum(one["messages"] for one in devices), sum(one["hidden"] for one in devices)

    messages, hidden = counts()
    assert messages > hidden > 0
    assert counts(schedule="none") == (messages, 0)
    for blocks in (2, 4):
        pipeline = counts(schedule="pipeline", blocks=blocks)
        assert pipeline == (blocks * messages, blocks * hidden)


def test_planes_are_cut_by_what_is_given_and_cut_anew() -> None:
    """Method: of two devices that are alike the first gets a tenth, too little to be kept."""
    values = np.random.default_rng(5).random((60, 40, 50))

    def told(steps: int, **way: Any) -> tuple[int, list[int]]:
        record = makespan.diffuse(values, steps=steps, threads=2, devices="cpu cpu", **way).record
        return record["run"]["rebalances"], [one["planes"] for one in record["devices"]]

    assert told(1, device_speeds=[1, 9]) == (0, [6, 54])
    assert told(1, plane_weights=[5.0] * 4 + [1.0] * 56) == (0, [22, 38])
    rebalances, planes = told(100, device_speeds=[1, 9], rebalance_steps=5)
    assert rebalances >= 1
    assert planes != [6, 54]


def test_keys_of_simulated_grids_are_those_of_runs() -> None:
    simulated = {one.name: one for one in TABLES["grid"]}
    shared = [one for one in (*ENGINE_KEYS, STEPS_AT_ONCE) if one.name in simulated]

    assert len(shared) == 7
    for one in shared:
        same = simulated[one.name]
        assert same.default == one.default, one.name
        if one.name == "schedule":  # blocks are not simulated
            assert set(one.kind.choices) - set(same.kind.choices) == {"pipeline"}
        else:
            assert (same.kind, same.help) == (one.kind, one.help)


def test_every_key_is_a_flag_and_a_key_of_every_file() -> None:
    from makespan.grids.calcium.command import COMMAND as CALCIUM
    from makespan.grids.calcium.input import CALCIUM_FILE
    from makespan.grids.diffusion.command import COMMAND as DIFFUSE

    names = {one.name for one in ENGINE_KEYS}

    assert len(ENGINE_KEYS) == len(names)
    for command, file in ((CALCIUM, CALCIUM_FILE), (DIFFUSE, DIFFUSE_FILE)):
        assert names <= {one.name for one in command.settings}
        assert names <= set(file.settings)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    engine = (
        '[engine]\nschedule = "pipeline"\nhost = "front-back"\nhost_thickness = 2\n'
        'route = "relayed"\ndevice_speeds = [2, 1]\n'
    )
    (tmp_path / "field.toml").write_text(FIELD)
    (tmp_path / "field-engine.toml").write_text(FIELD + engine)
    (tmp_path / "spark.toml").write_text(SPARK)
    (tmp_path / "spark-engine.toml").write_text(SPARK + engine)
    return tmp_path


@pytest.mark.parametrize(("name", "file"), [("diffuse", "field"), ("calcium", "spark")])
def test_files_and_flags_say_the_same(folder: Path, name: str, file: str) -> None:
    plain = run(folder, name, f"{file}.toml")
    words = ("--threads", 3, "--devices", "cpu cpu")

    by_file = run(folder, name, f"{file}-engine.toml", *words, "--record", "file.json")
    by_flags = run(
        folder, name, f"{file}.toml", *words, "--record", "flags.json", "--host", "all",
        "--host-thickness", "1,1,2", "--device-speeds", "1,2", "--cut", "boxes", "--block-order",
        "near-first", "--schedule", "pipeline",
    )  # fmt: skip

    for ended in (by_file, by_flags):
        assert (ended.returncode, ended.stderr) == (0, "")
        assert result_of(ended) == result_of(plain)
    import json

    told = json.loads((folder / "file.json").read_text())
    assert told["input"]["host_thickness"] == 2
    assert told["settings"]["schedule"] == "pipeline"
    # The host has two planes at both ends, and sent them and what is beside them.
    host, other = told["devices"]
    assert host["planes"] == 4
    assert min(host["messages"], other["messages"], host["bytes"], other["hidden"]) > 0
    assert json.loads((folder / "flags.json").read_text())["input"]["host_thickness"] == [1, 1, 2]


@needs_mpi
def test_processes_may_have_speeds_of_their_own(folder: Path) -> None:
    words = ("diffuse", "field.toml", "--threads", 2, "--devices", "cpu cpu")
    plain = run(folder, *words)

    ended = run(folder, *words, "--device-speeds", "1,2,3,8", "--json", images=2)

    import json

    document = json.loads(ended.stdout)
    assert [one["planes"] for one in document["devices"]] == [1, 2, 3, 8]
    assert document["run"]["result_hash"].startswith(result_of(plain))


@needs_mpi
def test_processes_may_have_boxes(tmp_path: Path) -> None:
    (tmp_path / "in.toml").write_text("[grid]\npoints = [40, 6, 7]\n[run]\nsteps = 2\n")

    ended = run(tmp_path, "diffuse", "in.toml", "--cut", "boxes", "--json", images=2)

    import json

    # Halves along x; slabs would have 4 planes and 3.
    assert [one["planes"] for one in json.loads(ended.stdout)["devices"]] == [7, 7]


def given(**keys: Any) -> Any:
    return DIFFUSE_FILE.defaults().with_keywords(keys)


OPTIONS_OF: dict[str, tuple[Any, dict[str, Any]]] = {
    "schedule": ("none", {"schedule": "none"}),
    "blocks": (7, {"blocks": 7}),
    "block_order": ("near-first", {"block_order": "near-first"}),
    "route": ("relayed", {"route": "relayed"}),
    "cut": ("boxes", {"cut": "boxes"}),
    "device_speeds": ([1, 3.5], {"speeds": [1.0, 3.5]}),
    "plane_weights": ([5, 1], {"plane_weights": [5.0, 1.0]}),
    "steps_at_once": (3, {"steps_at_once": 3}),
    "rebalance_steps": (9, {"rebalance_steps": 9}),
}
"""A value that is not the default, and what the engine is given for it."""


def test_every_key_reaches_the_engine() -> None:
    usual = engine_options(given())
    elsewhere = {"host", "host_thickness", "tune", "tune_share"}  # the next test, test_tuner.py

    assert OPTIONS_OF.keys() | elsewhere == {one.name for one in (*ENGINE_KEYS, STEPS_AT_ONCE)}
    for name, (value, changed) in OPTIONS_OF.items():
        assert engine_options(given(**{name: value})) == {**usual, **changed}, name
    measured = engine_options(given(device_speeds="measured"))
    assert measured == {**usual, "first_look": FIRST_LOOK_STEPS}


def test_layers_are_told_by_axis() -> None:
    def layers(**keys: Any) -> tuple[Any, ...]:
        options = engine_options(given(**keys))
        return tuple(options.get(name) for name in ("host", "host_thickness", "host_is_free"))

    assert layers() == ("device", None, None)
    assert layers(host="front-back") == ("front-back", [0, 0, 1], True)
    assert layers(host="left-right", host_thickness=3) == ("left-right", [0, 3, 0], None)
    assert layers(host="all", host_thickness=2) == ("all", [2, 2, 2], None)
    assert layers(host="all", steps_at_once=2) == ("all", [0, 1, 1], True)
    assert layers(host="all", host_thickness=[0, 1, 2]) == ("all", [0, 1, 2], None)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ({"host_thickness": 2}, 'host_thickness = 2 \\(host = "device" has no boundaries\\)'),
        ({"host": "front-back", "host_thickness": [1, 0, 2]}, "has them along z"),
        ({"host": "left-right", "host_thickness": [1, 0, 2]}, "has them along x and y"),
        ({"host": "front-back"}, "its image has no other device"),
        ({"device_speeds": [1.0, 2.0, 3.0]}, "3 speeds"),
        ({"device_speeds": [0.0]}, "numbers above 0"),
        ({"plane_weights": [1.0, 2.0]}, "2 plane_weights"),
        ({"plane_weights": [1.0, -2.0]}, "numbers above 0"),
        ({"host": "some"}, "device, none, front-back, left-right or all"),
        ({"blocks": 0}, "blocks=0"),
        ({"host_thickness": -1}, "host_thickness=-1"),
    ],
    ids=str,
)
def test_what_means_nothing_is_refused(keys: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError, match=text):
        makespan.diffuse(field(), steps=1, **keys)
