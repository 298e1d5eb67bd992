# SPDX-License-Identifier: Apache-2.0
"""Pages as a browser without a network shows them: Chromium opens them, and tells what it drew."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest

MISSING = "no chromium here, which opens the page: apt-get install chromium"
RUN_S_MAX = 90
DRAWING_MS_MAX = 10_000
"""Of the page's own clock, which stands still while a script runs."""

# Elements that have no end, of those that the pages use.
_VOID = {"br", "hr", "img", "input", "link", "meta"}


@dataclass(frozen=True)
class Element:
    """An element that was drawn: the classes of it and of all around it, its path, its text."""

    tag: str
    classes: tuple[str, ...]
    path: str = ""
    text: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    """All elements of a page, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        around = self._open[-1].classes if self._open else ()
        classes = (*around, *(given.get("class") or "").split())
        element = Element(tag, classes, given.get("d") or "")
        self.elements.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_endtag(self, _tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open:
            self._open[-1].text.append(data)


@dataclass(frozen=True)
class Shown:
    """A page after its scripts have run, and what they complained of."""

    elements: list[Element]
    complaints: list[str]

    def texts(self, tag: str, *classes: str) -> list[str]:
        """The texts of all such elements."""
        return ["".join(e.text) for e in self._such(tag, classes)]

    def paths(self, *classes: str) -> list[str]:
        """The lines of all such paths, as SVG writes them."""
        return [e.path for e in self._such("path", classes)]

    def _such(self, tag: str, classes: tuple[str, ...]) -> list[Element]:
        return [e for e in self.elements if e.tag == tag and set(classes) <= set(e.classes)]


def shown(page: Path, profile: Path) -> Shown:
    """Opens a page; `profile` is a folder for the browser's own files."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        # The machine that says whether a change is good has what packages.txt lists.
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    done = subprocess.run(
        [
            browser,
            *["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
            *["--proxy-server=127.0.0.1:9", "--host-resolver-rules=MAP * ~NOTFOUND"],
            *[f"--user-data-dir={profile}", f"--virtual-time-budget={DRAWING_MS_MAX}"],
            *["--enable-logging=stderr", "--v=0", "--dump-dom", page.as_uri()],
        ],
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=True,
    )
    reader = _Reader()
    reader.feed(done.stdout)
    complaints = re.findall(r":CONSOLE.*?\] (.*)", done.stderr)
    return Shown(reader.elements, complaints)
