# SPDX-License-Identifier: Apache-2.0
"""Teams of the engine: image 0 commands, the others serve, and all end together."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from makespan.errors import EngineError


@contextmanager
def finishing(team: Any) -> Iterator[Any]:
    """The team, which is finished in the end. Collective over its images, both ways."""
    try:
        yield team
    except BaseException:
        with contextlib.suppress(RuntimeError):  # what ended the run says more
            team.finish()
        raise
    team.finish()


def serve(team: Any) -> None:
    """On images other than 0. Raises `EngineError` when image 0 is lost, or the work fails here."""
    # Ctrl-C reaches every image of a job; image 0 decides what it means.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        team.serve()
    except RuntimeError as error:
        raise EngineError(f"image {team.image}: {error}") from error
    finally:
        signal.signal(signal.SIGINT, before)
