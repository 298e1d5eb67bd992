# SPDX-License-Identifier: Apache-2.0
"""What the Debian package `makespan` holds beside our own Python package."""

from __future__ import annotations

import tomllib

from tools.vendor_requirements import EXTRAS, PYPROJECT, requirements


def test_extras_are_followed_into_those_that_they_are_made_of() -> None:
    project: dict[str, object] = {
        "name": "makespan",
        "dependencies": ["polars>=2"],
        "optional-dependencies": {
            EXTRAS[0]: ["makespan[inner]"],
            "inner": ["zstandard"],
            "other": ["pytest"],
        },
    }

    assert requirements(project) == ["polars>=2", "zstandard"]


def test_a_project_without_extras_gives_its_dependencies() -> None:
    assert requirements({"name": "makespan", "dependencies": ["b", "a"]}) == ["a", "b"]


def test_ours_has_polars_and_nothing_that_only_tests_need() -> None:
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]

    names = [text.split(">")[0] for text in requirements(project)]

    assert "polars" in names
    assert "pytest" not in names
