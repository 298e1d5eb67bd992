# SPDX-License-Identifier: Apache-2.0
"""The images of a job: one of them prices, the others lend it their devices."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from makespan.engine import Engine, Team
from makespan.errors import EngineError
from makespan.settings import Settings

if TYPE_CHECKING:
    from makespan.memory import SpeedMemory


@dataclass(frozen=True, slots=True)
class Job:
    """This process's part in a job; alone it has no team."""

    team: Team | None = None
    memory: SpeedMemory | None = None
    """Of this image's own machine."""

    @property
    def is_serving(self) -> bool:
        """Whether another image reads, prices and writes."""
        return self.team is not None and self.team.image != 0

    def serve(self) -> None:
        """Works for image 0; blocks until that has ended. Raises `EngineError` if it is lost."""
        if self.team is None or self.memory is None:
            return
        # Ctrl-C reaches every image of a job; image 0 decides what it means.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self.team.serve()
            self.memory.keep(self.team.speeds())
        except RuntimeError as error:
            raise EngineError(f"image {self.team.image}: {error}") from error
        finally:
            signal.signal(signal.SIGINT, before)


@contextmanager
def joined_job(engine: Engine, settings: Settings) -> Iterator[Job]:
    """Joins the job that this process was launched as a part of (mpiexec), and ends it.

    Collective over its images, both ways; blocks for all of them. A process that was not launched
    is a job of its own. Raises `InputError` for settings and devices that cannot be had.
    """
    if engine.images_launched() == 1:
        yield Job()
        return
    from makespan.memory import speed_memory
    from makespan.teams import joined

    settings.check(engine)
    memory = speed_memory(engine, settings)
    given = settings.for_engine(engine) | {"speeds": memory.remembered()}
    with joined(lambda: engine.PricingTeam(given)) as team:
        yield Job(team, memory)
