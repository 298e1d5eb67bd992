# SPDX-License-Identifier: Apache-2.0
"""One way to run a Python function on many short items.

``python map_tasks.py WAY ITEMS MICROSECONDS`` prints one line of JSON: the seconds from the first
call to the last result, with two workers that are there already. Items last a quarter to seven
quarters of the given time, by a fixed pattern.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

WORKERS = 2
LENGTHS = 64
"""Different lengths, in an order that is neither rising nor falling."""

ITEM_S = float(sys.argv[3]) * 1e-6 if len(sys.argv) > 3 else 0.0
"""Also in worker processes, which import this file."""


def seconds_of(item: int) -> float:
    """What an item takes."""
    return ITEM_S * (0.25 + 1.5 * (item * 37 % LENGTHS) / (LENGTHS - 1))


def work(item: int, seconds: float | None = None) -> int:
    """Compute for as long as the item takes."""
    end = time.perf_counter() + (seconds_of(item) if seconds is None else seconds)
    while time.perf_counter() < end:
        pass
    return item + 1


def timed(run: Callable[[Sequence[int]], Sequence[int]], items: int) -> float:
    """Warm up, run, check, and return the seconds."""
    run(range(WORKERS))
    begin = time.perf_counter()
    results = run(range(items))
    taken = time.perf_counter() - begin
    if list(results) != list(range(1, items + 1)):
        raise SystemExit("wrong results")
    return taken


def by_makespan(items: int) -> float | None:
    """As images of a job (mpiexec -n 2); image 0 reports."""
    from makespan.job.launcher import is_later_image

    import makespan

    taken = timed(lambda every: makespan.map(work, every, gather="all"), items)
    return None if is_later_image() else taken


def by_multiprocessing(items: int) -> float:
    """Use a pool with its own choice of chunks."""
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(WORKERS) as pool:
        return timed(lambda every: pool.map(work, every), items)


def by_mpi4py(items: int) -> float:
    """Run under mpiexec -n 3 -m mpi4py.futures: one process hands out, two work."""
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor(WORKERS) as pool:
        return timed(lambda every: list(pool.map(work, every)), items)


def by_mpi4py_chunks(items: int) -> float:
    """As `by_mpi4py`, in chunks of 100."""
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor(WORKERS) as pool:
        return timed(lambda every: list(pool.map(work, every, chunksize=100)), items)


def by_dask(items: int) -> float:
    """One future for each item, on two worker processes."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):

        def run(every: Sequence[int]) -> Any:
            return client.gather(
                client.map(work, every, [seconds_of(i) for i in every], pure=False)
            )

        return timed(run, items)


def by_ray(items: int) -> float:
    """One remote call for each item, on two worker processes."""
    import ray

    ray.init(num_cpus=WORKERS, include_dashboard=False, log_to_driver=False)
    call = ray.remote(work)
    try:
        return timed(lambda every: ray.get([call.remote(i, seconds_of(i)) for i in every]), items)
    finally:
        ray.shutdown()


WAYS = {
    "makespan": by_makespan,
    "multiprocessing": by_multiprocessing,
    "mpi4py": by_mpi4py,
    "mpi4py-chunks": by_mpi4py_chunks,
    "dask": by_dask,
    "ray": by_ray,
}


def main() -> None:
    """Run the way that the command line names."""
    items = int(sys.argv[2])
    taken = WAYS[sys.argv[1]](items)
    if taken is not None:
        work_s = sum(seconds_of(item) for item in range(items))
        print(json.dumps({"seconds": taken, "bound": work_s / WORKERS}))


if __name__ == "__main__":
    main()
