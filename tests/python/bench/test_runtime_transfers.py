# SPDX-License-Identifier: Apache-2.0
"""Tables of transfers and designs: which way counts as the better one, and what is shown of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.runtime.designs import DESIGNS, design_lines, program_of, row_of
from bench.runtime.transfers import (
    Figure,
    better_way,
    paired,
    read_case,
    size_text,
    table_lines,
    write_page,
)

# Ways: their blocks.
Blocks = dict[str, list[float]]


def figures(operation: str, size: int, blocks: Blocks) -> list[Figure]:
    """One operation of one size by each way."""
    return [Figure(operation, size, name, values) for name, values in blocks.items()]


PUT = figures(
    "put",
    8,
    {"message": [20e-6] * 3, "rma": [40e-6] * 3, "chosen": [25e-6] * 3, "ucx": [50e-6] * 3},
)
PUTS = figures(
    "put_many",
    1 << 20,
    {"message": [1e9] * 3, "rma": [2e9] * 3, "chosen": [2e9] * 3, "ucx": [4e9] * 3},
)


def test_less_time_and_more_bandwidth_are_better() -> None:
    assert better_way(PUT) == "message"
    assert better_way(PUTS) == "rma"
    assert paired(PUT, "chosen", "message") == pytest.approx(0.8)
    assert paired(PUTS, "chosen", "ucx") == pytest.approx(0.5)


def test_ratios_are_taken_block_by_block() -> None:
    slow_at_times = figures("put", 8, {"chosen": [1.0, 10.0, 1.0], "ucx": [2.0, 20.0, 2.0]})
    assert paired(slow_at_times, "chosen", "ucx") == pytest.approx(2.0)


def test_table_marks_what_misses_the_better_way() -> None:
    lines = table_lines("TCP", PUT + PUTS)
    assert "| 8 B | 20 | 40 | 25 | 50 | **0.80** | 2.00 |" in lines
    assert "| 1 MiB | 1,000 | 2,000 | 2,000 | 4,000 | 1.00 | 0.50 |" in lines


def test_sizes_are_told_in_binary_units() -> None:
    assert [size_text(size) for size in (8, 4096, 1 << 20)] == ["8 B", "4 KiB", "1 MiB"]


def test_jobs_at_the_same_time_add_their_rates() -> None:
    block = {"seconds": 2e-6, "per_second": 3e6, "bytes_per_second": 5e9}
    job = {
        f"chosen.{operation}.{size}": [block]
        for operation in ("put", "get", "put_many", "put_both_ways")
        for size in (8, 65536)
    }
    row = row_of("processes", 2, [job, job], "chosen")
    assert (row.put_s, row.puts_per_second, row.bytes_both_ways) == (2e-6, 6e6, 1e10)
    line = design_lines("node", [row])[-2]
    assert line == f"| 2 | {DESIGNS['processes']} | 2 | 2 | 6 | 10 | 10 |"


@pytest.mark.parametrize("smoke", [False, True])
def test_case_names_all_that_is_needed(*, smoke: bool) -> None:
    case = read_case(smoke=smoke)
    for transport in case["transport"]:
        words = program_of(transport, case, "chosen", 2).arguments
        assert words[words.index("--threads") + 1] == "2"
        assert words[words.index("--transports") + 1] == transport["transports"]


def test_quick_run_is_not_published(tmp_path: Path) -> None:
    result, page = tmp_path / "transfers.json", tmp_path / "page.md"
    result.write_text(json.dumps({"smoke": True}), encoding="utf-8")
    page.write_text("<!-- bench:transfers -->\nold\n<!-- /bench:transfers -->", encoding="utf-8")
    with pytest.raises(SystemExit, match="quick run"):
        write_page(page, result)
    assert "old" in page.read_text(encoding="utf-8")
