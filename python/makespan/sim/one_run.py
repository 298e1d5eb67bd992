# SPDX-License-Identifier: Apache-2.0
"""`python -m makespan.sim.one_run PARENT WHAT`: a job as JSON on stdin, the answer on stdout.

A job of a bag, or `{"platform": path}`, whose hosts are asked for. WHAT, `bag` or `platform`, is
for those who look at processes, and at what sanitizers report of them. A process of its own, since
the simulator has one engine in each. It ends with the process PARENT that began it, however that
ends: a simulation may take hours, and no other process would end it.
"""

from __future__ import annotations

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)  # who began it hears Ctrl-C, and ends it

import ctypes  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402

from makespan.base.engine import load_simulator  # noqa: E402
from makespan.base.errors import NotConfiguredError  # noqa: E402

PR_SET_PDEATHSIG = 1  # <sys/prctl.h>


def end_with(parent: int) -> None:
    """Has the kernel end this process when the thread that began it is gone.

    That thread waits for the answer, so it goes only with its process.
    """
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # It may have gone before it was asked for.
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def main(parent: int) -> int:
    """Exit code 2 with a message for an invalid job, 3 without a simulator."""
    end_with(parent)
    try:
        simulator = load_simulator()
        job = json.load(sys.stdin)
        if "platform" in job:
            result: object = simulator.platform_hosts(job["platform"])
        else:
            result = simulator.simulate_bag(job)
    except ValueError as error:
        sys.stderr.write(str(error))
        return 2
    except NotConfiguredError as error:
        sys.stderr.write(str(error))
        return 3
    json.dump(result, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
