# SPDX-License-Identifier: Apache-2.0
"""The images of a job: one of them prices, the others lend it their devices."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from makespan.base.engine import Engine, Team
from makespan.job.teams import joined, serve
from makespan.pricing.input import Settings

if TYPE_CHECKING:
    from makespan.pricing.speed_memory import SpeedMemory


@dataclass(frozen=True, slots=True)
class Session:
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
        if self.team is not None and self.memory is not None:
            serve(self.team)
            self.memory.keep(self.team.speeds())


@contextmanager
def joined_session(engine: Engine, settings: Settings) -> Iterator[Session]:
    """Joins the job that this process was launched as a part of (mpiexec), and ends it.

    Collective over its images, both ways; blocks for all of them. A process that was not launched
    is a job of its own. Raises `InputError` for settings and devices that cannot be had.
    """
    if engine.images_launched() == 1:
        yield Session()
        return
    from makespan.pricing.speed_memory import speed_memory

    settings.check(engine)
    memory = speed_memory(engine, settings)
    given = settings.for_engine(engine) | {"speeds": memory.remembered()}
    with joined(lambda: engine.PricingTeam(given)) as team:
        yield Session(team, memory)
