# SPDX-License-Identifier: Apache-2.0
"""Exceptions of `makespan.map`'s functions and listeners that are out of the ordinary."""

from __future__ import annotations

import gc
import weakref

import pytest

import makespan


class SilentError(Exception):
    """One without a text."""

    def __str__(self) -> str:
        raise ValueError


def test_an_exception_without_a_text_is_that_of_its_item() -> None:
    def refuse(_: int) -> None:
        raise SilentError

    with pytest.raises(makespan.ItemError, match=r"item \d: SilentError: \(its text raises Value"):
        makespan.map(refuse, range(3))


def test_what_cannot_be_called_is_refused() -> None:
    with pytest.raises(makespan.InputError, match="function must be callable; got int"):
        makespan.map(5, range(3))  # type: ignore[arg-type]


class RefusedError(Exception):
    """What a listener raises."""


class Refusing:
    """A listener that ends the run."""

    def __call__(self, _: makespan.Progress) -> None:
        raise RefusedError


def test_what_a_run_that_raises_had_goes_with_the_exception() -> None:
    """Goal: its team does not wait for the collector of garbage, which runs in any thread."""
    listener = Refusing()
    seen = weakref.ref(listener)
    gc.disable()
    try:
        with pytest.raises(RefusedError) as refused:
            makespan.map(abs, range(3), on_progress=listener)
        del refused, listener
        assert seen() is None
    finally:
        gc.enable()
