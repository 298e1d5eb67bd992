# SPDX-License-Identifier: Apache-2.0
"""The pages of docs/ are found from its first page, their pictures are there and not large."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.doc_commands import ROOT

DOCS = ROOT / "docs"
PICTURE_BYTES_MAX = 150_000
# Older than the limit.
LARGER = {"how-to/spark.png"}
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def linked_from(page: str) -> set[str]:
    """What a page links or shows, by its path below docs/."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)
    return {((DOCS / page).parent / link).resolve().relative_to(DOCS).as_posix() for link in found}


def test_links_are_found() -> None:
    found = linked_from("tutorial/first-book.md")

    assert found == {
        "how-to/price-a-book.md",
        "explanation/exact.md",
        "explanation/estimators.md",
    }


@pytest.mark.parametrize("page", [page for page in PAGES if not page.startswith("decisions/")])
def test_the_first_page_links_it(page: str) -> None:
    assert page in linked_from("index.md") | {"index.md"}


def test_the_index_of_decisions_links_each_of_them() -> None:
    decisions = {page for page in PAGES if page.startswith("decisions/")}

    assert decisions - linked_from("decisions/index.md") == {"decisions/index.md"}
    assert "decisions/index.md" in linked_from("index.md")


@pytest.mark.parametrize("page", PAGES)
def test_what_it_shows_is_there(page: str) -> None:
    pictures = {link for link in linked_from(page) if Path(link).suffix == ".png"}

    assert [link for link in pictures if not (DOCS / link).is_file()] == []


def test_pictures_are_not_large() -> None:
    large = {
        path.relative_to(DOCS).as_posix()
        for path in DOCS.rglob("*.png")
        if path.stat().st_size > PICTURE_BYTES_MAX
    }

    assert large <= LARGER
