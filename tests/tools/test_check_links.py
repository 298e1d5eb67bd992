# SPDX-License-Identifier: Apache-2.0
"""Links that lead nowhere are found, and those that lead somewhere are let through."""

from __future__ import annotations

from pathlib import Path

import pytest
from check_links import Checker, anchors, slug

from tests.tools.repository import PROJECT, make_repository

PAGES = {
    "README.md": "[all](docs/index.md#what-runs) ![one](docs/one.png)\n",
    "docs/index.md": "# Begin\n\n## What `runs`\n\n[how](how-to/run.md) [C](reference/api/c.rst)\n",
    "docs/how-to/run.md": "# Run\n\n```{literalinclude} ../../examples/run.py\n```\n",
    "docs/one.png": "",
    "docs/_toc.yml": "root: index\nentries:\n  - file: how-to/run\n",
    "examples/run.py": "",
}


def findings_with(folder: Path, path: str, text: str) -> list[str]:
    root = make_repository(folder, PAGES | {path: text})
    return [str(finding) for finding in Checker(root).findings()]


def test_the_repository_has_no_broken_link() -> None:
    assert [str(finding) for finding in Checker(PROJECT).findings()] == []


def test_pages_without_a_violation_pass(tmp_path: Path) -> None:
    assert findings_with(tmp_path, "docs/one.png", "") == []


@pytest.mark.parametrize(
    ("path", "text", "problem"),
    [
        ("README.md", "[x](docs/none.md)", "there is no docs/none.md"),
        ("README.md", "[x](docs/index.md#what-walks)", "docs/index.md has no such heading"),
        ("README.md", "[x](#nowhere)", "README.md has no such heading"),
        ("README.md", "text\n    [x](docs/none.md)", "there is no docs/none.md"),
        ("README.md", "[x](../outside.md)", "outside of the repository"),
        ("docs/how-to/run.md", "![x](none.png)", "there is no docs/how-to/none.png"),
        ("docs/how-to/run.md", "[x](../../README.md)", "not in docs/"),
        ("docs/how-to/run.md", "[x](../reference/api/x.rst)", "no docs/reference/api/x.rst"),
        ("docs/how-to/run.md", "```{literalinclude} ../../examples/none.py\n```", "no such file"),
        ("docs/how-to/walk.md", "# Walk\n", "no menu leads to it"),
        ("docs/_toc.yml", "entries:\n  - file: how-to/run\n  - file: none\n", "no such page"),
    ],
)
def test_a_link_that_leads_nowhere_is_found(
    tmp_path: Path, path: str, text: str, problem: str
) -> None:
    (found,) = findings_with(tmp_path, path, text)

    assert found.startswith(f"{path}:")
    assert problem in found


@pytest.mark.parametrize(
    "text",
    [
        "[x](https://example.org/none.md)",
        "`[x](none.md)`",
        "```text\n[x](none.md)\n```",
        "text\n\n    [x](none.md)\n",
    ],
)
def test_code_and_other_hosts_are_let_through(tmp_path: Path, text: str) -> None:
    assert findings_with(tmp_path, "README.md", text) == []


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Say when the fixings are", "say-when-the-fixings-are"),
        ("makespan.price(book, **settings)", "makespanpricebook-settings"),
        ("`--devices` and [speeds](x.md)", "--devices-and-speeds"),
    ],
)
def test_headings_have_the_names_that_hosts_give_them(heading: str, name: str) -> None:
    assert slug(heading) == name


def test_a_second_heading_of_one_name_has_a_number() -> None:
    assert anchors("# One\n\n## Two\n\n## Two\n") == {"one", "two", "two-1"}
