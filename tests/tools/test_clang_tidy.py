# SPDX-License-Identifier: Apache-2.0
"""clang-tidy finds a planted violation, and checks a source again only when something changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import clang_tidy
import pytest

from tests.tools.repository import PROJECT

GOOD_HEADER = "inline int twice(int number) { return 2 * number; }\n"
GOOD_SOURCE = '#include "makespan/base/twice.hpp"\nint four() { return twice(2); }\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a project of one source and one header, with the real .clang-tidy."""
    room = tmp_path / "src/makespan/base"
    room.mkdir(parents=True)
    (room / "twice.hpp").write_text(GOOD_HEADER)
    (room / "twice.cpp").write_text(GOOD_SOURCE)
    build = tmp_path / "build"
    build.mkdir()
    command = f"g++ -std=c++20 -I{tmp_path / 'src'} -c {room / 'twice.cpp'}"
    entry = {"directory": str(build), "command": command, "file": str(room / "twice.cpp")}
    (build / "compile_commands.json").write_text(json.dumps([entry]))
    shutil.copy(PROJECT / ".clang-tidy", tmp_path)
    return tmp_path


def add_source(root: Path, name: str, text: str) -> None:
    """Put one more source into the project and its build."""
    source = root / "src/makespan/base" / name
    source.write_text(text)
    commands = root / "build/compile_commands.json"
    entries = json.loads(commands.read_text())
    first = entries[0]
    entry = {**first, "file": str(source)}
    entry["command"] = first["command"].replace(first["file"], str(source))
    commands.write_text(json.dumps([*entries, entry]))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the sources that clang-tidy was really run on."""
    sources: list[str] = []
    real_run = clang_tidy.subprocess.run

    def counting_run(command: list[str], **options: object) -> object:
        if "--version" not in command:
            sources.append(command[-1])
        return real_run(command, **options)

    monkeypatch.setattr(clang_tidy.subprocess, "run", counting_run)
    return sources


def check(root: Path) -> list[str]:
    return list(clang_tidy.check_all(root, root / "build", jobs=1))


def test_refuses_a_build_in_which_it_would_find_no_source(root: Path) -> None:
    commands = root / "build" / "compile_commands.json"
    unity = root / "build/src/makespan/base/Unity/unity_0_cxx.cxx"
    entry = {**json.loads(commands.read_text())[0], "file": str(unity)}
    commands.write_text(json.dumps([entry]))

    with pytest.raises(SystemExit, match="MAKESPAN_UNITY=OFF"):
        check(root)


def test_finds_planted_bug_and_name(root: Path) -> None:
    (root / "src/makespan/base/twice.hpp").write_text("inline int Twice(int n) { return n + n; }\n")
    (root / "src/makespan/base/twice.cpp").write_text(
        '#include "makespan/base/twice.hpp"\ndouble half(int n) { return Twice(n / 4); }\n'
    )

    text = "".join(check(root))

    assert "invalid case style for function 'Twice'" in text
    assert "readability-identifier-naming" in text


def test_checks_unchanged_source_once(root: Path, runs: list[str]) -> None:
    assert check(root) == []
    assert check(root) == []

    assert len(runs) == 1


@pytest.mark.parametrize("changed", ["src/makespan/base/twice.hpp", ".clang-tidy"])
def test_checks_again_after_a_change(root: Path, runs: list[str], changed: str) -> None:
    check(root)
    with (root / changed).open("a") as file:
        file.write("# \n" if changed == ".clang-tidy" else "// more\n")

    check(root)

    assert len(runs) == 2


def test_failed_source_is_checked_again(root: Path, runs: list[str]) -> None:
    (root / "src/makespan/base/twice.cpp").write_text("int Bad() { return 1; }\n")

    assert check(root) != []
    assert check(root) != []

    assert len(runs) == 2


def test_leaves_other_folders_alone(root: Path, runs: list[str]) -> None:
    commands = root / "build/compile_commands.json"
    commands.write_text(
        commands.read_text().replace("src/makespan/base/twice.cpp", "other/twice.cpp")
    )

    assert check(root) == []
    assert runs == []


def test_checks_several_sources_as_one(root: Path, runs: list[str]) -> None:
    for number in range(3):
        add_source(root, f"more_{number}.cpp", f"int more_{number}() {{ return {number}; }}\n")

    assert check(root) == []
    assert check(root) == []
    assert len(runs) == 1


def test_checks_apart_what_does_not_get_on(root: Path) -> None:
    for name in ("left", "right"):
        text = f"namespace {{ int own() {{ return 1; }} }}\nint {name}() {{ return own(); }}\n"
        add_source(root, f"{name}.cpp", text)

    assert check(root) == []


def test_finds_the_one_of_several_that_is_wrong(root: Path) -> None:
    add_source(root, "right.cpp", "int right() { return 1; }\n")
    add_source(root, "wrong.cpp", "int Wrong() { return 1; }\n")

    (said,) = check(root)

    assert "wrong.cpp" in said
    assert "'Wrong'" in said


def test_finds_what_only_paths_through_a_function_show_when_it_looks_deep(root: Path) -> None:
    body = "int* p = nullptr; if (b) return *p; return 0;"
    add_source(root, "null.cpp", f"int at(bool b) {{ {body} }}\n")

    assert check(root) == []
    (said,) = clang_tidy.check_all(root, root / "build", jobs=1, deep=True)
    assert "clang-analyzer-core.NullDereference" in said
