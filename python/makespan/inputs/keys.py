# SPDX-License-Identifier: Apache-2.0
"""Keys of input files: each with its default, its limits and its meaning."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

INT32_MAX = 2**31 - 1
STEPS_MAX = 2**53

Fits = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Key:
    """One line of an input file. `fits` tells whether a value can be used, `right` what can."""

    section: str
    name: str
    default: Any
    fits: Fits
    right: str
    meaning: str


def is_whole(least: int, most: int) -> Fits:
    """Whole numbers from `least` to `most`."""
    # TOML's true is a Python int.
    return lambda value: type(value) is int and least <= value <= most


def is_finite(value: Any) -> bool:
    """Numbers that fit into a double; TOML's whole numbers have as many digits as they like."""
    try:
        return type(value) in (int, float) and math.isfinite(value)
    except OverflowError:
        return False


def is_number(*, above_zero: bool) -> Fits:
    """Finite numbers above 0, or from 0 on."""
    return lambda value: is_finite(value) and bool(value > 0 if above_zero else value >= 0)


def is_list(fits: Fits, length: int | None = None) -> Fits:
    """Lists of what fits, of any length or of one."""
    return lambda value: (
        isinstance(value, list)
        and (length is None or len(value) == length)
        and all(map(fits, value))
    )


def is_triple(least: int) -> Fits:
    """Three whole numbers from `least` on."""
    return is_list(is_whole(least, INT32_MAX), 3)


def is_one_of(words: Sequence[str]) -> Fits:
    """One of some words."""
    return lambda value: isinstance(value, str) and value in words


ABOVE = (is_number(above_zero=True), "give a number above 0")
FROM_0 = (is_number(above_zero=False), "give a number, 0 or above")
COUNT = (is_whole(1, INT32_MAX), "give a whole number of at least 1")
STEPS = (is_whole(1, STEPS_MAX), "give a whole number of steps, at least 1")


def one_of(words: Sequence[str]) -> tuple[Fits, str]:
    """The check of a key that is one of some words, and what is said of others."""
    texts = [toml_text(word) for word in words]
    return is_one_of(words), f"give {', '.join(texts[:-1])} or {texts[-1]}"


def sections_of(keys: Sequence[Key]) -> tuple[str, ...]:
    """In the order in which their keys come."""
    return tuple(dict.fromkeys(key.section for key in keys))


def example_text(head: str, keys: Sequence[Key]) -> str:
    """An input file that says what is the default anyway."""
    lines = [head]
    for section in sections_of(keys):
        mine = [key for key in keys if key.section == section]
        texts = [f"{key.name} = {toml_text(key.default)}" for key in mine]
        width = max(map(len, texts)) + 2
        lines.append(f"\n[{section}]\n")
        lines += [f"{text:{width}}# {key.meaning}\n" for text, key in zip(texts, mine, strict=True)]
    return "".join(lines)


def toml_text(value: object) -> str:
    """A value as it stands in a file, shortened where it is long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)  # the same escapes
    elif isinstance(value, list):
        text = f"[{', '.join(map(toml_text, value))}]"
    else:
        text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."
