# SPDX-License-Identifier: Apache-2.0
"""The run journal of prices: one row for each finished option.

Results are stored as the exact 64-bit words that the engine gave (SQLite's own REAL turns NaN into
NULL and -0.0 into 0), so a resumed run has the bits of an undisturbed one. A row whose digest does
not agree is priced again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from makespan.files.journal_file import JournalFile, JournalKind, damaged, translating
from makespan.pricing.journal_rows import (
    Columns,
    columns_of,
    is_sound,
    result_digest,
    results_of,
)

KIND = JournalKind(
    application_id=0x4D4B5350,  # "MKSP"
    format=3,
    table="""
create table finished (
  option_key integer not null,  -- the engine's 64-bit key, as a signed number
  contract blob not null,       -- hash of the row and of the settings that change its bits
  id text not null,             -- for people
  price real,                   -- for people; the exact value is in result
  result blob not null,         -- one little-endian 64-bit word for each of header.columns
  digest blob not null,         -- of key, contract and result: journal_rows.result_digest
  primary key (option_key, contract)
) without rowid;
""",
    unit="options",
    inputs={"input_hash": "another book"},
)


class Journal(JournalFile):
    """An open journal of one book under one set of settings."""

    KIND = KIND

    def commit(
        self, keys: NDArray[np.uint64], contracts: Sequence[bytes], ids: Sequence[str], out: Columns
    ) -> None:
        """Makes these finished options durable; returns when they are on disk."""
        if not len(keys):
            return
        columns = [(name, str(column.dtype.kind)) for name, column in out.items()]
        rows = [
            (key, contract, id_, price, result, result_digest(key, contract, result))
            for key, contract, id_, price, result in zip(
                keys.astype(np.int64).tolist(),
                contracts,
                ids,
                out["price"].tolist(),
                results_of(out),
                strict=True,
            )
        ]
        with self.transaction():
            if not self._columns:
                self.note("columns", columns)
                self.stored["columns"] = columns
            self.add(rows)

    @property
    def _columns(self) -> list[tuple[str, str]]:
        """Names and kinds of what results hold; none before the first."""
        return [(name, kind) for name, kind in self.stored.get("columns", [])]

    def finished(
        self, keys: NDArray[np.uint64], contracts: Sequence[bytes]
    ) -> tuple[NDArray[np.int64], Columns]:
        """Rows (of those asked for) that the journal has, and their output columns.

        Those that are not as they were written are left out, counted in `damaged` and removed.
        """
        row_of = {
            (key, contract): row
            for row, (key, contract) in enumerate(
                zip(keys.astype(np.int64).tolist(), contracts, strict=True)
            )
        }
        rows, results = [], []
        for key, contract, result in self._sound_rows():
            row = row_of.get((key, contract))
            if row is not None:
                rows.append(row)
                results.append(result)
        return np.array(rows, dtype=np.int64), columns_of(results, self._columns)

    def _sound_rows(self) -> Iterator[tuple[int, bytes, bytes]]:
        """Keys, contracts and results."""
        size = 8 * len(self._columns)
        broken = []
        with translating(self.path):
            for row in self.connection.execute(
                "select option_key, contract, result, digest from finished"
            ):
                if not is_sound(row):
                    broken.append(row[:2])
                elif len(row[2]) != size:
                    raise damaged(self.path, "what its columns are called is gone")
                else:
                    yield row[:3]
            self.damaged = len(broken)
            remove = "delete from finished where option_key is ? and contract is ?"
            self.connection.executemany(remove, broken)
