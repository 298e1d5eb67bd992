# SPDX-License-Identifier: Apache-2.0
"""Descriptions in files, each read once, as it may be a pipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError
from makespan.files.text_file import file_text
from makespan.settings.from_python import plain
from makespan.settings.input_file import parsed_toml

BYTES_MAX = 1 << 26
"""As of a platform: a machine that was measured may have a kind for each of its devices."""
PLATFORM_SUFFIX = ".xml"
"""Of a SimGrid platform."""
HINT = "`makespan simulate --example` shows one"


@dataclass(frozen=True, slots=True)
class DescriptionFile:
    """What is in one."""

    path: Path
    text: str
    tables: dict[str, Any]


Description = str | PathLike[str] | Mapping[str, Any]
Opened = DescriptionFile | Path | Mapping[str, Any]


def opened(description: object) -> Opened:
    """A description's file, read; a SimGrid platform's path, as SimGrid reads it; tables at hand.

    Raises `InputError`.
    """
    known = described(description)
    if isinstance(known, Mapping):
        return known
    path = Path(known)
    return path if path.suffix == PLATFORM_SUFFIX else read_description(path, HINT)


def described(description: object) -> Description:
    """A path, or tables with Python's own numbers and lists. Raises `InputError` for all else."""
    if isinstance(description, Mapping):
        tables: Mapping[str, Any] = plain(description)
        return tables
    if isinstance(description, str | PathLike):
        return description
    kind = type(description).__name__
    raise InputError(f"description must be a path or tables, a dict of them; got {kind}")


def read_description(path: Path, hint: str) -> DescriptionFile:
    """Raises `InputError`, which ends with the hint."""
    text = file_text(path, BYTES_MAX, hint)
    return DescriptionFile(path, text, parsed_toml(path, text, hint))
