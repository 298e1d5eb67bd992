# SPDX-License-Identifier: Apache-2.0
import json
import re
from pathlib import Path

import pytest

from tests.tools.repository import PROJECT
from tools.bench_table import main, page_with

PAGES = Path("docs/performance")

MACHINE = {
    "cpu": "Some CPU",
    "instruction_sets": ["avx2"],
    "cores": 2,
    "memory_gib": 8.0,
    "virtual": True,
    "kernel": "Linux 6",
    "compiler": "gcc 12",
    "python": "3.11",
    "commit": "0123456789abcdef",
    "commit_is_clean": True,
}
PAGE = "before\n<!-- bench:price -->\nold\n<!-- /bench:price -->\nafter\n"


@pytest.fixture
def result(tmp_path):
    row = {"name": "kernel", "value": 1.98, "unit": "Gvalues/s", "compared_to": "mkl"}
    judged = {**row, "ratio": 3.0, "target": "ratio >= 3.1", "reached": False}
    path = tmp_path / "price.json"
    path.write_text(json.dumps([judged]))
    width = {"lower_quartile": 2.95, "upper_quartile": 3.07}
    run = {
        "machine": MACHINE,
        "started": "2026-11-20T12:00:00Z",
        "load_before": 0.1,
        "smoke": False,
        "spreads": {"kernel": {"ratio": width}},
        "left_out": {"book": "not built"},
    }
    path.with_suffix(".run.json").write_text(json.dumps(run))
    return path


def test_page_gets_machine_commit_rows_and_gaps(tmp_path, result):
    page = tmp_path / "page.md"
    page.write_text(PAGE)

    assert main([str(result), str(page)]) == 0

    text = page.read_text()
    assert "| kernel | 1.98 Gvalues/s | mkl | 3.00 (2.95-3.07) | ratio >= 3.1 | **no** |" in text
    assert "Run 2026-11-20T12:00:00Z at commit 0123456789ab, on a virtual machine" in text
    assert "- left out: `book`: not built" in text
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text


def test_page_is_the_same_when_written_twice(tmp_path, result):
    page = tmp_path / "page.md"
    page.write_text(PAGE)

    main([str(result), str(page)])
    once = page.read_text()
    main([str(result), str(page)])

    assert page.read_text() == once


def test_errors_have_columns_where_a_row_has_one(tmp_path, result):
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    rows = json.loads(result.read_text())
    result.write_text(json.dumps([*rows, {**rows[0], "error": 4.04e-8, "own_error": None}]))

    main([str(result), str(page)])

    text = page.read_text()
    assert "| row | value | error | its own | compared to |" in text
    assert "| kernel | 1.98 Gvalues/s | 4.0e-08 |  | mkl |" in text
    assert "| kernel | 1.98 Gvalues/s |  |  | mkl |" in text


def test_quick_run_does_not_reach_the_page(tmp_path, result, capsys):
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    run_path = result.with_suffix(".run.json")
    run_path.write_text(json.dumps({**json.loads(run_path.read_text()), "smoke": True}))

    assert main([str(result), str(page)]) == 1
    assert page.read_text() == PAGE
    assert "quick run" in capsys.readouterr().err


def test_page_without_a_place_is_an_error():
    with pytest.raises(ValueError, match="no place for 'price'"):
        page_with("text", "price", [])


# --- our pages


def commands() -> list[tuple[str, str]]:
    """What the Makefile calls the tool with: the room of the result, and the page."""
    text = (PROJECT / "Makefile").read_text(encoding="utf-8")
    return re.findall(r"tools/bench_table\.py build/bench/(\w+)\.json (\S+)", text)


def figures(text: str) -> set[str]:
    return set(re.findall(r"\d[\d,]*(?:\.\d+)?", text))


def test_every_room_that_is_measured_has_a_page() -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")

    # Of a module within a room, which needs no programs of a build, its own name, and its case's.
    command = r"-m bench\.(?:\w+\.)?(\w+)(?: --build \S+| --(memory))?$"
    measured = re.findall(command, makefile, re.MULTILINE)
    rooms = {"_".join(filter(None, names)) for names in measured}
    assert {room for room, _ in commands()} == rooms


@pytest.mark.parametrize(("room", "page"), commands())
def test_each_page_has_one_place_for_its_result(room: str, page: str) -> None:
    text = (PROJECT / page).read_text(encoding="utf-8")

    assert Path(page).parent == PAGES
    assert text.count(f"<!-- bench:{room} -->") == 1
    assert page_with(text, room, ["new"]) != text


def test_the_page_of_results_repeats_figures_of_the_tables() -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in (PROJECT / PAGES).glob("*.md")}
    results = figures(pages.pop("index.md"))

    assert sorted(results - figures("\n".join(pages.values()))) == []
