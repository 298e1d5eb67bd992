# SPDX-License-Identifier: Apache-2.0
"""How a grid is cut and run is said in files, by flags and by keywords, and changes no bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from makespan.base.errors import InputError
from makespan.grids.diffusion.input import DIFFUSE_FILE
from makespan.grids.engine_keys import (
    ENGINE_KEYS,
    STEPS_AT_ONCE,
    engine_options,
)
from makespan.sim.grids.input import TABLES
from small_grids import FIELD, SPARK, needs_mpi, result_of, run

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


def given(**keys: Any) -> Any:
    return DIFFUSE_FILE.defaults().with_keywords(keys)


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
