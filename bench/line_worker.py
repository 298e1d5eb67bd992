# SPDX-License-Identifier: Apache-2.0
"""The worker side of the bench protocol for Python programs: lines in, lines of JSON out."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

Reply = dict[str, float]
Runner = Callable[[list[str], int], Reply]


def serve(run: Runner) -> None:
    """Answer ``run WORD...`` requests until the input ends.

    `run` gets the words and a seed that differs from request to request. A failure is answered, not
    fatal, so that one wrong case does not end a comparison.
    """
    for seed, line in enumerate(sys.stdin, start=1):
        print(json.dumps(answer(run, line.split(), seed)), flush=True)


def answer(run: Runner, words: list[str], seed: int) -> dict[str, object]:
    """Return the reply to one request, or what went wrong with it.

    `waited_seconds` is the wall time during which the process did not have a core.
    """
    if not words or words[0] != "run":
        return {"error": f"unknown request {' '.join(words)!r} (a request is 'run WORD...')"}
    start_s, processor_start_s = time.perf_counter(), time.process_time()
    try:
        reply = dict(run(words[1:], seed))
    except Exception as error:  # whatever a peer throws goes to the harness
        return {"error": f"{type(error).__name__}: {error}"}
    processor_s = time.process_time() - processor_start_s
    waited_s = max(0.0, time.perf_counter() - start_s - processor_s)
    return {**reply, "waited_seconds": waited_s}
