# SPDX-License-Identifier: Apache-2.0
"""Run a command in a process of its own and measure it: wall time, processor time, peak memory.

A child's peak memory starts from that of the process that forked it, so a harness that has loaded
data frames would report its own. Hence a small program in between: ``python -I -S child_usage.py
COMMAND...`` runs the command with its output discarded and prints one line of JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time


def main() -> int:
    """Measure the command in argv."""
    start_s = time.perf_counter()
    process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall_s = time.perf_counter() - start_s
    peak_bytes = used.ru_maxrss * 1024  # Linux counts in KiB
    processor_s = used.ru_utime + used.ru_stime
    print(json.dumps({"wall_s": wall_s, "processor_s": processor_s, "peak_bytes": peak_bytes}))
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main())
