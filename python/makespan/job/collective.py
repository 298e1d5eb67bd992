# SPDX-License-Identifier: Apache-2.0
"""What the images of a job do together: one that an exception takes out of it ends the job.

Making a team, working in it and finishing it are collective: the others wait in them for an image
that does not come, without end. They cannot be told of an exception by the team, which is not
there yet, or not any longer; nor does Python tell at its end of all exceptions (`SystemExit`, one
that the program has caught).
"""

from __future__ import annotations

import contextlib
import sys
import time
from contextvars import ContextVar
from types import TracebackType
from typing import Any, Self

from makespan.base.engine import load_engine
from makespan.base.errors import EngineError, InputError, NotConfiguredError, text_of
from makespan.job.launcher import image_launched
from makespan.job.stopping import HEARD_S, finish

_begun: list[Collective] = []
"""Those that have not been completed, nor left by all images alike."""

WITHIN_ITEM = ContextVar("within_item", default=False)
"""Whether this thread runs an item of a map, which one image has alone."""


class Collective:
    """While open, an exception ends the job unless `complete` was called, or all images raise it.

    That all raise it is so for what is wrong with arguments and settings, since all have the same.
    Raises `InputError` within an item of a map of several images, as the others do not come, and
    `EngineError` after a job that has lost an image: all that are left do, and go on.
    """

    def __enter__(self) -> Self:
        if WITHIN_ITEM.get() and load_engine().images_launched() > 1:
            raise InputError(
                "a call that all processes of a job make together was made within an item of a "
                "job: call it outside of makespan.map"
            )
        if lost := loss_before():
            raise EngineError(f"{lost}: start the program anew")
        _begun.append(self)
        return self

    def finish(self, team: Any) -> None:
        """The end of the team, after which the others wait for this image no longer."""
        try:
            finish(team)
        except RuntimeError:  # a loss, which the others notice as well
            self.complete()
            raise
        self.complete()

    def complete(self) -> None:
        """Without a team, or after its end."""
        if self in _begun:
            _begun.remove(self)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None or isinstance(error, InputError | NotConfiguredError):
            self.complete()
        elif self in _begun:
            _end_job(error)
            self.complete()  # there was no job


def loss_before() -> str:
    """What keeps this process from another job: an image that is lost; empty if nothing."""
    engine = load_engine()
    return engine.loss_in_earlier_job() if engine.images_launched() > 1 else ""


def is_left() -> bool:
    """Whether others may wait for this image, which is about to end, in one that it has left."""
    return bool(_begun)


def _end_job(error: BaseException) -> None:
    engine = load_engine()
    if engine.images_launched() == 1:
        return
    with contextlib.suppress(OSError, ValueError, AttributeError):  # the reader may have gone
        sys.stdout.flush()
        said = sys.__stderr__ or sys.stderr  # commands keep what later images say from the user
        said.write(
            f"makespan: image {image_launched()} ends the job: {type(error).__name__}: "
            f"{text_of(error)} "
            "(the others would wait for it to make, serve or finish their team): if a handler of "
            "signals raised it, that is safe once a run has begun\n"
        )
        said.flush()
        time.sleep(HEARD_S)
    engine.end_job()
