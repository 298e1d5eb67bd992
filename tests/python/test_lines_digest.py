# SPDX-License-Identifier: Apache-2.0
"""Lines of tables are those that were written with a checkpoint, or the run does not go on."""

from __future__ import annotations

from pathlib import Path

import pytest
from makespan.base.errors import InputError
from makespan.grids.lines_digest import expect_lines, lines_digest

LINES = b"step,u\n0,0.5\n5,0.25\n10,0.125\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_bytes(LINES)
    return path


def test_later_lines_do_not_count(table: Path) -> None:
    written = lines_digest(table, 10)
    table.write_bytes(LINES + b"15,0.0625\n")

    expect_lines(table, 10, written)


def test_every_flipped_bit_before_the_checkpoint_is_told(table: Path) -> None:
    written = lines_digest(table, 10)
    counted = LINES.index(b"10,")

    for bit in range(8 * counted):
        damaged = bytearray(LINES)
        damaged[bit // 8] ^= 1 << bit % 8
        table.write_bytes(damaged)
        with pytest.raises(
            InputError, match=r"table\.csv: its lines before the checkpoint are not"
        ):
            expect_lines(table, 10, written)


def test_a_line_less_is_told(table: Path) -> None:
    written = lines_digest(table, 11)
    table.write_bytes(LINES[: LINES.index(b"10,")])

    with pytest.raises(InputError, match="move it away, or go on from another checkpoint"):
        expect_lines(table, 11, written)


def test_a_file_that_was_moved_away_is_no_mistake(table: Path) -> None:
    written = lines_digest(table, 10)
    table.unlink()

    expect_lines(table, 10, written)
    assert lines_digest(table, 10) is None


def test_a_checkpoint_without_tables_tells_nothing(table: Path) -> None:
    expect_lines(table, 10, None)
