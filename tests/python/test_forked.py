# SPDX-License-Identifier: Apache-2.0
"""A process that is forked from one in which polars has threads says so, and does not hang."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from small_melt import small_input

PROGRAM = """
import multiprocessing, sys
import makespan

BOOK = {
    "id": ["a", "b"], "option_type": ["call", "put"], "spot": [100.0] * 2, "strike": [100.0] * 2,
    "rate": [0.0] * 2, "volatility": [0.2] * 2, "expiry": [1.0] * 2, "fixings": [12] * 2,
    "fixing_grid": ["exclude_start"] * 2,
}
CALLS = {
    "price": lambda: makespan.price(BOOK).hash, "melt": lambda: makespan.melt("in.toml").hash,
    "map": lambda: makespan.map(abs, [1, -2]),
}

def call(_):
    try:
        return CALLS[sys.argv[1]]()
    except makespan.EngineError as error:
        return str(error)

if __name__ == "__main__":
    here = call(0)
    makespan.melt("in.toml")
    with multiprocessing.get_context(sys.argv[2]).Pool(2) as pool:
        print(*pool.map(call, range(2)), here, sep="\\n")
"""


@pytest.mark.parametrize(
    ("call", "way", "is_refused"),
    [
        ("price", "fork", True),
        ("melt", "fork", True),
        ("map", "fork", False),
        ("price", "spawn", False),
    ],
)
def test_a_fork_is_refused_where_it_would_hang(
    tmp_path: Path, call: str, way: str, *, is_refused: bool
) -> None:
    small_input(tmp_path)
    (tmp_path / "program.py").write_text(PROGRAM)

    ended = subprocess.run(
        [sys.executable, "program.py", call, way],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    first, second, here = ended.stdout.splitlines()
    if is_refused:
        assert first == second
        assert first.startswith(f"{call} (this process was forked from one in which polars")
        assert first.endswith("multiprocessing.get_context('spawn')")
    else:
        assert first == second == here
