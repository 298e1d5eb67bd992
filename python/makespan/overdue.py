# SPDX-License-Identifier: Apache-2.0
"""Work that takes far longer than was predicted, in words."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any


def warn_of_run(text: str) -> None:
    """A run goes on, but not as it should."""
    warnings.warn(text, RuntimeWarning, stacklevel=2)


def overdue_text(note: Mapping[str, Any], what: str) -> str:
    """Of a piece of work of a device: its beginning, `what`, names it."""
    device = note["device"] if not note["image"] else f"{note['device']} of image {note['image']}"
    if note["lost"]:
        return (
            f"a thread of device {device} has not answered for {note['seconds']:.3g} s at {what}: "
            "it is taken as lost, and its work goes to others"
        )
    return (
        f"a thread of device {device} has been at {what} for {note['seconds']:.3g} s"
        f"{_against(note)}: its work goes to others, too"
    )


def _against(note: Mapping[str, Any]) -> str:
    predicted = note["predicted_s"]
    return f", {note['seconds'] / predicted:.0f} times what was predicted" if predicted > 0 else ""


def item_text(first: int, last: int, seconds: float, predicted_s: float, *, lost: bool) -> str:
    """Of items `first` .. `last - 1` of a list."""
    what = f"item {first}" if last == first + 1 else f"one of items {first} to {last - 1}"
    if lost:
        return f"{what} has not ended for {seconds:.3g} s: its thread is left behind with it"
    against = _against({"seconds": seconds, "predicted_s": predicted_s})
    return f"{what} has taken {seconds:.3g} s so far{against}"
