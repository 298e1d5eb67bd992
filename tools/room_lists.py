# SPDX-License-Identifier: Apache-2.0
"""What lists rooms besides layers.toml: CMake, ARCHITECTURE.md, the folders of tests.

`python tools/room_lists.py` writes ARCHITECTURE.md's table; check_layers.py checks them all.
"""

from __future__ import annotations

import re
import tomllib
from os.path import normpath
from pathlib import Path

from python_layers import TABLE
from source_files import Finding, own_files

ENGINE = Path("src/makespan")
ROOT_LIST = Path("CMakeLists.txt")
ARCHITECTURE = Path("ARCHITECTURE.md")
TESTS = Path("tests")
SOURCES = {".h", ".hpp", ".cpp", ".cu"}
BEGIN = "<!-- rooms: written by tools/room_lists.py -->"
END = "<!-- end of rooms -->"


def folder_of(path: Path) -> str:
    """The room's folder of a source, relative to src/makespan; "." for facades."""
    folder = path.parent.relative_to(ENGINE)
    return (folder.parent if folder.name == "detail" else folder).as_posix()


def table_of(table: dict[str, dict[str, dict[str, list[str]]]]) -> str:
    """ARCHITECTURE.md's rows: each room, what it has, what it includes."""
    pure = table["pure"]["rooms"]
    rows = ["| room | what it has | may include |", "|---|---|---|"]
    for name, room in table["rooms"].items():
        has = f"{room['has']}{' (**pure**)' if name in pure else ''}"
        rows.append(f"| `{name}` | {has} | {', '.join(room['includes']) or 'nothing of ours'} |")
    return "\n".join(rows)


def with_table(text: str, rows: str) -> str:
    """The page with `rows` between its marks."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{rows}\n\n{END}{after}"


def check_root_list(root: Path, rooms: list[str]) -> list[Finding]:
    """CMakeLists.txt adds the rooms, each once, in the order of the table."""
    text = (root / ROOT_LIST).read_text(encoding="utf-8")
    found = re.search(r"foreach\(\s*room\s+(.*?)\)", text, re.DOTALL)
    listed = found.group(1).split() if found else []
    if listed == rooms:
        return []
    for at, (here, there) in enumerate(zip([*listed, None], [*rooms, None], strict=False)):
        if here != there:
            text = f"room {at + 1} of its list is {here}, in {TABLE} it is {there}"
            return [Finding(ROOT_LIST, 1, text)]
    return [Finding(ROOT_LIST, 1, f"its list of rooms is shorter or longer than {TABLE}")]


def check_sources_listed(root: Path, paths: list[Path]) -> list[Finding]:
    """Each source of a room stands in the room's CMakeLists.txt."""
    findings = []
    lists: dict[str, str] = {}
    for path in paths:
        if not path.is_relative_to(ENGINE) or path.suffix not in SOURCES:
            continue
        room = folder_of(path)
        if room not in lists:
            file = root / ENGINE / room / "CMakeLists.txt"
            lists[room] = file.read_text(encoding="utf-8") if file.is_file() else ""
        name = path.relative_to(ENGINE / room).as_posix()
        name = path.stem if room == "." else name
        if not re.search(rf"(?<![\w/.-]){re.escape(name)}(?![\w.-])", lists[room]):
            findings.append(Finding(path, 1, f"{ENGINE / room}/CMakeLists.txt does not name it"))
    return findings


def check_tests(paths: list[Path]) -> list[Finding]:
    """A test of a header lies where the header's room lies."""
    rooms_of: dict[str, set[str]] = {}
    for path in paths:
        if path.is_relative_to(ENGINE) and path.suffix in {".h", ".hpp"}:
            rooms_of.setdefault(path.stem.removesuffix("-inl"), set()).add(folder_of(path))
    findings = []
    for path in paths:
        if not path.is_relative_to(TESTS) or not path.name.endswith("_test.cpp"):
            continue
        folder = path.parent.relative_to(TESTS).as_posix()
        rooms = rooms_of.get(path.name.removesuffix("_test.cpp"), {folder})
        if folder not in rooms:
            text = f"the header that it tests lies in {', '.join(sorted(rooms))}: so does the test"
            findings.append(Finding(path, 1, text))
    return findings


def check_tests_listed(root: Path, paths: list[Path]) -> list[Finding]:
    """Each C++ test stands in a CMakeLists.txt of tests/, and each of these is added by another."""
    lists = [path for path in paths if path.name == "CMakeLists.txt" and TESTS in path.parents]
    texts = {path: (root / path).read_text(encoding="utf-8") for path in lists}
    named = {
        normpath(file.parent / word)
        for file, text in texts.items()
        for word in re.split(r"[\s()\"]+", text)
        if word
    }
    findings = []
    for path in paths:
        is_test = path.name.endswith("_test.cpp") and TESTS in path.parents
        if is_test and path.as_posix() not in named:
            findings.append(Finding(path, 1, "no CMakeLists.txt of tests/ builds it"))
        is_list = path in texts and path.parent != TESTS
        if is_list and path.parent.as_posix() not in named:
            findings.append(Finding(path, 1, "no CMakeLists.txt of tests/ adds its folder"))
    return findings


def check_architecture(root: Path, rows: str) -> list[Finding]:
    """ARCHITECTURE.md's table is the one that this tool would write."""
    text = (root / ARCHITECTURE).read_text(encoding="utf-8")
    if text == with_table(text, rows):
        return []
    return [Finding(ARCHITECTURE, 1, "its table of rooms is old: run tools/room_lists.py")]


def check_room_lists(root: Path) -> list[Finding]:
    """Check all lists of rooms that there are under `root`."""
    table = tomllib.loads((root / TABLE).read_text(encoding="utf-8"))
    paths = own_files(root)
    findings = check_tests(paths)
    if (root / ROOT_LIST).is_file():
        findings += check_root_list(root, list(table["rooms"]))
        findings += check_sources_listed(root, paths) + check_tests_listed(root, paths)
    if (root / ARCHITECTURE).is_file():
        findings += check_architecture(root, table_of(table))
    return findings


def main() -> None:
    """Write ARCHITECTURE.md's table."""
    root = Path(__file__).parent.parent
    page = root / ARCHITECTURE
    rows = table_of(tomllib.loads((root / TABLE).read_text(encoding="utf-8")))
    text = with_table(page.read_text(encoding="utf-8"), rows)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
