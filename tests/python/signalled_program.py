# SPDX-License-Identifier: Apache-2.0
"""Programs that are sent signals while they work."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Timer

BEGUN_S = 60.0
"""What a program has to begin in, on a loaded machine."""


def left_by(
    tmp_path: Path,
    program: str,
    *signals: int,
    ended_s: float = 20.0,
    launch: Sequence[str] = (),
) -> subprocess.CompletedProcess[str]:
    """One that is sent these signals once it has printed "begun", one a second.

    It must end within `ended_s` of the last one. `launch` are words before Python's.
    """
    (tmp_path / "program.py").write_text(program)
    with subprocess.Popen(
        [*launch, sys.executable, "program.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as run:
        begun = Timer(BEGUN_S, run.kill)
        begun.start()
        try:
            assert run.stdout is not None
            assert run.stdout.readline() == "begun\n"
            begun.cancel()
            for number in signals:
                time.sleep(1)
                run.send_signal(number)
            out, err = run.communicate(timeout=ended_s)
        finally:
            begun.cancel()
            run.kill()
    return subprocess.CompletedProcess(run.args, run.returncode, out, err)
