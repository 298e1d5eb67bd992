# SPDX-License-Identifier: Apache-2.0
"""Pages of the C++ libraries, one for each room, and of the C interface."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from reference.declarations import sections_of
from reference.rst import Page

SOURCES = Path("src")
INSTALLED = Path("cmake/installed_headers.txt")
ROOM = re.compile(r"makespan_add_room\(\s*NAME\s+(\w+)")
INCLUDE = re.compile(r'^#include "(makespan/[^"]+)"', re.MULTILINE)


def public_headers(root: Path) -> list[Path]:
    """The headers that users may include, relative to the sources: installed, and in no detail/."""
    file = root / INSTALLED
    listed = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    found = (Path(line) for line in listed if line.endswith(".hpp"))
    return sorted(path for path in found if "detail" not in path.parts)


def c_headers(root: Path) -> list[Path]:
    """The headers of the C interface, relative to the sources."""
    found = sorted((root / SOURCES / "makespan/capi").glob("*.h"))
    return [path.relative_to(root / SOURCES) for path in found]


def label_of(header: Path) -> str:
    """What a link to a header's section names."""
    return "header-" + re.sub(r"\W", "-", str(header.with_suffix("")))


def _target(root: Path, room: Path) -> str:
    lists = root / SOURCES / room / "CMakeLists.txt"
    names = ROOM.findall(lists.read_text(encoding="utf-8")) if lists.exists() else []
    return " and ".join(f"``makespan::{name}``" for name in names)


def _add_header(page: Page, root: Path, header: Path, domain: str) -> None:
    text = (root / SOURCES / header).read_text(encoding="utf-8")
    head, sections = sections_of(text, domain)
    page.lines += ["", f".. _{label_of(header)}:", ""]
    page.title(f"``{header}``", "-")
    page.text(head)
    for section in sections:
        page.section(section)
    documented = public_headers(root)
    others = [Path(name) for name in INCLUDE.findall(text) if Path(name) in documented]
    if not sections and others:
        links = ", ".join(f":ref:`{name} <{label_of(name)}>`" for name in others)
        page.lines += [f"Includes {links}.", ""]


def c_page(root: Path) -> Page:
    """The C interface."""
    page = Page("c")
    page.title("C: all functions", "=")
    for header in c_headers(root):
        _add_header(page, root, header, "c")
    return page


def rooms(root: Path) -> dict[str, Path]:
    """The folders that have public headers, by the names of their pages."""
    folders = sorted({header.parent for header in public_headers(root)})
    names = [str(room.relative_to("makespan")).replace("/", "-") for room in folders]
    return dict(zip(("all" if name == "." else name for name in names), folders, strict=True))


def cpp_pages(root: Path) -> Iterator[tuple[str, Page]]:
    """For each room the name of its page, and the page."""
    headers = public_headers(root)
    declared: set[str] = set()
    for page_name, room in rooms(root).items():
        name = str(room.relative_to("makespan"))
        page = Page("cpp", declared=declared)
        page.title("Where to begin: one header for each part" if name == "." else name, "=")
        if target := _target(root, room):
            page.lines += [f"Target of CMake: {target}.", ""]
        for header in headers:
            if header.parent == room:
                _add_header(page, root, header, "cpp")
        yield page_name, page
