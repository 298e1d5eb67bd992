# SPDX-License-Identifier: Apache-2.0
"""Goal: what a user waits for is shown truly, and one build at a time works in a folder."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

import build

TOOL = Path(build.__file__)


def test_what_is_left_goes_by_cost_and_not_by_steps() -> None:
    assert build.seconds_left(done=30.0, total=120.0, elapsed_s=10.0) == 30.0
    assert build.seconds_left(done=130.0, total=120.0, elapsed_s=10.0) == 0.0


def test_nothing_is_said_of_what_is_left_before_it_is_known() -> None:
    assert build.seconds_left(done=5.0, total=120.0, elapsed_s=0.5) is None
    assert build.progress_line(3, 105, None) == "step 3 of 105"


def test_times_are_said_in_minutes_and_seconds() -> None:
    assert build.progress_line(57, 105, 71.0) == "step 57 of 105, about 1 min 10 s left"
    assert build.progress_line(57, 105, 31.0) == "step 57 of 105, about 30 s left"


def test_a_source_of_several_costs_what_they_cost_together(tmp_path: Path) -> None:
    for name in ("one.cpp", "two.cpp"):
        (tmp_path / name).write_text("x" * 10_000)
    unity = tmp_path / "unity_0_cxx.cxx"
    unity.write_text("".join(f'#include "{tmp_path}/{name}"\n' for name in ("one.cpp", "two.cpp")))

    assert build.cost_of_source(unity) == build.STEP_S + 20 * build.S_PER_KB


def test_kernels_cost_more_than_other_sources(tmp_path: Path) -> None:
    for name in ("kernels_vector.cpp", "kernels.cpp"):
        (tmp_path / name).write_text("x" * 10_000)

    assert build.cost_of_source(tmp_path / "kernels_vector.cpp") > 2 * build.cost_of_source(
        tmp_path / "kernels.cpp"
    )


def test_steps_that_a_dry_run_leaves_out_are_counted(tmp_path: Path) -> None:
    """Of ninja 1.12 it ends before the first step that reads what another one finds."""
    commands = [
        {"command": f"c++ -o {name}.o -c {name}.cpp", "file": f"{name}.cpp"} for name in "abcd"
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(commands))
    (tmp_path / "d.o").touch()
    progress = build.Progress(tmp_path, io.StringIO())
    planned = ["@step 1 6 Building CXX object a.o", "@step 2 6 Linking CXX executable a"]
    whole = ["@step 1 2 Building CXX object a.o", "@step 2 2 Linking CXX executable a"]

    done_s = build.STEP_S + build.LINK_S
    assert progress.total_of(whole) == pytest.approx(done_s)
    assert progress.total_of(planned) == pytest.approx(done_s + 2 * build.STEP_S + 2 * build.LINK_S)
    assert progress.total_of([]) == 0.0


def test_what_a_failed_step_prints_is_shown_whole(tmp_path: Path) -> None:
    screen = io.StringIO()
    progress = build.Progress(tmp_path, screen)

    progress.take("@step 1 2 Building CXX object a.o\n", total=5.0)
    progress.take("FAILED: a.o\n", total=5.0)
    progress.take("a.cpp:3: error: no such thing\n", total=5.0)

    assert screen.getvalue().endswith("FAILED: a.o\na.cpp:3: error: no such thing\n")


def test_a_second_build_waits_for_the_first(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    program = (
        "import sys, build, pathlib\n"
        "with build.only_one(pathlib.Path(sys.argv[1]), wait_s=30.0): print('in', flush=True)"
    )
    with build.only_one(lock, wait_s=1.0):
        second = subprocess.Popen(
            [sys.executable, "-c", program, str(lock)],
            cwd=TOOL.parent,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert second.stdout is not None
        assert "waiting for it" in second.stdout.readline()
        assert second.poll() is None
    out, _ = second.communicate(timeout=20)

    assert out == "in\n"
    assert second.returncode == 0


def test_a_build_that_never_ends_is_not_waited_for_without_limit(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    program = (
        "import sys, build, pathlib\n"
        "with build.only_one(pathlib.Path(sys.argv[1]), wait_s=0.2): pass"
    )
    with build.only_one(lock, wait_s=1.0):
        begun = time.monotonic()
        second = subprocess.run(
            [sys.executable, "-c", program, str(lock)],
            cwd=TOOL.parent, capture_output=True, text=True, check=False,
        )  # fmt: skip

    assert second.returncode == 1
    assert "has not finished" in second.stderr
    assert time.monotonic() - begun < 20.0
