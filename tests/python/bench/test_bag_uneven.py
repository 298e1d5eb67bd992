# SPDX-License-Identifier: Apache-2.0
"""The bench of uneven items: their lengths, and that a quick run fills every row."""

from __future__ import annotations

from pathlib import Path

import pytest
from job_programs import MPIEXEC, needs_mpi

from bench.bag import uneven
from bench.bag.__main__ import CASES
from bench.bag.uneven_tasks import lengths_of
from bench.case import Scale
from bench.result import Outcome


def test_lengths_spread_as_asked_in_no_order() -> None:
    lengths = lengths_of(1000, 0.1, 1000.0)

    assert max(lengths) == 0.1
    assert min(lengths) == pytest.approx(1e-4)
    assert lengths != sorted(lengths)
    assert lengths == lengths_of(1000, 0.1, 1000.0)


@needs_mpi
def test_a_quick_run_fills_every_row(tmp_path: Path) -> None:
    """The package under test runs, and of a build no more than its mpiexec is asked for."""
    (tmp_path / "CMakeCache.txt").write_text(f"MPIEXEC_EXECUTABLE:FILEPATH={MPIEXEC}\n")
    case = uneven.read_case(CASES / "uneven_tasks.toml", Scale.SMOKE)
    outcome = Outcome()

    uneven.run_case(case, tmp_path, outcome, lambda _: None)

    assert [row.name for row in outcome.rows] == [
        "40 items, 1000:1, costs known",
        "40 items, 1000:1, costs unknown",
    ]
    assert all(row.value is not None and row.ratio is not None for row in outcome.rows)
