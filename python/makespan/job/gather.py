# SPDX-License-Identifier: Apache-2.0
"""What image 0 has found, for all images of a job."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from makespan.base.engine import load_engine
from makespan.base.errors import EngineError
from makespan.job.callers_level import callers_level
from makespan.job.collective import Collective, loss_before
from makespan.job.failure import Failure
from makespan.job.launcher import is_later_image
from makespan.job.stopping import is_left_behind
from makespan.job.teams import made

T = TypeVar("T")
WAIT_S = 0.05
"""Between two looks for Ctrl-C."""


def gathered(work: Callable[[], T | None], gather: str) -> T | None:
    """What `work` returns on image 0, there, or on all images with gather="all".

    Collective, as `work` is. With "all" every image raises what image 0 does, `EngineError` where
    pickle refuses the result. Where an image was lost meanwhile no other hears of the result: image
    0 returns it with a `RuntimeWarning`, the others raise `EngineError`.
    """
    if gather == "first" or load_engine().images_launched() == 1:
        return work()
    result: Any = None
    own: BaseException | None = None
    with Collective() as together:
        try:
            result = work()
        except BaseException as caught:  # a program's exit, too: the others wait for this image
            if is_left_behind():
                raise  # they are in a run that does not end
            own = caught
        lost = loss_before()
        if not lost:
            shared, failure = shared_by_first((result, None if own is None else Failure(own)))
        together.complete()
    if lost:
        return _kept_by_first(result, own, lost)
    if own is not None and not isinstance(own, Exception | KeyboardInterrupt):
        raise own  # an image that exits does so, whatever image 0 has found
    if failure is not None:
        raise failure.error
    found: T | None = shared
    return found


def _kept_by_first(result: T | None, own: BaseException | None, lost: str) -> T | None:
    if own is not None:
        raise own
    if is_later_image():
        raise EngineError(f"{lost}: what the first image has found cannot come to this one")
    why = f"{lost}, and the first image alone has the result"
    warnings.warn(why, RuntimeWarning, stacklevel=callers_level())
    return result


class _Receiver:
    """What the engine calls of a run without items."""

    def __init__(self) -> None:
        self.data = b""

    def receive(self, data: bytes) -> None:
        self.data = data


def shared_by_first(
    found: tuple[Any, Failure | None],
) -> tuple[Any, Failure | None]:
    """What image 0 has found, by pickle, on all. Collective; blocks for all images.

    Where pickle refuses it, a failure that says so, on image 0, too.
    """
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
            found, data = _sent(found)
            team.share(data)
        together.finish(team)
    if team.image != 0:
        found = pickle.loads(receiver.data)  # noqa: S301, our own
    return found


def _sent(found: tuple[Any, Failure | None]) -> tuple[tuple[Any, Failure | None], bytes]:
    """What the images get, and its bytes."""
    try:
        return found, pickle.dumps(found)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        told = EngineError(f"the result cannot travel to the other images ({what})")
        return _sent((None, Failure(told)))
