# SPDX-License-Identifier: Apache-2.0
"""What comes of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PiResult:
    """Pi, of so many darts."""

    pi: float
    darts: int

    def _repr_html_(self) -> str:
        return f"<p>pi is about {self.pi:.6f} ({self.darts} darts)</p>"
