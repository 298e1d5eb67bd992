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
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
"""Of an identifier: a word, or the capitals of an abbreviation."""
COMMENTS = {
    (".cpp", ".hpp", ".cu", ".c", ".h"): re.compile(r"//.*|/\*(?s:.*?)\*/"),
    (".f90", ".F90", ".inc"): re.compile(r"!.*"),
    (".py", ".pyi"): re.compile(r'"""(?s:.*?)"""|#.*'),
    (".cmake", ".sh", ".toml", "CMakeLists.txt"): re.compile(r"#.*"),
}
"""Of each language."""
SECOND_MEANING = re.compile(r"; (?:of|in) ")
"""How a line begins another one: "of a mapping: ...; of places: ..."."""


def entries(text: str) -> list[tuple[str, str, str]]:
    """The rows of the glossary's table."""
    rows = [line.strip().strip("|").split("|") for line in text.splitlines() if line[:1] == "|"]
    return [(word.strip(), meaning.strip(), others.strip()) for word, meaning, others in rows[2:]]


def parts_of(text: str) -> str:
    """The words of a text and of its identifiers: `SendQueue`, `send_queue` are " send queue "."""
    return f" {' '.join(PART.findall(text)).lower()} "


def pattern_of(word: str) -> re.Pattern[str]:
    """Finds a word of the first column, or several of it, in what parts_of() returns."""
    parts = [re.escape(part) for part in parts_of(word).split()]
    last = f"{parts.pop().removesuffix('y')}(?:y|ies)" if word.endswith("y") else parts.pop()
    return re.compile(f" {''.join(f'{part} ?' for part in parts)}{last}(?:s|es)? ")


def code_of(path: Path, text: str) -> str:
    """What a source says without its comments and docstrings; nothing for other files."""
    name = path.name if path.name == "CMakeLists.txt" else path.suffix
    comment = next((pattern for names, pattern in COMMENTS.items() if name in names), None)
    return comment.sub(" ", text) if comment else ""


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
    assert [word for word, meaning, _ in rows if SECOND_MEANING.search(meaning)] == []
    assert [word for word, _, others in rows if not others] == []


def test_each_word_of_the_glossary_stands_in_the_code(texts: dict[Path, str]) -> None:
    sources = {path: text for path, text in texts.items() if path.parts[0] in CODE}
    code = parts_of("\n".join(code_of(path, text) for path, text in sources.items()))

    words = [one for word, _, _ in entries(texts[GLOSSARY]) for one in words_of(word)]
    assert [word for word in words if not pattern_of(word).search(code)] == []


@pytest.mark.parametrize(
    ("name", "text", "is_found"),
    [
        ("a.hpp", "class SendQueue;", True),
        ("a.hpp", "SendQueues send_queues_;", True),
        ("a.cpp", 'throw Error("the send queue is full");', True),
        ("a.cpp", "sendqueue();", True),
        ("a.cpp", "SENDQueue();", True),
        ("a.cpp", "resend_queued();", False),
        ("a.cpp", "resend queue;", False),
        ("a.cpp", "send_queueing();", False),
        ("a.hpp", "int a;  // the send queue", False),
        ("a.hpp", "/* the send\nqueue */ int a;", False),
        ("a.py", '"""The send queue."""\n# of the send queue', False),
        ("CMakeLists.txt", "add(send_queue)  # more", True),
        ("a.md", "send queue", False),
    ],
)
def test_words_of_the_glossary_are_found_as_whole_words(
    name: str, text: str, *, is_found: bool
) -> None:
    assert bool(pattern_of("send queue").search(parts_of(code_of(Path(name), text)))) == is_found


def test_several_of_a_word_are_found_too() -> None:
    assert pattern_of("memory").search(parts_of("PlaceMemories"))
    assert pattern_of("loss").search(parts_of("losses"))
    assert not pattern_of("rest").search(parts_of("dearest rested restore"))


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
