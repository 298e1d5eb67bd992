# SPDX-License-Identifier: Apache-2.0
"""The glossary is of this code, and words that were given up stay away."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from source_files import own_files

from tests.tools.repository import PROJECT

GLOSSARY = Path("docs/reference/glossary.md")
RETIRED = Path("docs/reference/retired-words.txt")
HERE = Path(__file__).resolve().relative_to(PROJECT)
CODE = ("src", "python", "fortran", "bench")


def entries(text: str) -> list[tuple[str, str, str]]:
    """The rows of the glossary's table."""
    rows = [line.strip().strip("|").split("|") for line in text.splitlines() if line[:1] == "|"]
    return [(word.strip(), meaning.strip(), others.strip()) for word, meaning, others in rows[2:]]


def pattern_of(word: str) -> re.Pattern[str]:
    """How a word of the first column stands in code: `send_queue`, `SendQueue`, "send queues"."""
    parts = [re.escape(part) for part in re.split(r"[ -]", word)]
    return re.compile("[ _-]?".join(parts), re.IGNORECASE)


def words_of(entry: str) -> list[str]:
    """`heap, symmetric` is one word, turned around; `RyR, LCC` are two."""
    first, comma, second = entry.partition(", ")
    if not comma:
        return [entry]
    return [f"{second} {first}"] if second.islower() else [first, second]


def retired_pattern(text: str) -> re.Pattern[str]:
    """Finds each retired word as a whole word, alone or as a part of an identifier."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return re.compile(rf"(?<![a-z])(?:{'|'.join(lines)})(?![a-z])", re.IGNORECASE)


@pytest.fixture(scope="module")
def texts() -> dict[Path, str]:
    found = {}
    for path in own_files(PROJECT):
        try:
            found[path] = (PROJECT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # data
    return found


def test_each_entry_has_one_line_and_a_meaning(texts: dict[Path, str]) -> None:
    rows = entries(texts[GLOSSARY])

    words = [word for word, _, _ in rows]
    assert len(rows) > 100
    assert sorted({word for word in words if words.count(word) > 1}) == []
    assert [word for word, meaning, _ in rows if not meaning] == []
    assert [word for word in words if "(" in word] == [], "one meaning each"


def test_each_word_of_the_glossary_stands_in_the_code(texts: dict[Path, str]) -> None:
    code = "\n".join(text for path, text in texts.items() if path.parts[0] in CODE)

    words = [one for word, _, _ in entries(texts[GLOSSARY]) for one in words_of(word)]
    assert [word for word in words if not pattern_of(word).search(code)] == []


def test_no_retired_word_is_used(texts: dict[Path, str]) -> None:
    retired = retired_pattern(texts[RETIRED])

    found = [
        f"{path}:{number}: {match.group()}"
        for path, text in texts.items()
        if path not in (RETIRED, HERE)
        for number, line in enumerate(text.splitlines(), 1)
        for match in [retired.search(line)]
        if match
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("a Keeper of claims", True),
        ("keeper_", True),
        ("PostOffice::send", True),
        ("class ParcelPart;", True),
        ("housekeepers", False),
        ("a bookkeeper", False),
        ("a completion tracker", False),
    ],
)
def test_retired_words_are_found_as_whole_words(
    texts: dict[Path, str], text: str, *, is_found: bool
) -> None:
    assert bool(retired_pattern(texts[RETIRED]).search(text)) == is_found
