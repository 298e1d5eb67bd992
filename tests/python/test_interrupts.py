# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C asks at first and interrupts then; the tests of it work under `make test &`, too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from makespan.job.interrupts import Interrupts

ROOT = Path(__file__).resolve().parents[2]
RUN_S_MAX = 120


def test_the_first_only_asks() -> None:
    with Interrupts() as interrupts:
        assert not interrupts.asked
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupts.asked
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


def ignore_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def test_tests_that_are_started_by_a_shell_in_the_background_can_press_it() -> None:
    """Method: pytest with Ctrl-C ignored, as after "&", runs a test that presses it."""
    test = "tests/python/test_map_interrupts.py::test_ctrl_c_ends_it"
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test],
        cwd=ROOT,
        preexec_fn=ignore_ctrl_c,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )

    assert ended.returncode == 0, ended.stdout[-2000:]
