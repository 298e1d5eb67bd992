# SPDX-License-Identifier: Apache-2.0
"""A recording, operation by operation, on a disk that can lose power after each."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.crash.disk import Change, Disk, File, Folder, Node
from tests.crash.recording import Did, Opened, Record

MARKS = ".marks"
"""A file that recorded programs write to say what they have been promised; on no disk."""


@dataclass(frozen=True)
class Moment:
    """After one operation."""

    number: int
    record: Record
    mark: str
    """The last line that the program had written to its marks."""
    disk: Disk


class NotCoveredError(Exception):
    """The program did what a recording does not show."""


MAPPED = ("-shm",)
"""Files with such an end are written by a map: SQLite makes its index anew from the log."""


class Replay:
    """One recording."""

    def __init__(self, root: Path, first: Mapping[str, bytes | None]) -> None:
        self._root = str(root)
        self.disk = Disk(first)
        self._open: dict[tuple[int, int], tuple[str, Node | None]] = {}
        self._mark = ""

    def moments(self, records: Sequence[Record]) -> Iterator[Moment]:
        """Those after which the disk is not as before, or more has been promised of it."""
        for number, one in enumerate(records):
            if self._replay(one):
                yield Moment(number, one, self._mark, self.disk)

    def _replay(self, one: Record) -> bool:
        """Whether the disk may have changed, or the mark."""
        path, other = (self._below(text) for text in (one.path, one.other))
        match one.did:
            case Did.OPENED:
                return self._opened(one, path)
            case Did.CLOSED:
                self._open.pop((one.process, one.fd), None)
                return False
            case Did.DOUBLED:
                self._open[one.process, one.size] = self._open[one.process, one.fd]
                return False
            case Did.NOT_COVERED:
                raise NotCoveredError(one.path)
            case Did.ALL_SYNCED:
                self.disk.sync_all()
            case Did.WRITTEN | Did.RESIZED | Did.SYNCED | Did.MAPPED:
                return self._on_open(one)
            case _:
                self._on_names(one.did, path, other)
        return True

    def _on_names(self, did: Did, path: str, other: str) -> None:
        match did:
            case Did.RENAMED:
                self.disk.rename(path, other)
            case Did.EXCHANGED:
                self.disk.exchange(path, other)
            case Did.LINKED:
                self.disk.add(other, self.disk.find(path))
            case Did.FOLDER_MADE:
                self.disk.add(path, Folder())
            case Did.UNLINKED | Did.FOLDER_REMOVED:
                self.disk.remove(path)

    def _opened(self, one: Record, path: str) -> bool:
        if path == MARKS:
            self._open[one.process, one.fd] = (path, None)
            return False
        if one.offset == Opened.NEW:
            self.disk.add(path, File())
        node = self.disk.find(path)
        if one.offset == Opened.EMPTIED and isinstance(node, File):
            node.pending.append(Change(0, None))
        self._open[one.process, one.fd] = (path, node)
        return one.offset in (Opened.NEW, Opened.EMPTIED)

    def _on_open(self, one: Record) -> bool:
        path, node = self._open[one.process, one.fd]
        if path == MARKS:
            if one.did is not Did.WRITTEN:
                return False
            # The last mark is followed by no change.
            self._mark = one.data.decode().split()[-1]
            return True
        if one.did is Did.MAPPED:
            if not path.endswith(MAPPED):
                raise NotCoveredError(f"{path} is written by way of a map")
            return False
        if isinstance(node, Folder):
            self.disk.sync(node)
        elif isinstance(node, File):
            _change(node, one)
        return True

    def _below(self, path: str) -> str:
        below = posixpath.normpath(path).removeprefix(self._root).strip("/") if path else ""
        return "" if below == "." else below


def _change(file: File, one: Record) -> None:
    match one.did:
        case Did.SYNCED:
            file.sync()
        case Did.WRITTEN:
            file.pending.append(Change(one.offset, one.data))
        case Did.RESIZED:
            file.pending.append(Change(one.size, None))
