# SPDX-License-Identifier: Apache-2.0
"""Each decision says its status, date and room, and the index is of these decisions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.decision_index import (
    FOLDER,
    PAGE,
    Decision,
    complaints,
    known_rooms,
    page,
    read_all,
    read_decision,
)

LATER = "[0002](0002-later.md)"


def decision(file: str = "0001-first.md", **given: str) -> Decision:
    values = {"title": "First", "status": "Accepted", "date": "2026-11-20", "room": "bag"}
    return Decision(file=file, number=file[:4], **{**values, **given})


def written(folder: Path, text: str) -> Path:
    path = folder / "0001-first.md"
    path.write_text(text, encoding="utf-8")
    return path


# --- ours


def test_each_decision_has_status_date_and_a_known_room() -> None:
    assert len(read_all()) == len(list(FOLDER.glob("[0-9]*.md")))


def test_the_index_is_what_the_tool_writes() -> None:
    current = PAGE.read_text(encoding="utf-8") == page(read_all())

    assert current, "run `python tools/decision_index.py`"


# --- the form


@pytest.mark.parametrize(
    "status",
    [
        "Accepted",
        f"Accepted, amended by {LATER}",
        f"Accepted, amended by {LATER}, [0003](0003-last.md)",
        f"Superseded by {LATER}",
    ],
)
def test_first_lines_are_read(tmp_path: Path, status: str) -> None:
    path = written(tmp_path, f"# 0001: First\n\n{status} · 2026-11-20 · bag\n\n**Context.**\n")

    assert read_decision(path) == decision(status=status)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# First\n\nAccepted · 2026-11-20 · bag\n", 1),
        ("# 0002: First\n\nAccepted · 2026-11-20 · bag\n", 1),
        ("# 0001: First\n\n**Context.** None.\n", 3),
        ("# 0001: First\nAccepted · 2026-11-20 · bag\n", 3),
        ("# 0001: First\n\nProposed · 2026-11-20 · bag\n", 3),
        ("# 0001: First\n\nSuperseded by 0002 · 2026-11-20 · bag\n", 3),
        ("# 0001: First\n\nAccepted · November 2026 · bag\n", 3),
        ("# 0001: First\n\nAccepted · 2026-11-20\n", 3),
        ("", 1),
    ],
)
def test_another_form_is_reported_by_line(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(ValueError, match=rf"0001-first\.md:{line}: "):
        read_decision(written(tmp_path, text))


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"room": "kitchen"}, "room 'kitchen' (not in layers.toml): name one"),
        ({"date": "2026-13-01"}, "'2026-13-01' is no date"),
        ({"status": f"Superseded by {LATER}"}, "'0002-later.md' is no later decision"),
        ({"status": "Superseded by [0001](0001-first.md)"}, "'0001-first.md' is no later decision"),
    ],
)
def test_what_does_not_exist_is_reported(given: dict[str, str], complaint: str) -> None:
    wrong = complaints([decision(**given)], known_rooms())

    assert wrong == [f"0001-first.md: {complaint}"]


def test_a_number_is_given_once() -> None:
    wrong = complaints([decision(), decision("0001-second.md")], known_rooms())

    assert wrong == [
        "0001-first.md: 0001 is taken: choose the next number",
        "0001-second.md: 0001 is taken: choose the next number",
    ]


def test_a_later_decision_may_change_an_earlier_one() -> None:
    both = [decision(status=f"Superseded by {LATER}"), decision("0002-later.md")]

    assert complaints(both, known_rooms()) == []


# --- the page


def test_the_page_has_a_row_for_each_decision_and_one_for_each_room() -> None:
    text = page([decision(), decision("0002-later.md", title="Later", room="docs")])

    assert "| 0001 | [First](0001-first.md) | Accepted | 2026-11-20 | `bag` |\n" in text
    assert "| 0002 | [Later](0002-later.md) | Accepted | 2026-11-20 | `docs` |\n" in text
    assert text.endswith("| `bag` | [0001](0001-first.md) |\n| `docs` | [0002](0002-later.md) |\n")


def test_rooms_are_those_of_the_engine_and_parts_beside_it() -> None:
    assert {"bag/protocol", "pgas", "python", "build", "tests", "docs"} <= known_rooms()


def test_a_folder_of_rooms_counts_as_one(tmp_path: Path) -> None:
    layers = tmp_path / "layers.toml"
    layers.write_text('[rooms]\n"apps/asian/kernel" = []\n', encoding="utf-8")

    found = {"apps", "apps/asian", "apps/asian/kernel"}
    assert known_rooms(layers) == {*found, "bench", "build", "docs", "python", "tests"}
