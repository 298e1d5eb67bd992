# SPDX-License-Identifier: Apache-2.0
"""Messages name a setting as who reads them gave it: by its flag, or by its keyword."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from makespan.base.engine import load_engine
from makespan.base.errors import PROBLEMS_SHOWN_MAX, BookError, Problem
from makespan.base.setting_names import by_flags, called
from small_grids import FIELD, run

import makespan


@pytest.mark.parametrize(
    ("words", "keywords", "says", "says_python"),
    [
        (
            ("machine", "--seconds", 3),
            {"seconds": 3.0},
            "--seconds (there is no --measure that it could be of): give --measure",
            "seconds (there is no measure that it could be of): give measure, or leave it out",
        ),
        (
            ("machine", "--places", "numa"),
            {"places": "numa"},
            "--places without --weights (which",
            "places without weights (which",
        ),
    ],
)
def test_machines(
    tmp_path: Path,
    words: tuple[object, ...],
    keywords: dict[str, Any],
    says: str,
    says_python: str,
) -> None:
    ended = run(tmp_path, *words)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert says in ended.stderr
    with pytest.raises(makespan.InputError) as refused:
        makespan.machine(**keywords)
    assert says_python in str(refused.value)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("melt", "--example"), ""),
        (("melt", "in.toml", "--nodes", 2), "--nodes (there is no --virtual that it could be of)"),
        (
            ("price", "book.csv", "--checkpoint", "a", "--restart-from", "b"),
            "--checkpoint a and --restart-from b: a run goes on",
        ),
        (("balance", "g.json", "--perturb", "slow:1@1:2"), "--perturb is of phases that are"),
        (("balance", "no.json", "--places", 2), "`makespan balance --example` shows one"),
        (("diffuse", "in.toml", "--devices", "cuda"), "--devices: GPU 0 ("),
        (("diffuse", "in.toml", "--slice-steps", 3), "--slice-steps (there is no --output that"),
        (("diffuse", "in.toml", "--time-step", 0), "--time-step 0 cannot be used"),
        (("diffuse", "in.toml", "--boundary", "open"), '--boundary open cannot be used: give "'),
    ],
)
def test_commands(tmp_path: Path, words: tuple[object, ...], says: str) -> None:
    if "cuda" in words and not load_engine().gpus()["why_none"]:
        pytest.skip("a GPU is here, and is used")
    (tmp_path / "in.toml").write_text(FIELD if words[0] == "diffuse" else "")
    (tmp_path / "g.json").write_text(run(tmp_path, "balance", "--example").stdout)
    (tmp_path / "book.csv").write_text(run(tmp_path, "price", "--example").stdout)

    ended = run(tmp_path, *words)

    assert ended.returncode == (2 if says else 0)
    assert says in ended.stderr
    assert called("restart_from") == "restart_from"


@pytest.mark.parametrize(("told", "name"), [(nullcontext, "skip_invalid"), (by_flags, "--skip-in")])
def test_of_many_problems_the_rest_is_told_by_the_name_of_the_setting(told: Any, name: str) -> None:
    problems = [Problem("it is odd", row=row) for row in range(1, PROBLEMS_SHOWN_MAX + 6)]

    with told():
        last = str(BookError("book", problems)).splitlines()[-1]

    assert last.startswith(f"  ... and 5 more; {name}")
    assert last.endswith(" writes all of them to the output")


def test_keys_are_flags(tmp_path: Path) -> None:
    (tmp_path / "in.toml").write_text(FIELD)
    (tmp_path / "around.toml").write_text(f"{FIELD}\n".replace("14]", '14]\nboundary = "periodic"'))

    flags = ("--time-step", 0.05, "--boundary", "periodic", "--record", "a.json")
    by_flags = run(tmp_path, "diffuse", "in.toml", *flags)
    by_keys = run(tmp_path, "diffuse", "around.toml", "--time-step", 0.05, "--record", "b.json")

    assert by_flags.returncode == by_keys.returncode == 0, by_flags.stderr + by_keys.stderr
    hashes = [makespan_hash(tmp_path / name) for name in ("a.json", "b.json")]
    assert hashes[0] == hashes[1]


def makespan_hash(path: Path) -> str:
    import json

    return str(json.loads(path.read_text())["run"]["result_hash"])


def test_a_switch_that_is_not_given_leaves_what_the_file_says(tmp_path: Path) -> None:
    from makespan.cli.app import app
    from makespan.grids.calcium.input import FLAGS, KEYS

    with app.make_context("makespan", ["calcium", "in.toml", "--exchanger"]) as context:
        _, given = app.invoke(context)

    assert (given["serca"], given["exchanger"]) == (None, True)
    assert {one.name for one in KEYS} - set(FLAGS) == {"ryr_open", "lcc_open", "currents", "leaks"}
