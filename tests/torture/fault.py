# SPDX-License-Identifier: Apache-2.0
"""What a round, or a crash state, is found guilty of."""

from __future__ import annotations


class Fault(Exception):  # noqa: N818 - it is found in others, not raised by them
    """A sentence that says what is wrong."""


def expect(condition: object, sentence: str) -> None:
    """Raises `Fault` where something is not as it should be."""
    if not condition:
        raise Fault(sentence)
