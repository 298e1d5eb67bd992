# SPDX-License-Identifier: Apache-2.0
"""Grids that take milliseconds, and how they are run by the command line."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from job_programs import MPIEXEC
from makespan.cli import main

RUN_S_MAX = 60

FIELD = """
[grid]
points = [12, 10, 14]
[run]
steps = 20
[start]
width = 3.0
[output]
table_steps = 5
slice_steps = 0
checkpoint_steps = 5
"""
SPARK = """
[grid]
points = [48, 44, 48]
[run]
duration = 0.006
[release]
ryr_open = [[4, 0.0, 0.004]]
[geometry]
jsr_length = 0.3
jsr_width = 0.3
ryr_per_side = 3
[output]
table_ms = 0.003
scan_ms = 0.0015
slice_ms = 0
checkpoint_ms = 0.003
"""
"""40 steps."""


def changed(text: str, **values: object) -> str:
    """An input file that says something else of keys that stand in it."""
    for name, value in values.items():
        text, count = re.subn(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.MULTILINE)
        assert count == 1, name
    return text


def command(images: int, *words: object) -> list[str]:
    """As a shell would start it; 0 images: without a launcher."""
    launcher = [str(MPIEXEC), "-n", str(images)] if images else []
    return [*launcher, sys.executable, "-m", "makespan", *map(str, words)]


def run(folder: Path, *words: object, images: int = 0) -> subprocess.CompletedProcess[str]:
    """Alone it runs in this process, which saves the start of another."""
    if not images:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.chdir(folder), redirect_stdout(out), redirect_stderr(err):
            code = main([*map(str, words)])
        return subprocess.CompletedProcess([], code, out.getvalue(), err.getvalue())
    return subprocess.run(
        command(images, *words),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )


def result_of(ended: subprocess.CompletedProcess[str]) -> str:
    """The beginning of the hash, that the summary ends with."""
    found = re.search(r"^result ([0-9a-f]{12}) after step", ended.stdout, flags=re.MULTILINE)
    assert found, ended.stdout + ended.stderr
    return found[1]


def checkpoint_steps(folder: Path) -> list[int]:
    """Of the checkpoints in a folder."""
    return sorted(int(one.stem.removeprefix("step-")) for one in folder.glob("step-*.vtkhdf"))


def started(folder: Path, *words: object) -> subprocess.Popen[str]:
    """A process of its own, to be killed or interrupted."""
    return subprocess.Popen(
        command(0, *words), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for_checkpoint(process: subprocess.Popen[str], saved: Path, step: int) -> None:
    """Until there is one of this step or a later one."""
    _wait_until(process, lambda: max(checkpoint_steps(saved), default=-1) >= step)


def wait_for_file(process: subprocess.Popen[str], path: Path) -> None:
    """Until it is there."""
    _wait_until(process, path.exists)


def _wait_until(process: subprocess.Popen[str], is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + RUN_S_MAX
    has_ended = False
    while not is_so():
        assert not has_ended, process.communicate()
        if time.monotonic() > end:
            process.kill()  # or it would go on when the test has failed
        has_ended = process.poll() is not None
        time.sleep(0.002)
