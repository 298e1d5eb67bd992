# SPDX-License-Identifier: Apache-2.0
"""`python -m makespan.sim.one_run`: a job as JSON on stdin, the answer on stdout.

A job of a bag, or `{"platform": path}`, whose hosts are asked for. A process of its own, since the
simulator has one engine in each.
"""

from __future__ import annotations

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)  # who began it hears Ctrl-C, and ends it

import json  # noqa: E402
import sys  # noqa: E402

from makespan.base.engine import load_engine  # noqa: E402


def main() -> int:
    """Exit code 2 with a message for an invalid job, 3 without a simulator."""
    engine = load_engine()
    try:
        job = json.load(sys.stdin)
        is_platform = "platform" in job
        result = engine.platform_hosts(job["platform"]) if is_platform else engine.simulate_bag(job)
    except ValueError as error:
        sys.stderr.write(str(error))
        return 2
    except NotImplementedError as error:
        sys.stderr.write(str(error))
        return 3
    json.dump(result, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
