# SPDX-License-Identifier: Apache-2.0
"""Numbers as people read them."""

from __future__ import annotations

import math
from collections.abc import Sequence

_DECIMALS_MAX = 5
_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_TIME_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
_BYTE_UNITS = ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))
_FIXED_MAX = 1e6
_FIXED_MIN = 1e-3


def count_text(count: int, noun: str, several: str = "") -> str:
    """1 option, 2 options."""
    return f"1 {noun}" if count == 1 else f"{count} {several or f'{noun}s'}"


def listed_text(words: Sequence[str]) -> str:
    """One, two and three."""
    return " and ".join([", ".join(words[:-1]), *words[-1:]] if len(words) > 1 else words)


def rate_text(path_steps_per_s: float) -> str:
    """A rate with three digits and a prefix: 1.31 G path-steps/s."""
    return f"{prefixed_text(path_steps_per_s)} path-steps/s"


def prefixed_text(value: float) -> str:
    """Three digits and a prefix: 1.31 G, 12."""
    rounded = float(f"{value:.3g}")  # 999.7 k is 1 M
    for factor, prefix in _PREFIXES:
        if rounded >= factor:
            return f"{rounded / factor:.3g} {prefix}"
    return f"{value:.3g}"


def duration_text(seconds: float) -> str:
    """Seconds below two minutes, then minutes and hours: 1.23 s, 5 min 20 s, 3 h 05 min."""
    if seconds < 120:
        return f"{seconds:.3g} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 120:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def time_text(seconds: float, digits: int = 4) -> str:
    """With a unit of its size: 1.234 ms."""
    if not seconds:
        return "0 s"
    factor, unit = time_unit(float(f"{seconds:.{digits}g}"))
    return f"{seconds / factor:.{digits}g} {unit}"


def time_unit(seconds: float) -> tuple[float, str]:
    """The unit of its size, in seconds, and its name."""
    return next((one for one in _TIME_UNITS if seconds >= one[0]), _TIME_UNITS[-1])


def traffic_text(count: float) -> str:
    """So many bytes: 1.5 MiB, 0 B."""
    for factor, unit in _BYTE_UNITS:
        if count >= factor:
            return f"{count / factor:.4g} {unit}"
    return f"{count:.4g} B"


def value_text(value: float | None, digits: int = 6) -> str:
    """A price or Greek in at most digits + 5 characters; '-' where there is none."""
    if value is None:
        return "-"
    if value == 0 or _FIXED_MIN <= abs(value) < _FIXED_MAX:
        whole = math.floor(math.log10(abs(value))) + 1 if value else 1
        return f"{value:.{min(max(digits - whole, 0), _DECIMALS_MAX)}f}"
    return f"{value:.{max(digits - 3, 1)}g}"
