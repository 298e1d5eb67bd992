# SPDX-License-Identifier: Apache-2.0
"""`python -m makespan.simulation.one_run`: a job as JSON on stdin, its result on stdout.

A process of its own, since the simulator has one engine in each.
"""

from __future__ import annotations

import json
import sys

from makespan.engine import load_engine


def main() -> int:
    """Exit code 2 with a message for a job that makes no sense, 3 without a simulator."""
    engine = load_engine()
    try:
        result = engine.simulate_bag(json.load(sys.stdin))
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
