# SPDX-License-Identifier: Apache-2.0
"""Questions to the simulator's processes: none of them stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from makespan.base.errors import EngineError, InputError
from sanitizer_reports import is_trial
from with_simulator import needs_simulator

from makespan.sim import subprocess_run

pytestmark = needs_simulator
BEGUN_S_MAX = 60.0


def press_when_read(pipe: Path) -> None:
    """Ctrl-C once a process reads the pipe, to which none writes."""
    end = time.monotonic() + BEGUN_S_MAX
    while time.monotonic() < end:
        try:
            writer = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # no reader yet
            time.sleep(0.05)
            continue
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1.0)
        os.close(writer)
        return


def test_ctrl_c_ends_the_process_that_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Method: the hosts of a platform that is a pipe."""
    begun: list[subprocess.Popen[str]] = []
    popen = subprocess.Popen

    def remembered(*given: Any, **more: Any) -> subprocess.Popen[str]:
        begun.append(popen(*given, **more))
        return begun[-1]

    monkeypatch.setattr(subprocess_run.subprocess, "Popen", remembered)
    pipe = tmp_path / "platform.xml"
    os.mkfifo(pipe)
    presser = threading.Thread(target=press_when_read, args=(pipe,))
    presser.start()

    with pytest.raises(KeyboardInterrupt):
        subprocess_run.answer({"platform": str(pipe)})

    assert [one.returncode for one in begun] == [-signal.SIGKILL]
    presser.join()


def test_only_a_process_that_tries_a_file_is_named_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """SimGrid dies of some files: sanitizers' reports of such processes are looked at by name."""
    begun: list[list[str]] = []
    popen = subprocess.Popen

    def remembered(command: list[str], **more: Any) -> subprocess.Popen[str]:
        begun.append(command)
        return popen(command, **more)

    monkeypatch.setattr(subprocess_run.subprocess, "Popen", remembered)
    for job in ({"platform": "/none.xml"}, {"machine": "none"}):
        with pytest.raises((InputError, EngineError)):
            subprocess_run.answer(job)

    assert [is_trial(command) for command in begun] == [True, False]


def test_last_words_are_none_of_a_backtrace() -> None:
    said = (
        "[0.000000] [ker_engine/CRITICAL] Oops! Deadlock detected\n"
        "Backtrace (displayed in process maestro):\n"
        "  ->  #0 simgrid::xbt::Backtrace in libsimgrid.so.3.32\n"
        "  ->  #1 smx_ctx_wrapper in libsimgrid.so.3.32\n"
    )

    words = subprocess_run._last_words(said)

    assert words == "[0.000000] [ker_engine/CRITICAL] Oops! Deadlock detected"
    assert subprocess_run._last_words("\n") == "it has said nothing"
