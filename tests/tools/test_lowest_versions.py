# SPDX-License-Identifier: Apache-2.0
"""Pins are what pyproject.toml promises at least, of all that users install."""

from __future__ import annotations

from pathlib import Path

import lowest_versions
import pytest
from makespan.base.extras import EXTRAS


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        ("numpy>=1.26", "numpy==1.26"),
        ("a-b.c >= 1.2.3rc1", "a-b.c==1.2.3rc1"),
        ("numpy>=1.26,<3", "numpy==1.26"),
        ("numpy>=1.26; python_version > '3.11'", "numpy==1.26"),
    ],
)
def test_a_lower_bound_becomes_a_pin(requirement: str, expected: str) -> None:
    assert lowest_versions.pin(requirement) == expected


@pytest.mark.parametrize("requirement", ["numpy", "numpy<3", "makespan[test]"])
def test_what_promises_nothing_is_refused(requirement: str) -> None:
    with pytest.raises(lowest_versions.NoLowerBoundError, match="it has no lower bound"):
        lowest_versions.pin(requirement)


def test_every_bound_of_ours_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert lowest_versions.main(["test"]) == 0

    said = capsys.readouterr().out.split()
    names = [line.partition("==")[0] for line in said]
    assert {"numpy", "polars", "pytest"} <= set(names)
    assert {module for extra in EXTRAS.values() for module in extra.modules} <= set(names)
    assert len(set(names)) == len(names)


def test_extras_that_users_install_are_those_that_are_asked_for() -> None:
    assert set(lowest_versions.USERS) == set(EXTRAS)


def test_a_missing_bound_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pyproject.toml"
    offered = "".join(f"{extra} = []\n" for extra in lowest_versions.USERS)
    path.write_text(
        f'[project]\ndependencies = ["numpy"]\n[project.optional-dependencies]\n{offered}'
    )

    assert lowest_versions.main(["--project", str(path)]) == 1
    assert "lowest_versions: 'numpy' (it has no lower bound)" in capsys.readouterr().err
