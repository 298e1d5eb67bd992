# SPDX-License-Identifier: Apache-2.0
"""Copies are found line by line, whatever stands between the lines that does not count."""

from __future__ import annotations

from pathlib import Path

import pytest
from literal_copies import LINES_MIN, Copy, literal_copies

ONE, TWO = Path("src/a.cpp"), Path("src/b.cpp")


def code(first: int, end: int) -> str:
    return "".join(
        f"  int const value_{number} = function_of_it({number});\n" for number in range(first, end)
    )


def copies(one: str, two: str) -> list[Copy]:
    return list(literal_copies({ONE: one, TWO: two}))


def test_a_stretch_that_stands_twice_is_one_copy() -> None:
    assert copies(code(0, 20), f"int other;\n{code(5, 15)}") == [Copy(TWO, 2, ONE, 6)]


def test_two_stretches_are_two_copies() -> None:
    two = f"{code(0, LINES_MIN)}int other;\n{code(10, 10 + LINES_MIN)}"

    assert [(one.line, one.original_line) for one in copies(code(0, 20), two)] == [(1, 1), (8, 11)]


@pytest.mark.parametrize("between", ["\n", "    // why\n", "#ifdef MORE\n"])
def test_what_does_not_count_hides_no_copy(between: str) -> None:
    assert len(copies(code(0, 6), between.join(code(0, 6).splitlines(keepends=True)))) == 1


@pytest.mark.parametrize("two", [code(0, LINES_MIN - 1), code(1, 2) + code(0, 1) + code(2, 6)])
def test_shorter_and_other_stretches_are_none(two: str) -> None:
    assert copies(code(0, 20), two) == []


def test_braces_alone_are_no_copy() -> None:
    assert copies("}\n" * 20, "}\n" * 20) == []
