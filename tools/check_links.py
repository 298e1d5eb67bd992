# SPDX-License-Identifier: Apache-2.0
"""Check that links of Markdown pages lead somewhere: files, headings, included examples, the menu.

Run from anywhere: `python tools/check_links.py [ROOT]`. It takes a second and needs no packages;
`make docs` checks the same pages as Sphinx reads them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from reference.headers import rooms
from source_files import Finding, own_files, report

DOCS = Path("docs")
GENERATED = DOCS / "reference/api"
MENU = DOCS / "_toc.yml"
LINK = re.compile(
    r"(?<!\\)!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(<?([^()\s<>]+(?:\([^()\s]*\))?)>?(?: \"[^\"]*\")?\)"
)
INCLUDE = re.compile(r"^ *`{3,}\{literalinclude\} +(\S+)")
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
HEADING = re.compile(r"^(#{1,6}) +(.*?)(?: +#+)?$")
INLINE_CODE = re.compile(r"(`+)(.+?)\1(?!`)")
OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
MENU_ENTRY = re.compile(r"^ *- (file|glob): (\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Line:
    """A line of a page that is no code."""

    number: int
    text: str


def prose(text: str) -> Iterator[Line]:
    """The lines outside of blocks of code. Of indented blocks those that follow an empty line."""
    fence, was_empty, in_block, in_list = "", True, False, False
    for number, line in enumerate(text.splitlines(), start=1):
        mark = FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) and line.strip() == mark[1] else fence
            continue
        if mark:
            fence = mark[1]
            continue
        in_block = line.startswith("    ") and not in_list and (was_empty or in_block)
        if line.strip():
            in_list = bool(re.match(r" *([-*+]|\d+\.) ", line)) or (in_list and line[0] == " ")
        was_empty = not line.strip()
        if not in_block:
            yield Line(number, line)


def slug(heading: str) -> str:
    """What a link to this heading names, as MyST and code hosts have it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"[`*]", "", text)
    return re.sub(r"[^\w\- ]", "", text.strip().lower().replace(" ", "-"))


def anchors(text: str) -> set[str]:
    """What links to a page may name after `#`."""
    found: set[str] = set()
    for line in prose(text):
        if heading := HEADING.match(line.text):
            name = slug(heading[2])
            number = sum(
                one == name or re.fullmatch(rf"{re.escape(name)}-\d+", one) is not None
                for one in found
            )
            found.add(f"{name}-{number}" if number else name)
    return found


def links(text: str) -> Iterator[tuple[int, str]]:
    """Each link within the repository, with its line."""
    for line in prose(text):
        for match in LINK.finditer(INLINE_CODE.sub("``", line.text)):
            if not OUTSIDE.match(match[1]):
                yield line.number, match[1]


class Checker:
    """Goes through the pages of one repository."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._pages = [path for path in own_files(root) if path.suffix == ".md"]
        self._generated = {GENERATED / f"{name}.rst" for name in ("c", "fortran", "python")}
        self._generated |= {GENERATED / f"cpp/{name}.rst" for name in rooms(root)}
        self._anchors: dict[Path, set[str]] = {}

    def findings(self) -> Iterator[Finding]:
        """All that is wrong."""
        for page in self._pages:
            text = (self._root / page).read_text(encoding="utf-8")
            for number, link in links(text):
                if problem := self._problem(page, link):
                    yield Finding(page, number, problem)
            for number, line in enumerate(text.splitlines(), start=1):
                included = INCLUDE.match(line)
                if included and not (self._root / page.parent / included[1]).is_file():
                    yield Finding(page, number, f"includes {included[1]}: there is no such file")
        yield from self._menu()

    def _problem(self, page: Path, link: str) -> str | None:
        name, _, anchor = unquote(link).partition("#")
        target = (self._root / page.parent / name).resolve() if name else self._root / page
        if not target.is_relative_to(self._root):
            return f"{link}: outside of the repository"
        inside = target.relative_to(self._root)
        if inside in self._generated:
            return None
        if not target.exists():
            return f"{link}: there is no {inside}"
        if DOCS in page.parents and DOCS not in inside.parents:
            return f"{link}: not in {DOCS}/, so the site has it not"
        if anchor and target.suffix == ".md" and anchor not in self._anchors_of(inside):
            return f"{link}: {inside} has no such heading"
        return None

    def _anchors_of(self, page: Path) -> set[str]:
        if page not in self._anchors:
            self._anchors[page] = anchors((self._root / page).read_text(encoding="utf-8"))
        return self._anchors[page]

    def _menu(self) -> Iterator[Finding]:
        path = self._root / MENU
        if not path.exists():
            return
        entries = MENU_ENTRY.findall(path.read_text(encoding="utf-8"))
        globs = [name for kind, name in entries if kind == "glob"]
        files = {name for kind, name in entries if kind == "file"} | {"index"}
        pages = {
            page.relative_to(DOCS).with_suffix("") for page in self._pages if DOCS in page.parents
        }
        for page in sorted(pages):
            if str(page) not in files and not any(page.match(glob) for glob in globs):
                yield Finding(DOCS / f"{page}.md", 1, f"not in {MENU}: no menu leads to it")
        for name in sorted(files):
            if Path(name) not in pages and DOCS / f"{name}.rst" not in self._generated:
                yield Finding(MENU, 1, f"{name}: there is no such page")


def main(arguments: list[str]) -> int:
    """Check the repository given, or the one that this file is in."""
    root = Path(arguments[0]).resolve() if arguments else Path(__file__).resolve().parent.parent
    return report(list(Checker(root).findings()), "links that lead nowhere")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
