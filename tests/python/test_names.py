# SPDX-License-Identifier: Apache-2.0
"""One name for one thing over all commands and functions, and one thing for each name."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from makespan.cli.app import command_spec
from makespan.cli.commands import COMMANDS
from makespan.settings import registries, shared
from makespan.settings.algorithm import Algorithm, entries_of
from makespan.settings.kinds import OrElse
from makespan.settings.setting import ONLY_FLAGS, Setting
from makespan.sim.grids.input import TABLES as GRID_TABLES

import makespan
from makespan import _core

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "makespan"

FUNCTIONS = {
    name: getattr(makespan, name)
    for name in makespan.__all__
    if hasattr(getattr(makespan, name), "__settings__")
}
WITH_FUNCTION = [name for name in COMMANDS if name != "doctor"]
"""Each has a function of its name."""


def everything() -> list[tuple[str, Setting]]:
    """Every setting of every command and function, with what has it."""
    found = [(f"makespan {name}", one) for name in COMMANDS for one in command_spec(name).settings]
    return found + [
        (f"makespan.{name}", one)
        for name, function in FUNCTIONS.items()
        for one in function.__settings__
    ]


def kind_of(setting: Setting) -> str:
    """What a setting takes, but for its limits, and what more it may be for some."""
    kind = setting.kind.first if isinstance(setting.kind, OrElse) else setting.kind
    return f"{type(kind).__name__}{'s' if setting.is_repeated else ''}"


ONCE = {
    "boundary": {"ends", "periodic", "boundaries"},
}
"""What one thing has been called, by its name."""


def test_what_had_several_names_has_one() -> None:
    keys = {one.name for table in GRID_TABLES.values() for one in table}
    names = {one.name for _, one in everything()} | keys
    words = {word for _, one in everything() for word in one.kind.choices}

    for name, others in ONCE.items():
        assert name in names
        assert names.isdisjoint(others)
    assert "closed" not in words


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_of_a_function_names_keywords(name: str) -> None:
    text = FUNCTIONS[name].__doc__ or ""

    for flag in re.findall(r"(.{13})--([a-z-]+)", text.replace("\n", " ")):
        assert flag[0].endswith("the command's "[-13:]), flag
        assert flag[1].replace("-", "_") in ONLY_FLAGS


def test_headings_of_the_page_have_the_parameters_of_functions() -> None:
    page = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    found = re.findall(r"^## makespan\.(\w+)\((.*)\)$", page, flags=re.MULTILINE)

    assert len(found) >= len(FUNCTIONS)
    for name, text in found:
        given = [word.partition("=")[0].strip() for word in text.split(",")]
        own = list(inspect.signature(getattr(makespan, name)).parameters)
        named = [word for word in given if word not in ("**keywords", "*")]
        assert own[: len(named)] == named, name


def test_what_python_has_no_keyword_for_is_known() -> None:
    for command in WITH_FUNCTION:
        own = inspect.signature(FUNCTIONS[command]).parameters
        only = {
            one.name
            for one in command_spec(command).settings
            if one.only_flag and not one.is_argument
        }
        assert only - set(own) <= ONLY_FLAGS, command


def test_there_is_a_function_for_each_command() -> None:
    assert set(WITH_FUNCTION) <= set(FUNCTIONS)


@pytest.mark.parametrize(
    "name", [name for name, one in vars(shared).items() if isinstance(one, Setting)]
)
def test_a_shared_setting_stands_for_one_thing(name: str) -> None:
    """Where a command or a function has its name, it has its flag, its letter and its default."""
    declared = getattr(shared, name)

    for owner, one in everything():
        if one.name == declared.name:
            assert (one.flag, one.short) == (declared.flag, declared.short), owner
            if declared.name in {s.name for s in shared.COMMON} - {"seed"}:
                assert one.default == declared.default, owner


def test_one_name_has_one_kind_of_value() -> None:
    kinds: dict[str, dict[str, list[str]]] = {}
    for owner, one in everything():
        kinds.setdefault(one.name, {}).setdefault(kind_of(one), []).append(owner)

    several = {name: found for name, found in kinds.items() if len(found) > 1}

    assert several == {}


def test_a_letter_is_of_one_flag() -> None:
    letters: dict[str, set[str]] = {}
    for _, one in everything():
        if one.short:
            letters.setdefault(one.short, set()).add(one.flag)

    assert {letter: flags for letter, flags in letters.items() if len(flags) > 1} == {}


@pytest.mark.parametrize("name", WITH_FUNCTION)
def test_a_function_can_what_its_command_can(name: str) -> None:
    flags = {
        one.name: one
        for one in command_spec(name).settings
        if not one.only_flag and not one.is_argument
    }
    keywords = {one.name: one for one in FUNCTIONS[name].__settings__}
    plain = set(inspect.signature(FUNCTIONS[name]).parameters)

    assert set(flags) - plain == set()
    for one in set(flags) & set(keywords):
        assert kind_of(flags[one]) == kind_of(keywords[one]), one


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_takes_on_progress_and_gather(name: str) -> None:
    parameters = inspect.signature(FUNCTIONS[name]).parameters

    assert "on_progress" in parameters
    assert parameters["gather"].default == "first"


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("odd", [5, "", [print]])
def test_what_listens_can_be_called(name: str, odd: object) -> None:
    listeners = [one for one in inspect.signature(FUNCTIONS[name]).parameters if one[:3] == "on_"]

    for one in listeners:
        with pytest.raises(makespan.InputError, match=f"^{one}=.* give a function of one argument"):
            FUNCTIONS[name](**{one: odd})


def test_words_of_a_flag_s_text_are_not_those_of_python() -> None:
    speeds = [one for _, one in everything() if one.name == "speeds"]

    assert len(speeds) > 3
    for one in speeds:
        assert "4*1" in one.help
        assert "4*1" not in one.keyword_help
        assert "[1, 1, 0.25]" in one.keyword_help


@pytest.mark.parametrize(
    "registry", ["policies", "dispatchers", "balancers", "methods", "modes", "available_isas"]
)
def test_names_for_help_are_those_of_the_engine(registry: str) -> None:
    named = set(Algorithm(registry).choices)
    there = {entry["name"] for entry in entries_of(_core, registry)}

    assert there <= named
    optional = {"metis", "scotch", *registries.ISAS}
    assert named - there <= optional


@pytest.mark.parametrize("word", ["equal_time", "steal", "makespan"])
def test_a_default_algorithm_is_named_once(word: str) -> None:
    homes = [
        f"{path.relative_to(PACKAGE)}:{number}"
        for path in PACKAGE.rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(rf'(default|policy|dispatcher|balancer)[\w\s:|]*=\s*"{word}"', line)
    ]

    assert len(homes) == 1, homes


def complete(line: str, **environment: str) -> list[str]:
    """What bash would offer at the end of a line."""
    words = line.split(" ")
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "makespan"],
        env={
            **os.environ,
            "_MAKESPAN_COMPLETE": "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert "makespan._core" not in done.stderr
    assert "numpy" not in done.stderr
    return [row.partition(",")[2] for row in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("makespan pri", "price"),
        ("makespan price --pol", "--policy"),
        ("makespan price --policy fac", "fac2"),
        ("makespan simulate --policy self,fac", "self,factoring"),
        ("makespan melt --balancer gre", "greedy_refine"),
        ("makespan balance --bal", "--balancer"),
    ],
)
def test_completion_needs_no_engine(line: str, offered: str) -> None:
    assert offered in complete(line)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_their_completion(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    from makespan.cli import main

    assert main(["completion", shell]) == 0
    assert "_MAKESPAN_COMPLETE" in capsys.readouterr().out
    assert main(["completion", "tcsh"]) == 2


def test_stubs_and_tables_are_current() -> None:
    for module in ("nanobind", "ruff"):  # an environment of tests alone has neither
        pytest.importorskip(module)
    if not Path(makespan.__file__).is_relative_to(ROOT / "python"):
        pytest.skip("the package is a copy: under a sanitizer, say")
    for tool in ("write_stubs.py", "write_settings.py"):
        done = subprocess.run(
            [sys.executable, str(ROOT / "tools" / tool), "--check"],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT / "tools")},
        )
        assert (done.returncode, done.stderr) == (0, "")


def with_many_parameters(tree: ast.Module) -> list[str]:
    """Functions with more than seven parameters."""
    return [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and len([*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]) > 7
    ]


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.stem)
def test_functions_have_few_parameters(path: Path) -> None:
    assert with_many_parameters(ast.parse(path.read_text(encoding="utf-8"))) == []
