# SPDX-License-Identifier: Apache-2.0
"""Tests of `makespan.job.teams`: who works and who serves."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial

import pytest
from makespan.base.errors import EngineError, InputError
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


def test_what_the_extension_raises_is_an_engine_error() -> None:
    """As where an image is lost: docstrings promise that class, and nanobind knows only its own."""
    grown = {1: 1}
    numbers = iter(grown)
    grown[2] = 2
    # Of C, as the extension is: it leaves no frame of Python.
    fails = partial(next, numbers)

    with pytest.raises(EngineError, match="changed size") as caught:
        on_first_image(nullcontext(Team(0)), fails)

    assert type(caught.value.__cause__) is RuntimeError


@pytest.mark.parametrize("own", [RuntimeError("mine"), RecursionError("mine"), InputError("mine")])
def test_what_users_functions_raise_comes_out_as_it_is(own: Exception) -> None:
    """A callback's error says what went wrong there; it is not the engine's."""

    def callback(_: Team) -> None:
        raise own

    with pytest.raises(type(own)) as caught:
        on_first_image(nullcontext(Team(0)), callback)

    assert caught.value is own
