# SPDX-License-Identifier: Apache-2.0
"""A simulation's own process: it ends with the process that began it, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

LIMIT_S = 60.0
BEGUN = """
import os, subprocess, sys, time
from makespan.base.own_python import python_command
run = subprocess.Popen(python_command("-m", "makespan.sim.one_run", PARENT), stdin=JOB, text=True)
print(run.pid, flush=True)
time.sleep(600)
"""


def begun(job: int, parent: str) -> tuple[subprocess.Popen[str], int]:
    """A process that has begun a simulation, whose job comes from `job`; and the simulation's."""
    text = BEGUN.replace("JOB", str(job)).replace("PARENT", parent)
    process = subprocess.Popen(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, text=True, pass_fds=(job,)
    )
    assert process.stdout is not None
    with process.stdout as said:
        return process, int(said.readline())


def has_simulator(pid: int) -> bool:
    """Whether it has loaded the simulator, and so has asked for the end of its parent."""
    return "_simulator" in Path(f"/proc/{pid}/maps").read_text()


def is_there(pid: int) -> bool:
    """Not a zombie, which waits for a parent that does not ask."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int) -> None:
    end = time.monotonic() + LIMIT_S
    while is_there(pid):
        assert time.monotonic() < end, f"{pid} goes on without the process that began it"
        time.sleep(0.02)


def test_it_ends_when_the_process_that_began_it_is_killed() -> None:
    """Method: a job that never comes, since the test holds the pipe's other end open."""
    job, other_end = os.pipe()
    process, pid = begun(job, "str(os.getpid())")
    try:
        end = time.monotonic() + LIMIT_S
        while not has_simulator(pid):
            assert time.monotonic() < end
            time.sleep(0.02)
        assert is_there(pid)

        process.kill()

        wait_until_gone(pid)
    finally:
        process.kill()
        process.wait()
        os.close(job)
        os.close(other_end)


def test_it_ends_where_that_process_was_gone_before() -> None:
    job, other_end = os.pipe()
    process, pid = begun(job, "str(os.getppid())")
    try:
        wait_until_gone(pid)
        assert process.poll() is None
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        os.close(job)
        os.close(other_end)
