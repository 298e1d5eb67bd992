# SPDX-License-Identifier: Apache-2.0
"""Commands that pages print: found as they are printed, run or not run for a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from job_programs import needs_mpi
from with_simulator import needs_simulator

from tools.doc_commands import (
    ROOT,
    Command,
    default_pages,
    read_page,
    read_pages,
    read_rules,
    reason_not_to_run,
    run_page,
    stale,
)

PROGRAMS = ("makespan", "for")


def texts(page_text: str) -> list[str]:
    return [command.text for command in read_page("page", page_text, PROGRAMS).commands]


def test_lines_after_a_dollar_are_commands_and_what_follows_is_output() -> None:
    text = "Say:\n\n    $ makespan price b.csv\n    makespan is output\n\n    result 162ec92a34f3\n"

    page = read_page("page", text, PROGRAMS)

    assert page.commands == [
        Command("page", 3, "makespan price b.csv", "makespan is output\n\nresult 162ec92a34f3")
    ]
    assert page.commands[0].results == ["162ec92a34f3"]


def test_programs_are_commands_where_there_is_no_dollar_and_rows_of_tables_are_not() -> None:
    assert texts("    makespan machine   # here\n    makespan  24.24 ms\n    other thing\n") == [
        "makespan machine   # here"
    ]


def test_fenced_blocks_of_shell_count_and_those_of_other_languages_do_not() -> None:
    assert texts("```sh\nmakespan machine\n```\n\n```cpp\nmakespan machine\n```\n") == [
        "makespan machine"
    ]


def test_loops_and_continued_lines_are_one_command() -> None:
    assert texts(
        "    for x in 1 2; do\n      makespan price $x\n    done\n    makespan a \\\n      b\n"
    ) == [
        "for x in 1 2; do\n  makespan price $x\ndone",
        "makespan a \\\n  b",
    ]


def test_a_page_gives_the_files_that_it_shows() -> None:
    page = read_page(
        "page",
        "A book, in `first.csv`:\n\n    id,spot\n    A,1\n\n    $ makespan price first.csv\n",
        PROGRAMS,
    )

    assert page.files == {"first.csv": "id,spot\nA,1\n"}


def test_each_entry_of_the_list_fits_a_command_of_our_pages() -> None:
    rules = read_rules()
    pages = read_pages(default_pages(), rules)

    assert stale([command for page in pages.values() for command in page.commands], rules) == []


def test_a_command_that_fails_or_gives_another_result_is_told() -> None:
    rules = read_rules()
    page = read_page(
        "page", "    $ false\n\n    $ echo result 0123456789ab\n    result ba9876543210\n", PROGRAMS
    )

    wrong = run_page(page, rules, "page")

    assert ["ended with 1" in text or "did not print" in text for text in wrong] == [True, True]


@pytest.mark.parametrize(
    ("page_name", "commands"),
    [
        ("first-book", 5),
        ("first-melt", 10),
        pytest.param("first-spark", 12, marks=pytest.mark.slow),
        pytest.param("first-machine", 8, marks=pytest.mark.slow),
        # It keeps a core busy on purpose, and takes a minute beside other tests.
        pytest.param("first-grid", 5, marks=pytest.mark.slow),
        ("first-graph", 1),
        pytest.param("first-objects", 9, marks=needs_mpi),
        pytest.param("first-images", 4, marks=needs_mpi),
        pytest.param("first-simulation", 4, marks=needs_simulator),
    ],
)
def test_a_tutorial_runs_as_it_is_printed(page_name: str, commands: int) -> None:
    rules = read_rules()
    name = f"docs/tutorial/{page_name}.md"
    page = read_pages([ROOT / name], rules)[name]

    run = [command for command in page.commands if not reason_not_to_run(command, rules)]
    assert len(run) == commands
    assert run_page(page, rules, name) == []


def test_a_page_that_is_exact_shows_all_that_is_printed() -> None:
    rules = replace(read_rules(), exact=("page",))
    text = "    $ printf 'one  \\n\\ntwo\\n'\n    one\n\n    two\n\n    $ echo three\n    four\n"
    page = read_page("page", text, PROGRAMS)

    (wrong,) = run_page(page, rules, "page")

    assert "did not print what the page shows:\nfour" in wrong


def test_each_tutorial_is_run() -> None:
    shown = {path.stem for path in (ROOT / "docs/tutorial").glob("*.md")}

    named = test_a_tutorial_runs_as_it_is_printed.pytestmark[0].args[1]
    assert shown == {getattr(one, "values", one)[0] for one in named}


@pytest.mark.slow
@pytest.mark.parametrize("path", default_pages(), ids=lambda path: path.stem)
def test_each_page_runs_as_it_is_printed(path) -> None:
    rules = read_rules()
    name = str(path.relative_to(ROOT))

    assert run_page(read_pages([path], rules)[name], rules, name) == []
