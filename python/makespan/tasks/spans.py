# SPDX-License-Identifier: Apache-2.0
"""Which thread of which image ran each item, when, and for how long."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """One item."""

    image: int
    thread: int
    """Of the image."""
    begin: float
    """By the clock of the image's host [s]."""
    seconds: float


class Spans:
    """Of the items that this image ran; on image 0, of all whose results have come."""

    def __init__(self, image: int) -> None:
        self._image = image
        self._found: dict[int, Span] = {}

    def add(self, index: int, thread: int, seconds: float) -> None:
        """An item that has ended now. Callable from any thread."""
        self._found[index] = Span(self._image, thread, time.time() - seconds, seconds)

    def of(self, items: Iterable[int]) -> dict[int, Span]:
        """As they travel with the items' results."""
        return {index: self._found[index] for index in items}

    def take(self, spans: dict[int, Span]) -> None:
        """What came with results of another image."""
        self._found.update(spans)

    def by_item(self) -> list[tuple[int, Span]]:
        """In the order of items."""
        return sorted(self._found.items())
