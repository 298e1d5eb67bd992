# SPDX-License-Identifier: Apache-2.0
"""What a program did to the files of a folder, as tests/crash/record_files.c records it."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

RUN_S_MAX = 120
LIBRARY = "libmakespan_record_files.so"

_HEAD = struct.Struct("<IiiIIIqqQ")


class Did(IntEnum):
    """As in record_files.c."""

    OPENED = 1
    WRITTEN = 2
    RESIZED = 3
    SYNCED = 4
    RENAMED = 5
    LINKED = 6
    UNLINKED = 7
    FOLDER_MADE = 8
    FOLDER_REMOVED = 9
    CLOSED = 10
    MAPPED = 11
    NOT_COVERED = 12
    ALL_SYNCED = 13
    DOUBLED = 14
    EXCHANGED = 15


class Opened(IntEnum):
    """What `offset` says of an opened file."""

    AS_IT_WAS = 0
    NEW = 1
    EMPTIED = 2
    FOLDER = 3


@dataclass(frozen=True)
class Record:
    """One call. Paths are whole."""

    did: Did
    process: int
    fd: int
    path: str
    other: str
    offset: int
    size: int
    data: bytes


def library() -> Path | None:
    """Where CMake has built the recorder; None where it has not."""
    root = Path(__file__).resolve().parents[2]
    preset = os.environ.get("PRESET", "release")
    path = root / "build" / preset / "tests" / "crash" / LIBRARY
    return path if path.exists() else None


def record(
    words: Sequence[str], folder: Path, variables: Mapping[str, str], log: Path
) -> list[Record]:
    """Runs Python with these words in the folder, and returns what it did below it.

    Raises `RuntimeError` if it fails.
    """
    log.unlink(missing_ok=True)
    # Behind a sanitizer's, which must be the first of all.
    loaded = os.environ.get("LD_PRELOAD", "").replace(":", " ").split()
    added = {
        "LD_PRELOAD": " ".join([*loaded, str(library())]),
        "MAKESPAN_RECORD_ROOT": str(folder),
        "MAKESPAN_RECORD_LOG": str(log),
    }
    ended = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, **variables, **added},
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )
    if ended.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {ended.stderr}{ended.stdout}")
    return records_of(log.read_bytes())


def records_of(data: bytes) -> list[Record]:
    """The records of a log, in order."""
    found = []
    at = 0
    while at < len(data):
        did, process, fd, path, other, _, offset, size, length = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        parts = []
        for part in (path, other, length):
            parts.append(data[at : at + part])
            at += part
        texts = [os.fsdecode(part) for part in parts[:2]]
        found.append(Record(Did(did), process, fd, texts[0], texts[1], offset, size, parts[2]))
    return found
