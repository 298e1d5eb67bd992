# SPDX-License-Identifier: Apache-2.0
"""The flags of `makespan balance --phases`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from makespan.base.errors import InputError

if TYPE_CHECKING:
    from makespan.graph.phases import PhasesJob


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseFlags:
    """As they were given."""

    phases: int | None
    when: str
    growth: str | None
    noise: float | None
    change: Sequence[str] | None
    seed: int | None

    def job(self) -> PhasesJob | None:
        """What is to be played, if anything is. Raises `InputError`."""
        from makespan.graph.phases import PhasesJob, change_named, growth_named, when_named

        if self.phases is None:
            self._expect_nothing()
            return None
        when, every = when_named(self.when)
        growth, share = growth_named(self.growth) if self.growth else (0.0, 0.0)
        return PhasesJob(
            phases=self.phases,
            when=when,
            every=every,
            growth=growth,
            growing_share=share,
            noise=self.noise or 0.0,
            seed=1 if self.seed is None else self.seed,
            changes=tuple(change_named(text) for text in self.change or ()),
        )

    def _expect_nothing(self) -> None:
        given = {
            "--when": self.when != "auto",
            "--growth": self.growth is not None,
            "--noise": self.noise is not None,
            "--change": bool(self.change),
            "--seed": self.seed is not None,
        }
        for flag, is_given in given.items():
            if is_given:
                raise InputError(f"{flag}: it is of phases that are played: give --phases, too")
