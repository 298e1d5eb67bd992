# SPDX-License-Identifier: Apache-2.0
"""What image 0 has found, for all images of a job."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, TypeVar

from makespan.base.engine import load_engine
from makespan.base.errors import EngineError
from makespan.job.collective import Collective
from makespan.job.failure import Failure
from makespan.job.teams import made

T = TypeVar("T")
WAIT_S = 0.05
"""Between two looks for Ctrl-C."""


def gathered(work: Callable[[], T | None], gather: str) -> T | None:
    """What `work` returns on image 0, there, or on all images with gather="all".

    Collective, as `work` is. With "all" every image raises what image 0 does.
    """
    if gather == "first" or load_engine().images_launched() == 1:
        return work()
    result: Any = None
    own: BaseException | None = None
    with Collective() as together:
        try:
            result = work()
        except BaseException as caught:  # a program's exit, too: the others wait for this image
            own = caught
        shared, failure = shared_by_first((result, None if own is None else Failure(own)))
        together.complete()
    if own is not None and not isinstance(own, Exception | KeyboardInterrupt):
        raise own  # an image that exits does so, whatever image 0 has found
    if failure is not None:
        raise failure.error
    found: T | None = shared
    return found


class _Receiver:
    """What the engine calls of a run without items."""

    def __init__(self) -> None:
        self.data = b""

    def receive(self, data: bytes) -> None:
        self.data = data


def shared_by_first(value: Any) -> Any:
    """The value of image 0, by pickle, on all. Collective; blocks for all images."""
    engine = load_engine()
    receiver = _Receiver()
    with Collective() as together:
        settings = {
            "devices": "cpu",
            "threads": 1,
            "dispatcher": "counter",
            "policy": "self",
            "policy_options": {},
            "timeout": 0.0,
        }
        team = made(lambda: engine.TaskTeam(settings))
        run = engine.TaskRun(team, receiver, 0, None)
        while not run.wait(WAIT_S):
            pass
        if team.image == 0:
            team.share(_pickled(value))
        together.finish(team)
    return value if team.image == 0 else pickle.loads(receiver.data)  # noqa: S301, our own


def _pickled(value: Any) -> bytes:
    try:
        return pickle.dumps(value)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        told = EngineError(f"the result cannot travel to the other images ({what})")
        return pickle.dumps((None, Failure(told)))
