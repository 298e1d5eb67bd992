# SPDX-License-Identifier: Apache-2.0
"""Teams of the engine: image 0 commands, the others serve, and all end together."""

from __future__ import annotations

import contextlib
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

from makespan.base.errors import EngineError, InputError, MakespanError, NotConfiguredError
from makespan.job.callers_level import is_inside
from makespan.job.collective import Collective
from makespan.job.late_images import told_if_late
from makespan.job.stopping import expect_none_left

Outcome = TypeVar("Outcome")


@contextmanager
def joined(make: Callable[[], Any]) -> Iterator[Any]:
    """The team that `make` makes, which is finished in the end. Collective, both ways.

    Raises `InputError` and `NotConfiguredError` for teams that cannot be had, `EngineError` while
    a run from before is at work. An exception that keeps this image from making it, serving in it
    (those other than 0) or finishing it ends the job.
    """
    with Collective() as together:
        expect_none_left()
        team = made(make)
        try:
            yield team
        except BaseException as error:
            # Image 0 goes on to send orders to an image that does not serve.
            if team.image == 0 or isinstance(error, MakespanError):
                with contextlib.suppress(RuntimeError):  # what ended the run says more
                    together.finish(team)
            raise
        together.finish(team)


def made(make: Callable[[], Any]) -> Any:
    """A team; all images raise alike what is wrong with its settings."""
    try:
        with told_if_late():
            return make()
    except ValueError as error:
        raise InputError(str(error)) from error
    except NotImplementedError as error:
        raise NotConfiguredError(str(error)) from error


def on_first_image(
    joining: AbstractContextManager[Any], work: Callable[[Any], Outcome]
) -> Outcome | None:
    """What `work` makes of the team on image 0; None on the others, which serve it.

    Collective. Raises what `joined` and `serve` raise; on image 0, too, `EngineError` where the
    engine says that an image is lost, or that it fails otherwise.
    """
    with engine_errors(), joining as team:
        if team.image != 0:
            serve(team)
            return None
        return work(team)


@contextmanager
def engine_errors() -> Iterator[None]:
    """Makes an `EngineError` of the `RuntimeError` that the extension has for most of the engine's.

    Those that come through a frame of a user's Python function come out as they are.
    """
    try:
        yield
    except RuntimeError as error:
        if type(error) is not RuntimeError or not _is_of_engine(error):
            raise
        raise EngineError(str(error)) from error


def _is_of_engine(error: RuntimeError) -> bool:
    """Whether all of Python that it came through is ours: the extension itself has no frames."""
    return all(is_inside(frame) for frame, _ in traceback.walk_tb(error.__traceback__))


def serve(team: Any) -> None:
    """On the other images. Raises `EngineError` where one is lost, or the work fails here alone."""
    with _ctrl_c_ignored():
        try:
            team.serve()
        except RuntimeError as error:
            raise EngineError(f"image {team.image}: {error}") from error


@contextmanager
def _ctrl_c_ignored() -> Iterator[None]:
    """Ctrl-C reaches every image of a job; image 0 decides what it means.

    Outside the main thread, where Python sets no handlers, this changes nothing, nor where a
    program handles it outside Python.
    """
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT) if is_main else None
    if before is None:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
