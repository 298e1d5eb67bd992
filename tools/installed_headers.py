# SPDX-License-Identifier: Apache-2.0
"""Which headers are installed: those that the facades, src/makespan/*.hpp, reach.

`python tools/installed_headers.py` writes cmake/installed_headers.txt, by which CMake installs
them; check_layers.py checks it. What grows here is promised to users.
"""

from __future__ import annotations

from pathlib import Path

from source_files import Finding, includes_of

SOURCE = Path("src")
LIST = Path("cmake/installed_headers.txt")
C_HEADER = "makespan/capi/pgas.h"
HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# Headers that are installed: what the facades and the C interface reach.
# Written by tools/installed_headers.py.
"""


def reached_headers(root: Path) -> list[str]:
    """The facades, and all that they include, as they are included; sorted."""
    found: set[str] = set()
    facades = (path.relative_to(root / SOURCE) for path in (root / SOURCE).glob("makespan/*.hpp"))
    ahead = [C_HEADER, *(path.as_posix() for path in facades)]
    while ahead:
        header = ahead.pop()
        if header in found or not (root / SOURCE / header).is_file():
            continue
        found.add(header)
        text = (root / SOURCE / header).read_text(encoding="utf-8")
        ahead += [each.header for each in includes_of(text)]
    return sorted(found)


def list_of(root: Path) -> str:
    """The list as it should be."""
    return HEAD + "".join(f"{header}\n" for header in reached_headers(root))


def check_installed_headers(root: Path) -> list[Finding]:
    """The list is what this tool would write."""
    path = root / LIST
    listed = path.read_text(encoding="utf-8") if path.is_file() else HEAD
    if listed == list_of(root):
        return []
    return [Finding(LIST, 1, "it is old: run tools/installed_headers.py, and look at what changed")]


if __name__ == "__main__":
    here = Path(__file__).parent.parent
    (here / LIST).write_text(list_of(here), encoding="utf-8")
