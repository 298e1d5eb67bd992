# SPDX-License-Identifier: Apache-2.0
"""Each rule of layers.toml finds a planted violation, and lets through what is right."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from check_layers import Layers, check_layers
from installed_headers import HEAD
from room_lists import BEGIN, END, table_of

from tests.tools.repository import PROJECT, make_repository

TABLE = """
[rooms.base]
has = "what all need"
includes = []
[rooms.bag]
has = "bags"
includes = ["base"]
[python]
inputs = []
report = ["inputs"]
"." = ["report"]
[pure]
rooms = []
banned_headers = []
"""
GOOD = {
    "src/makespan/base/ids.hpp": "",
    "src/makespan/bag/run.hpp": '#include "makespan/base/ids.hpp"\n',
    "python/makespan/inputs/keys.py": "from makespan.errors import InputError\n",
    "python/makespan/report/table.py": "from makespan.inputs.keys import Key\n",
    "python/makespan/api.py": "import makespan.report.table\n",
    "python/makespan/errors.py": "",
    "python/makespan/__init__.py": "from makespan.api import price\n",
}


def findings_for(folder: Path, path: str, include: str) -> list[str]:
    """Without those of the table itself: the planted repository uses little of it."""
    root = make_repository(folder, {path: f"// first line\n#include {include}\n"})
    found = [str(finding) for finding in check_layers(root)]
    return [one for one in found if not one.startswith(("layers.toml:", "cmake/"))]


def findings_of_table(folder: Path, changes: dict[str, str]) -> list[str]:
    folder.mkdir(exist_ok=True)
    root = make_repository(folder, GOOD | changes)
    (root / "layers.toml").write_text(changes.get("layers.toml", TABLE), encoding="utf-8")
    return [str(finding) for finding in check_layers(root)]


@pytest.mark.parametrize(
    ("path", "include", "reason"),
    [
        ("src/makespan/base/ids.hpp", '"makespan/simd/philox.hpp"', "room base includes"),
        (
            "src/makespan/bag/policy/guided.hpp",
            '"makespan/bag/bag.hpp"',
            "room bag/policy includes",
        ),
        ("src/makespan/bag/device_team.cpp", '"makespan/grid/box.hpp"', "room bag includes"),
        ("src/makespan/bag/policy/guided.cpp", "<thread>", "room bag/policy is pure"),
        ("src/makespan/bag/protocol/claim.cpp", "<chrono>", "room bag/protocol is pure"),
        ("src/makespan/bag/protocol/claim.hpp", "<random>", "room bag/protocol is pure"),
        ("src/makespan/bag/device_team.cpp", "<mpi.h>", "<mpi.h> is seen only in"),
        ("src/makespan/bag/device_team.cpp", "<hwloc.h>", "<hwloc.h> is seen only in"),
        ("src/makespan/pgas/image.cpp", "<ucp/api/ucp.h>", "<ucp/api/ucp.h> is seen only in"),
        ("src/makespan/bag/device_team.cpp", "<hwy/highway.h>", "<hwy/highway.h> is seen only in"),
        ("src/makespan/bag/run.hpp", "<hwy/highway.h>", "<hwy/highway.h> is seen only in"),
        (
            "src/makespan/apps/asian/run/book.cpp",
            "<cuda_runtime.h>",
            "<cuda_runtime.h> is seen only in",
        ),
        (
            "src/makespan/bag/device_team.cpp",
            "<simgrid/s4u.hpp>",
            "<simgrid/s4u.hpp> is seen only in",
        ),
        (
            "src/makespan/bag/a.cpp",
            "<nanobind/nanobind.h>",
            "<nanobind/nanobind.h> is seen only in",
        ),
        ("src/makespan/bag/device_team.cpp", "<iostream>", "<iostream> is seen only in"),
        ("python/bindings/module.cpp", "<mpi.h>", "<mpi.h> is seen only in"),
        ("src/makespan/bag/device_team.cpp", '"makespan/attic/box.hpp"', "is in no room"),
        (
            "src/makespan/bag/image/a.cpp",
            '"makespan/bag/detail/team_run.hpp"',
            "for room bag alone",
        ),
        ("src/makespan/bag.hpp", '"makespan/bag/detail/team_run.hpp"', "for room bag alone"),
        ("bench/bag/claims.cpp", '"makespan/bag/detail/team_run.hpp"', "for its room alone"),
        ("src/makespan/bag/image/a.cpp", '"makespan/bag.hpp"', "is for users"),
        ("examples/one.cpp", '"makespan/bag/run.hpp"', "is no facade"),
    ],
)
def test_finds_planted_include(tmp_path: Path, path: str, include: str, reason: str) -> None:
    found = findings_for(tmp_path, path, include)

    assert len(found) == 1
    assert found[0].startswith(f"{path}:2: ")
    assert reason in found[0]


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("src/makespan/bag/policy/guided.hpp", '"makespan/base/quantity.hpp"'),
        ("src/makespan/bag/policy/guided.hpp", '"makespan/bag/policy/chunk_policy.hpp"'),
        ("src/makespan/bag/device_team.cpp", "<thread>"),
        ("src/makespan/pgas/mpi/window.cpp", "<mpi.h>"),
        ("src/makespan/simd/detail/ops-inl.hpp", "<hwy/highway.h>"),
        ("src/makespan/apps/asian/kernel/detail/simulate-inl.hpp", "<hwy/highway.h>"),
        ("src/makespan/apps/asian/gpu/kernel.cu", "<cuda_runtime.h>"),
        ("python/bindings/module.cpp", "<nanobind/nanobind.h>"),
        ("python/bindings/module.cpp", '"makespan/bag/bag.hpp"'),
        ("src/makespan/capi/heap.cpp", '"makespan/pgas/runtime.hpp"'),
        ("src/makespan/bag/run.cpp", '"makespan/bag/detail/team_run.hpp"'),
        ("src/makespan/bag/detail/team_run.cpp", '"makespan/bag/run.hpp"'),
        ("src/makespan/bag.hpp", '"makespan/bag/run.hpp"'),
        ("examples/one.cpp", '"makespan/bag.hpp"'),
        ("bench/bag/claims.cpp", "<mpi.h>"),
    ],
)
def test_lets_allowed_include_through(tmp_path: Path, path: str, include: str) -> None:
    assert findings_for(tmp_path, path, include) == []


def test_pure_rooms_get_nothing_banned_by_way_of_headers(tmp_path: Path) -> None:
    policy = "src/makespan/bag/policy"
    files = {
        f"{policy}/guided.hpp": '#include <vector>\n#include "makespan/base/wait.hpp"\n',
        f"{policy}/other.cpp": f'#include "{policy.removeprefix("src/")}/guided.hpp"\n',
        "src/makespan/base/wait.hpp": '#include "makespan/base/lock.hpp"\n',
        "src/makespan/base/lock.hpp": (
            '#include <mutex>\n#include "makespan/base/wait.hpp"\n#include <string>\n'
        ),
        "src/makespan/bag/run.cpp": '#include "makespan/base/wait.hpp"\n',
    }

    found = [str(finding) for finding in check_layers(make_repository(tmp_path, files))]

    assert [one for one in found if one.startswith("src/")] == [
        f"{policy}/guided.hpp:2: room bag/policy is pure (values in, values out), so it may not "
        "include <mutex>, which comes by makespan/base/wait.hpp and makespan/base/lock.hpp"
    ]


def test_tests_include_the_detail_of_their_own_room(tmp_path: Path) -> None:
    files = {
        "src/makespan/bag/detail/part.hpp": "",
        "src/makespan/bag/run.cpp": (
            '#include "makespan/bag/detail/part.hpp"\n#include "makespan/base/ids.hpp"\n'
        ),
        "tests/CMakeLists.txt": "bag/part_test.cpp base/ids_test.cpp",
        "tests/bag/part_test.cpp": '#include "makespan/bag/detail/part.hpp"\n',
    }
    other = {"tests/base/ids_test.cpp": '\n#include "makespan/bag/detail/part.hpp"\n'}
    exempt = '[detail_in_tests]\n"tests/base/*" = "a reason"\n'

    assert findings_of_table(tmp_path / "right", files) == []
    assert findings_of_table(tmp_path / "wrong", files | other) == [
        "tests/base/ids_test.cpp:2: makespan/bag/detail/part.hpp is for room bag and its tests: "
        "test it in tests/bag"
    ]
    assert (
        findings_of_table(tmp_path / "exempt", files | other | {"layers.toml": TABLE + exempt})
        == []
    )
    assert findings_of_table(tmp_path / "unused", files | {"layers.toml": TABLE + exempt}) == [
        "layers.toml:1: [detail_in_tests] has tests/base/*, which needs it not: take it away"
    ]


def test_finds_source_outside_of_rooms(tmp_path: Path) -> None:
    found = findings_for(tmp_path, "src/makespan/attic/box.hpp", "<vector>")

    assert found == [
        "src/makespan/attic/box.hpp:1: lies in no room of layers.toml: add the room there"
    ]


def test_table_with_unknown_room_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "layers.toml"
    table.write_text(TABLE.replace('includes = ["base"]', 'includes = ["attic"]'))

    with pytest.raises(ValueError, match=r"room bag may include \['attic'\], which"):
        Layers.read(table)


def test_rooms_may_not_form_a_circle(tmp_path: Path) -> None:
    table = tmp_path / "layers.toml"
    table.write_text(TABLE.replace("includes = []", 'includes = ["bag"]'))

    with pytest.raises(ValueError, match=r"room base may include \['bag'\], which"):
        Layers.read(table)


def test_a_room_is_a_folder_with_its_detail() -> None:
    layers = Layers.read(PROJECT / "layers.toml")

    assert layers.room_of("bag/policy/guided.hpp") == "bag/policy"
    assert layers.room_of("bag/device_team.hpp") == "bag"
    assert layers.room_of("bag/detail/team_run.hpp") == "bag"
    assert layers.room_of("bag/attic/a.hpp") is None
    assert layers.room_of("bagpipe/a.hpp") is None


def test_a_repository_that_does_what_its_table_says_is_right(tmp_path: Path) -> None:
    assert findings_of_table(tmp_path, {}) == []


@pytest.mark.parametrize(
    ("path", "text", "finding"),
    [
        (
            "src/makespan/bag/run.hpp",
            "",
            "layers.toml:1: room bag may include base, and does not: take it away",
        ),
        (
            "python/makespan/report/table.py",
            "",
            "layers.toml:1: [python] lets report import inputs, which it does not: take it away",
        ),
        (
            "python/makespan/inputs/keys.py",
            "def late() -> None:\n    import makespan.report.table\n",
            "python/makespan/inputs/keys.py:2: package inputs imports report, but may import only "
            "itself",
        ),
        (
            "python/makespan/errors.py",
            "from makespan import inputs\n",
            "python/makespan/errors.py:1: a module in no package imports inputs, but may import "
            "only report",
        ),
        (
            "python/makespan/grids/run.py",
            "",
            "layers.toml:1: [python] has no line for package grids: add one",
        ),
        (
            "python/makespan/errors.py",
            "if TYPE_CHECKING:\n    from makespan.api import price\n",
            "layers.toml:1: python/makespan has a circle: api -> report -> inputs -> errors -> api",
        ),
    ],
)
def test_finds_what_the_table_does_not_say(
    tmp_path: Path, path: str, text: str, finding: str
) -> None:
    assert finding in findings_of_table(tmp_path, {path: text})


PARTS = {
    "python/makespan/inputs/book/__init__.py": "from makespan.inputs.book.rows import ROWS\n",
    "python/makespan/inputs/book/rows.py": "from makespan.errors import InputError\n",
    "python/makespan/inputs/read.py": "from makespan.inputs.book import ROWS\n",
}


@pytest.mark.parametrize(
    ("path", "text", "circle"),
    [
        ("inputs/book/rows.py", "from makespan.inputs.keys import Key\n", "inputs -> inputs.book"),
        ("inputs/book/rows.py", "import makespan.inputs\n", "inputs -> inputs.book"),
        (
            "inputs/book/rows.py",
            "from makespan.inputs import keys, read\n",
            "inputs -> inputs.book",
        ),
        ("inputs/book/more.py", "from makespan.inputs import book\n", None),
        ("inputs/other/a.py", "from makespan.inputs import book, other\n", None),
        (
            "inputs/book/rows.py",
            "def late() -> None:\n    from makespan.inputs.other.a import A\n",
            "inputs.book -> inputs.other",
        ),
    ],
)
def test_packages_within_packages_form_no_circle(
    tmp_path: Path, path: str, text: str, circle: str | None
) -> None:
    other = {"python/makespan/inputs/other/a.py": "from makespan.inputs.book.rows import ROWS\n"}
    files = PARTS | other | {f"python/makespan/{path}": text}

    found = [one for one in findings_of_table(tmp_path, files) if "circle" in one]

    line = "layers.toml:1: python/makespan has a circle:"
    first = circle.partition(" ")[0] if circle else ""
    assert found == ([f"{line} {circle} -> {first}"] if circle else [])


def test_lists_of_rooms_are_those_of_the_table(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": "foreach(\n  room\n  base\n  bag\n)\n",
        "src/makespan/base/CMakeLists.txt": "makespan_add_room(NAME base HEADERS ids.hpp)",
        "src/makespan/bag/CMakeLists.txt": "makespan_add_room(NAME bag HEADERS run.hpp)",
        "tests/CMakeLists.txt": "add_subdirectory(base)",
        "tests/base/CMakeLists.txt": "SOURCES ids_test.cpp ../base/more_test.cpp",
        "tests/base/ids_test.cpp": "",
        "tests/base/more_test.cpp": "",
        "ARCHITECTURE.md": "",
    }
    right = files | {"ARCHITECTURE.md": f"{BEGIN}\n\n{table_of(tomllib.loads(TABLE))}\n\n{END}\n"}

    assert findings_of_table(tmp_path / "right", right) == []


@pytest.mark.parametrize(
    ("path", "text", "finding"),
    [
        ("CMakeLists.txt", "foreach(room bag base)", "CMakeLists.txt:1: room 1 of its list is bag"),
        (
            "src/makespan/bag/CMakeLists.txt",
            "HEADERS rerun.hpp",
            "src/makespan/bag/run.hpp:1: src/makespan/bag/CMakeLists.txt does not name it",
        ),
        (
            "tests/base/ids_test.cpp",
            "",
            "tests/base/ids_test.cpp:1: no CMakeLists.txt of tests/ builds it",
        ),
        (
            "tests/base/CMakeLists.txt",
            "",
            "tests/base/CMakeLists.txt:1: no CMakeLists.txt of tests/ adds its folder",
        ),
        ("ARCHITECTURE.md", f"{BEGIN}\n{END}", "ARCHITECTURE.md:1: its table of rooms is old"),
    ],
)
def test_finds_another_list(tmp_path: Path, path: str, text: str, finding: str) -> None:
    files = {
        "CMakeLists.txt": "foreach(room base bag)",
        "src/makespan/base/CMakeLists.txt": "HEADERS ids.hpp",
        "src/makespan/bag/CMakeLists.txt": "HEADERS run.hpp",
    }

    found = findings_of_table(tmp_path, files | {path: text})

    assert len(found) == 1
    assert found[0].startswith(finding)


def test_a_test_lies_where_its_header_does(tmp_path: Path) -> None:
    files = {"tests/bag/ids_test.cpp": "", "tests/CMakeLists.txt": "bag/ids_test.cpp"}

    found = findings_of_table(tmp_path, files)

    assert found == [
        "tests/bag/ids_test.cpp:1: the header that it tests lies in base: so does the test"
    ]


def test_finds_a_header_that_serves_its_room_alone(tmp_path: Path) -> None:
    files = {
        "src/makespan/bag/team.hpp": "",
        "src/makespan/bag/run.cpp": '#include "makespan/bag/team.hpp"\n',
        "bench/claims.cpp": '#include "makespan/bag/run.hpp"\n',
        "cmake/installed_headers.txt": HEAD,
    }

    found = findings_of_table(tmp_path, files)

    assert found == ["src/makespan/bag/team.hpp:1: only room bag includes it: move it to detail/"]


def test_finds_a_list_of_installed_headers_that_is_old(tmp_path: Path) -> None:
    right = {
        "src/makespan/bag.hpp": '#include "makespan/bag/run.hpp"\n',
        "src/makespan/CMakeLists.txt": "makespan_add_facade(NAME bag ROOMS bag)",
        "cmake/installed_headers.txt": HEAD
        + "makespan/bag.hpp\nmakespan/bag/run.hpp\nmakespan/base/ids.hpp\n",
    }
    old = right | {"cmake/installed_headers.txt": f"{HEAD}makespan/bag.hpp\n"}

    assert findings_of_table(tmp_path / "right", right) == []
    assert findings_of_table(tmp_path / "old", old) == [
        "cmake/installed_headers.txt:1: it is old: run tools/installed_headers.py, and look at "
        "what changed"
    ]
