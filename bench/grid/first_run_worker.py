# SPDX-License-Identifier: Apache-2.0
"""One run of an equation, from `import makespan` to its arrays; prints what that took.

``python first_run_worker.py gray_scott`` (or ``wave``): run by bench.grid.first_runs, with
a cache folder of its choice. Of this file nothing imports makespan before the time is taken.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np

STEPS = 10
SIZE = 128


def fields_of(after: Any) -> dict[str, Any]:
    """Return what a run left, which every process has here: there is one."""
    return dict(after.fields)


def gray_scott() -> dict[str, Any]:
    """Return two fields after some steps: the update of examples/equations/gray_scott.py.

    That program runs 6000 steps and draws pictures, which is no part of a first result.
    """
    import makespan

    def update(u, v, feed, kill):  # type: ignore[no-untyped-def]
        reaction = u * v * v
        u_new = u + 0.16 * u.laplacian() - reaction + feed * (1 - u)
        return {"u": u_new, "v": v + 0.08 * v.laplacian() + reaction - (feed + kill) * v}

    v = np.pad(np.full((16, 16), 0.25), (SIZE - 16) // 2)
    numbers = {"feed": 0.035, "kill": 0.065}
    start = {"u": 1 - 2 * v, "v": v}
    plane = makespan.grid(update, start, boundary="periodic", parameters=numbers)
    return fields_of(plane.run(STEPS))


def wave() -> dict[str, Any]:
    """Return two fields after some steps: an acoustic wave of order 8 along three axes."""
    import makespan

    def update(now, before, share):  # type: ignore[no-untyped-def]
        return {"now": 2 * now - before + share * now.laplacian(order=8), "before": now}

    u = np.zeros((SIZE // 2, SIZE // 2, SIZE // 2))
    u[SIZE // 8 : SIZE // 4] = 0.01
    start = {"now": u, "before": u}
    box = makespan.grid(update, start, boundary="periodic", parameters={"share": 0.1})
    return fields_of(box.run(STEPS))


def main() -> None:
    """Run what is asked for."""
    run = {"gray_scott": gray_scott, "wave": wave}[sys.argv[1]]
    begin = time.perf_counter()
    fields = run()
    seconds = time.perf_counter() - begin
    if not all(np.isfinite(values).all() for values in fields.values()):
        sys.exit("first_run_worker: a value is no number")
    print(json.dumps({"seconds": seconds}))


if __name__ == "__main__":
    main()
