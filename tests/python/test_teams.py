# SPDX-License-Identifier: Apache-2.0
"""Tests of `makespan.job.teams`: who works and who serves."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field

from makespan.job.teams import on_first_image


@dataclass
class Team:
    """A team of which nothing is asked but to serve."""

    image: int
    served: list[int] = field(default_factory=list)

    def serve(self) -> None:
        """As the engine's."""
        self.served.append(self.image)


def test_image_0_works_and_does_not_serve() -> None:
    """What the work returns is what the caller gets."""
    team = Team(0)

    assert on_first_image(nullcontext(team), lambda joined: joined is team) is True
    assert not team.served


def test_the_others_serve_and_do_not_work() -> None:
    """They have nothing to return."""
    team = Team(2)
    worked: list[Team] = []

    assert on_first_image(nullcontext(team), worked.append) is None
    assert team.served == [2]
    assert not worked
