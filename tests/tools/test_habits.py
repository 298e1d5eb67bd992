# SPDX-License-Identifier: Apache-2.0
"""What editors and hooks are told is what the formatters and `make lint` do."""

from __future__ import annotations

import re
import tomllib
from configparser import ConfigParser

import pytest
from makespan.cli.commands import COMMANDS

from tests.tools.repository import PROJECT


def text_of(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def editor() -> ConfigParser:
    config = ConfigParser()
    config.read_string("[first]\n" + text_of(".editorconfig"))
    return config


def number(pattern: str, name: str) -> str:
    found = re.search(pattern, text_of(name), re.MULTILINE)
    assert found, f"{name} says it not"
    return found[1]


def test_editors_format_cpp_as_clang_format_does(editor: ConfigParser) -> None:
    section = editor["*.{cpp,hpp,h,cu}"]

    assert section["max_line_length"] == number(r"^ColumnLimit: (\d+)", ".clang-format")
    # Google's style, which .clang-format goes by, has two.
    assert number(r"^BasedOnStyle: (\w+)", ".clang-format") == "Google"
    assert section["indent_size"] == "2"


def test_editors_format_cmake_as_gersemi_does(editor: ConfigParser) -> None:
    section = editor["{CMakeLists.txt,*.cmake,*.cmake.in}"]

    assert section["max_line_length"] == number(r"^line_length: (\d+)", ".gersemirc")
    assert section["indent_size"] == number(r"^indent: (\d+)", ".gersemirc")


def test_editors_format_python_as_ruff_does(editor: ConfigParser) -> None:
    ruff = tomllib.loads(text_of("pyproject.toml"))["tool"]["ruff"]

    assert editor["*.py"]["max_line_length"] == str(ruff["line-length"])
    assert editor["*.py"]["indent_size"] == "4"


def test_each_hook_runs_what_lint_runs() -> None:
    lint = text_of("tools/lint.sh").replace('"$bin/', ".venv/bin/").replace('"', "")
    entries = re.findall(r"^ +entry: (.*)$", text_of(".pre-commit-config.yaml"), re.MULTILINE)

    checks = [entry for entry in entries if entry != "tools/lint.sh --quick"]
    assert len(checks) == len(entries) - 1, "one hook runs all of them"
    assert [entry for entry in checks if entry not in lint] == []


def test_each_check_of_a_file_has_a_hook() -> None:
    names = set(re.findall(r"^check ([\w-]+) ", text_of("tools/lint.sh"), re.MULTILINE))
    hooks = set(re.findall(r"^ +- id: ([\w-]+)$", text_of(".pre-commit-config.yaml"), re.MULTILINE))

    # mypy looks at all files at once: before a push.
    assert names - hooks == {"mypy"}


REQUEST = ".github/pull_request_template.md"
DEFECT = ".github/ISSUE_TEMPLATE/defect.yml"
WISH = ".github/ISSUE_TEMPLATE/wish.yml"
ASKED = {
    "make test": (REQUEST,),
    "make lint": (REQUEST,),
    "make swarm": (REQUEST,),
    "tests/fuzz": (REQUEST,),
    "docs/reference/glossary.md": (REQUEST,),
    "docs/decisions": (REQUEST,),
    "CHANGELOG.md": (REQUEST,),
    "header": (REQUEST,),
    "units": (REQUEST,),
    "throw": (REQUEST,),
    "dependency": (REQUEST,),
    "itself says what": (REQUEST,),
    "seed": (DEFECT,),
    "closed form": (REQUEST, WISH),
    "published table": (REQUEST, WISH),
    "one-lane reference": (REQUEST,),
    "serial run": (REQUEST,),
    "invariants": (REQUEST,),
    "measured": (WISH,),
}
"""What CONTRIBUTING.md asks of changes and of issues, and the templates that ask for it."""


@pytest.mark.parametrize("asked", ASKED)
def test_templates_ask_for_what_contributing_asks(asked: str) -> None:
    assert asked in text_of("CONTRIBUTING.md")
    assert [name for name in ASKED[asked] if asked not in text_of(name)] == []


@pytest.mark.parametrize("name", [REQUEST, DEFECT])
def test_what_a_template_names_is_there(name: str) -> None:
    text = text_of(name)
    targets = set(re.findall(r"`make ([a-z-]+)`", text))
    commands = set(re.findall(r"`makespan ([a-z]+)`", text))
    files = set(re.findall(r"\b(?:[A-Z]+\.md|(?:docs|tests)/[\w./-]*\w)", text))

    assert targets | commands | files
    assert targets - set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE)) == set()
    assert commands - set(COMMANDS) == set()
    assert [file for file in files if not (PROJECT / file).exists()] == []


def test_each_place_for_an_answer_says_what_belongs_there() -> None:
    for name in (DEFECT, WISH):
        parts = text_of(name).split("  - type: ")[1:]
        answers = [part for part in parts if part.startswith("textarea")]
        assert len(answers) >= 3
        assert [part for part in answers if "label: " not in part] == []
        assert [part for part in answers if "description: " not in part] == []
