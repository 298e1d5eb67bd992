# SPDX-License-Identifier: Apache-2.0
"""What starting costs, told by what is imported: a clock would tell about the machine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FAKE_CLI = Path(__file__).with_name("fake_cli.py")
CODE = """
import json, runpy, sys
sys.path.insert(0, sys.argv[1])
import fake_core  # the fake engine needs numpy; forget that it did
before = set(sys.modules)
sys.modules["makespan._core"] = fake_core
from makespan.cli import main
code = main(sys.argv[2:])
heavy = ("polars", "pyarrow", "pandas", "sqlite3", "rich.progress", "makespan.pricing.api")
heavy += ("makespan.pricing.book",)
print(json.dumps([code, [name for name in heavy if name in sys.modules]]))
"""


@pytest.mark.parametrize(
    ("arguments", "needed", "allowed"),
    [
        (["--help"], set(), set()),
        (["price", "--help"], set(), set()),
        (["balance", "--help"], set(), set()),
        (["--version"], set(), set()),
        (
            ["price", "book.csv"],
            {"polars", "makespan.pricing.book"},
            {"polars", "makespan.pricing.api", "makespan.pricing.book", "sqlite3"},
        ),
    ],
    ids=["help", "price help", "balance help", "version", "price"],
)
def test_a_command_imports_only_what_it_needs(
    tmp_path: Path, arguments: list[str], needed: set[str], allowed: set[str]
) -> None:
    (tmp_path / "book.csv").write_text(
        "option_type,S,K,r,sigma,T,N,fixing_grid\ncall,100,100,.05,.2,1,12,exclude_start\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", CODE, str(FAKE_CLI.parent), *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    code, imported = json.loads(ended.stdout.splitlines()[-1])
    assert code == 0
    assert needed <= set(imported) <= allowed
