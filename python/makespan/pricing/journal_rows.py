# SPDX-License-Identifier: Apache-2.0
"""What stands in a row of the journal: results as exact bits, and a digest over all of it.

SQLite finds damage of its own pages only where it breaks their structure; a bit of a price that a
disk lost would come back as another price. The digest is BLAKE2b of 16 bytes; it takes 0.7 us for
a row that takes 4 us to write (EPYC of 2021, 200 000 rows, November 2026).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from makespan.files.journal_file import digest_of

Columns = dict[str, NDArray[Any]]


def result_digest(key: int, contract: bytes, result: bytes) -> bytes:
    """Of a finished option: its signed 64-bit key, its contract's hash (16 bytes), its words."""
    return digest_of(key.to_bytes(8, "little", signed=True) + contract + result)


def is_sound(row: tuple[Any, ...]) -> bool:
    """Whether key, contract, result and digest, as SQLite gave them, are those of one commit."""
    key, contract, result, digest = row
    has_types = type(key) is int and isinstance(contract, bytes) and isinstance(result, bytes)
    return has_types and digest == result_digest(key, contract, result)


def results_of(out: Mapping[str, NDArray[Any]]) -> list[bytes]:
    """Each row's results as little-endian 64-bit words, one for each column."""
    words = np.stack([_words(column) for column in out.values()], axis=1)
    return [row.tobytes() for row in words]


def columns_of(results: Iterable[bytes], columns: list[tuple[str, str]]) -> Columns:
    """The same as columns; `columns` are names and kinds."""
    table = np.frombuffer(b"".join(results), dtype="<u8").reshape(-1, max(1, len(columns)))
    return {name: _of_words(table[:, place], kind) for place, (name, kind) in enumerate(columns)}


def _words(column: NDArray[Any]) -> NDArray[Any]:
    """Each value as a little-endian 64-bit word: doubles bit for bit, whole numbers signed."""
    wide = column.astype("<f8" if column.dtype.kind == "f" else "<i8")
    return wide.view("<u8")


def _of_words(words: NDArray[Any], kind: str) -> NDArray[Any]:
    view = np.ascontiguousarray(words).view("<f8" if kind == "f" else "<i8")
    return view.astype(np.float64 if kind == "f" else np.int64)
