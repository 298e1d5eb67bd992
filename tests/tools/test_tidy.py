# SPDX-License-Identifier: Apache-2.0
"""Each check of tools/tidy.py finds a planted violation, and lets through what is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from tidy import Rules, check_tidiness

from tests.tools.repository import LICENCE, make_repository


def findings_for(folder: Path, files: dict[str, str]) -> list[str]:
    return [str(finding) for finding in check_tidiness(make_repository(folder, files))]


def function_of(lines: int, parameters: str = "") -> str:
    return f"# {LICENCE}def long({parameters}):\n" + "    pass\n" * (lines - 1)


@pytest.mark.parametrize(
    ("path", "text", "finding"),
    [
        ("src/a.cpp", "int a;\n", "src/a.cpp:1: no licence"),
        ("a.py", "a = 1\n", "a.py:1: no licence"),
        ("a.cpp", f"// {LICENCE}" + "int a;\n" * 400, "a.cpp:1: 401 lines (at most 400)"),
        ("a.py", function_of(61), "a.py:2: long: 61 lines (at most 60)"),
        ("a.py", function_of(2, "a, b, c, d, e, f, g"), "a.py:2: long: 7 parameters (at most 6)"),
        ("a.cpp", f"// {LICENCE}// FIXME: wrong\n", "a.cpp:2: 'FIXME'"),
        ("a.cpp", f"// {LICENCE}// TODO: more\n", "a.cpp:2: 'TODO'"),
        ("a.cpp", f"// {LICENCE}// @brief noise\n", "a.cpp:2: '@brief'"),
        ("docs/a.md", "# A\n\n| swarm | 2026-11-24; SWARM_TODAY |\n", "docs/a.md:3: 'SWARM_TODAY'"),
        ("docs/b/a.md", "| clean | | ASAN_YES |\n", "docs/b/a.md:1: 'ASAN_YES'"),
        ("docs/a.md", "| T2_SAN_NO |\n", "docs/a.md:1: 'T2_SAN_NO'"),
        ("docs/a.md", "TODO: more\n", "docs/a.md:1: 'TODO'"),
        ("README.md", "It takes TBD seconds.\n", "README.md:1: 'TBD'"),
        ("README.md", "FIXME\n", "README.md:1: 'FIXME'"),
        ("tools/string_utils.py", f"# {LICENCE}", "tools/string_utils.py:1: 'utils' in a name"),
        ("common/a.py", f"# {LICENCE}", "common/a.py:1: 'common' in a name"),
        (
            "src/makespan/bag/chunk.hpp",
            f"// {LICENCE}",
            "src/makespan/bag/chunk.hpp:1: no test: write tests/bag/chunk_test.cpp",
        ),
        (
            "src/makespan/simd/log-inl.hpp",
            f"// {LICENCE}",
            "src/makespan/simd/log-inl.hpp:1: no test: write tests/simd/log_test.cpp",
        ),
    ],
)
def test_finds_planted_violation(tmp_path: Path, path: str, text: str, finding: str) -> None:
    found = findings_for(tmp_path, {path: text})

    assert len(found) == 1
    assert found[0].startswith(finding)


@pytest.mark.parametrize(
    "files",
    [
        {"a.cpp": f"// {LICENCE}" + "int a;\n" * 399},
        {"a.py": function_of(60, "a, b, c, d, e, f")},
        {"a.py": f"#!/usr/bin/env python3\n# {LICENCE}"},
        {"empty/__init__.py": ""},
        {"a.cpp": f"// {LICENCE}// TODO(#12): steal\n"},
        {
            "src/makespan/bag/chunk.hpp": f"// {LICENCE}",
            "tests/bag/chunk_test.cpp": f"// {LICENCE}",
        },
        {
            "src/makespan/bag/policy/chunk.hpp": f"// {LICENCE}",
            "tests/bag/policy/a_test.cpp": f'//{LICENCE}#include "makespan/bag/policy/chunk.hpp"\n',
        },
        {"notes.md": "no licence line, and the word FIXME\n"},
        {"docs/a.md": "no licence line; MPI_NOTHING, YES and NO_TODAY_AGAIN are words\n"},
        {"docs/a.md": "TODAY of a TODOS, `MAKESPAN_NODE`\n" + "more\n" * 400},
    ],
)
def test_lets_tidy_files_through(tmp_path: Path, files: dict[str, str]) -> None:
    assert findings_for(tmp_path, files) == []


@pytest.mark.parametrize(
    ("folder", "inner", "finding"),
    [
        ("src/makespan/bag", "detail/a.cpp", "src/makespan/bag:1: 41 entries (at most 40)"),
        ("python/makespan/bag", "a.cpp", "python/makespan/bag:1: 41 entries (at most 40)"),
        ("src/makespan/bag/policy", "a.cpp", None),
        ("tests/bag", "a.cpp", None),
    ],
)
def test_finds_a_full_folder(tmp_path: Path, folder: str, inner: str, finding: str | None) -> None:
    files = {f"{folder}/part_{number}.cpp": f"// {LICENCE}" for number in range(40)}

    assert findings_for(tmp_path, files) == []

    (tmp_path / folder / inner).parent.mkdir(exist_ok=True)
    (tmp_path / folder / inner).write_text(f"// {LICENCE}")
    found = [str(each) for each in check_tidiness(tmp_path)]

    assert [text.partition(":")[0] for text in found] == ([folder] if finding else [])
    assert all(text.startswith(str(finding)) for text in found)


def test_finds_more_installed_headers_than_there_may_be(tmp_path: Path) -> None:
    lines = [f"makespan/bag/part_{number}.hpp\n" for number in range(150)]
    files = {"cmake/installed_headers.txt": "# Headers.\n" + "".join(lines)}

    assert findings_for(tmp_path, files) == []

    with (tmp_path / "cmake/installed_headers.txt").open("a") as listed:
        listed.write("makespan/bag/more.hpp\n")
    (found,) = [str(each) for each in check_tidiness(tmp_path)]

    assert found.startswith("cmake/installed_headers.txt:1: 151 installed headers (at most 150)")


def test_finds_more_copies_than_there_may_be(tmp_path: Path) -> None:
    lines = "".join(f"int const value_{one} = function_of_it({one});\n" for one in range(6))
    files = {f"src/part_{number}.cpp": f"// {LICENCE}{lines}" for number in range(12)}

    assert findings_for(tmp_path, files) == []  # one original, 11 copies

    (tmp_path / "src/part_more.cpp").write_text(f"// {LICENCE}{lines}")
    found = [str(each) for each in check_tidiness(tmp_path)]

    assert len(found) == 12
    assert found[0] == "src/part_1.cpp:2: as src/part_0.cpp:2: one of 12 copies (at most 11)"


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("class Halos {\n  struct Place {\n  };\n};\n", True),
        ("template <class T>\nclass Place final : public Base<T> {\n};\n", True),
        ("enum class Place {\n  here,\n};\n", True),
        ("class Place;\n", False),
        ("struct SlabPlace {\n};\n", False),
        ("struct Place;\nvoid walk() {\n}\n", False),
        ("// as struct Place { has it\n", False),
    ],
)
def test_finds_a_second_class_of_a_name(tmp_path: Path, text: str, *, is_found: bool) -> None:
    files = {
        "src/makespan/graph/place.cpp": f"// {LICENCE}struct Place {{\n}};\n",
        "src/makespan/grid/halos.cpp": f"// {LICENCE}{text}",
    }

    found = findings_for(tmp_path, files)

    what = "a second class Place, beside that of src/makespan/graph/place.cpp: name what it is"
    assert [each.partition(": ")[2] for each in found] == ([what] if is_found else [])


def test_include_from_another_room_is_no_test(tmp_path: Path) -> None:
    files = {
        "src/makespan/bag/chunk.hpp": f"// {LICENCE}",
        "tests/simd/log_test.cpp": f'// {LICENCE}#include "makespan/bag/chunk.hpp"\n',
    }

    found = findings_for(tmp_path, files)

    assert len(found) == 1
    assert "no test" in found[0]


def test_ignored_files_are_not_ours(tmp_path: Path) -> None:
    files = {".gitignore": "/build/\n", "build/utils.cpp": "FIXME\n"}

    assert findings_for(tmp_path, files) == []


def test_exemption_holds_for_its_check_only(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"long.cpp": "int a;\n" * 401})
    with (root / "tools/tidy.toml").open("a") as rules:
        rules.write('[[exempt]]\npaths = ["long.cpp"]\ncheck = "file_length"\nreason = "a table"\n')

    found = [str(finding) for finding in check_tidiness(root)]

    assert [text.split(":")[2] for text in found] == [" no licence"]


def test_exemption_of_a_file_that_is_gone_is_found(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {})
    with (root / "tools/tidy.toml").open("a") as rules:
        rules.write('[[exempt]]\npaths = ["gone.cpp"]\ncheck = "file_length"\nreason = "a table"\n')

    found = [str(finding) for finding in check_tidiness(root)]

    assert found == ["tools/tidy.toml:1: exempts gone.cpp, which is gone"]


def test_exemption_without_reason_is_refused(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {})
    with (root / "tools/tidy.toml").open("a") as rules:
        rules.write('[[exempt]]\npaths = ["a.cpp"]\ncheck = "file_length"\n')

    with pytest.raises(KeyError, match="reason"):
        Rules.read(root / "tools/tidy.toml")
