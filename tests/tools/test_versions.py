# SPDX-License-Identifier: Apache-2.0
"""Nothing here is older than docs/reference/versions.md promises; what is said where it is."""

from __future__ import annotations

import re
import tomllib

import pytest
from versions import PAGE, QUESTIONS, Promise, Question, at_least, header, promises_of

from tests.tools.repository import PROJECT

TABLE = """
| what | at least | needed | Debian 12 |
|---|---|---|---|
| SimGrid | 3.32 | optional | 3.32 |
| g++ | 12 | to build | 12.2 |
"""

PROMISES = promises_of((PROJECT / PAGE).read_text(encoding="utf-8"))


# --- this machine


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.what)
def test_nothing_here_is_older_than_promised(promise: Promise) -> None:
    found = QUESTIONS[promise.what].answer()
    if found is None:
        pytest.skip(f"no {promise.what} here ({promise.needed})")

    complaint = promise.complaint(found)

    assert complaint is None, complaint


def test_there_is_a_question_for_each_promise() -> None:
    assert {promise.what for promise in PROMISES} == set(QUESTIONS)


def test_what_the_build_asks_for_is_what_is_promised() -> None:
    oldest = {promise.what: promise.oldest for promise in PROMISES}
    cmake = (PROJECT / "CMakeLists.txt").read_text(encoding="utf-8")
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))

    minimum = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)", cmake)

    assert minimum is not None
    assert minimum.group(1) == oldest["CMake"]
    assert project["project"]["requires-python"] == f">={oldest['Python']}"
    assert project["tool"]["scikit-build"]["ninja"]["version"] == f">={oldest['Ninja']}"


# --- the sentence


def test_the_table_is_read() -> None:
    assert promises_of(TABLE) == [
        Promise("SimGrid", "3.32", "optional"),
        Promise("g++", "12", "to build"),
    ]


def test_a_version_that_is_too_old_has_a_sentence() -> None:
    simgrid, compiler = promises_of(TABLE)

    assert simgrid.complaint("3.31") == (
        "SimGrid 3.31 (older than the 3.32 that docs/reference/versions.md promises): "
        "install SimGrid 3.32 or newer, or build without it"
    )
    assert compiler.complaint("11.4.0") == (
        "g++ 11.4.0 (older than the 12 that docs/reference/versions.md promises): "
        "install g++ 12 or newer"
    )


@pytest.mark.parametrize("found", ["3.32", "3.32.1", "3.100", "4", "4.0", "4.0-rc1"])
def test_a_version_that_is_promised_has_none(found: str) -> None:
    assert Promise("SimGrid", "3.32", "optional").complaint(found) is None


@pytest.mark.parametrize(
    ("found", "oldest"), [("3.31.9", "3.32"), ("3.4", "3.32"), ("3", "3.0.1"), ("0.9", "1")]
)
def test_parts_are_compared_as_numbers(found: str, oldest: str) -> None:
    assert not at_least(found, oldest)
    assert at_least(oldest, found)


def test_what_has_no_number_is_no_version() -> None:
    with pytest.raises(ValueError, match="version 'devel' "):
        at_least("devel", "1.0")


# --- who is asked


def test_the_parts_of_an_answer_are_found_in_what_is_printed() -> None:
    question = Question(["cat"], r"release (\d+) of (\d+)", "this is release 4 of 12\n")

    assert question.answer() == "4.12"


@pytest.mark.parametrize("command", [["false"], ["no-such-command-here"], ["echo", "none"]])
def test_command_that_tells_no_version_is_no_answer(command: list[str]) -> None:
    assert Question(command).answer() is None


def test_a_header_is_asked_by_the_preprocessor() -> None:
    if QUESTIONS["g++"].answer() is None:
        pytest.skip("no g++ here")

    compiler = header("cstddef", "__GNUC__", "__GNUC_MINOR__").answer()

    assert compiler is not None
    assert compiler == ".".join((QUESTIONS["g++"].answer() or "").split(".")[:2])
    assert header("no/such/header.hpp", "__GNUC__").answer() is None
