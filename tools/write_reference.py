# SPDX-License-Identifier: Apache-2.0
"""Write the pages of the reference that come from the sources: C, C++, Fortran, Python.

python tools/write_reference.py [--root ROOT] [FOLDER]   # docs/reference/api; `make docs` does it
python tools/write_reference.py --check                  # tell which public names have no entry
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from reference.check import missing
from reference.fortran import fortran_lines
from reference.headers import c_page, cpp_pages
from reference.python import python_lines

ROOT = Path(__file__).resolve().parent.parent
PAGES = Path("docs/reference/api")


def pages(root: Path) -> dict[str, str]:
    """The text of each page, by its path in the folder of pages."""
    texts = {
        "c.rst": c_page(root).lines,
        "fortran.rst": fortran_lines(root),
        "python.rst": python_lines(root),
    }
    texts |= {f"cpp/{name}.rst": page.lines for name, page in cpp_pages(root)}
    return {name: "\n".join(lines).strip() + "\n" for name, lines in texts.items()}


def write(root: Path, folder: Path) -> None:
    """Writes what has changed, and removes pages that are no more."""
    texts = pages(root)
    for path in folder.rglob("*.rst"):
        if str(path.relative_to(folder)) not in texts:
            path.unlink()
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Runs what the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--check", action="store_true", help="write nothing")
    given = parser.parse_args(arguments)
    if given.check:
        lines = missing(given.root)
        print(*lines, sep="\n", end="\n" if lines else "")
        return 1 if lines else 0
    write(given.root, given.folder or given.root / PAGES)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
