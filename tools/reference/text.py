# SPDX-License-Identifier: Apache-2.0
"""Comments, which are plain text, as reStructuredText."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

CODE = re.compile(r"(`[^`]+`|docs/[\w/-]+\.md)")
ITEM = re.compile(r"[-*] ")


def inline(text: str) -> str:
    """A paragraph: single backticks hold code, a page's path is a link; nothing else is markup."""
    parts = CODE.split(" ".join(text.split()))
    joined = "".join(_marked(part) if at % 2 else _escaped(part) for at, part in enumerate(parts))
    joined = re.sub(r"(^|(?<=[\s(]))\\ (?=[:`])", "", joined)
    joined = re.sub(r"(?<=`)\\ (?=$|[\s.,;:)!?])", "", joined)
    if joined and not (joined[0].isalnum() or joined[0] in ":`\\"):
        return f"\\{joined}"
    return re.sub(r"^(\w{1,3})([.)]) ", r"\1\\\2 ", joined)


def _marked(text: str) -> str:
    page = text.removeprefix("docs/").removesuffix(".md")
    return f"\\ ``{text[1:-1]}``\\ " if text[0] == "`" else f"\\ :doc:`/{page}`\\ "


def _escaped(text: str) -> str:
    text = re.sub(r"([\\*`|])", r"\\\1", text)
    return re.sub(r"_(?!\w)", r"\\_", text)


def blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    """Lines that belong together: paragraphs, items of lists, and what is set off (indented)."""
    block: list[str] = []
    for line in lines:
        is_code = line.startswith("  ")
        was_code = bool(block) and block[0].startswith("  ")
        was_item = bool(block) and ITEM.match(block[0])
        ends = (
            not line.strip()
            or ITEM.match(line)
            or (is_code != was_code and not (was_item and is_code))
        )
        if block and ends and not (was_code and (is_code or not line.strip())):
            yield block
            block = []
        if line.strip() or block:
            block.append(line)
    if block:
        yield block


def code_block(lines: list[str], language: str) -> list[str]:
    """Lines that stay as they are."""
    return [f".. code-block:: {language}", "", *(f"   {line}".rstrip() for line in lines), ""]


def to_rst(lines: Iterable[str], language: str = "text") -> list[str]:
    """The lines of a comment as lines of reStructuredText."""
    out: list[str] = []
    for block in blocks(lines):
        if block[0].startswith("  "):
            code = textwrap.dedent("\n".join(block)).strip("\n").split("\n")
            ends = {line[-1:] for line in code if "|" not in line}
            out += code_block(code, language if ends & set(";{}") else "text")
        elif ITEM.match(block[0]):
            item = " ".join([block[0][2:], *block[1:]])
            out += [f"- {inline(item)}", ""]
        else:
            out += [inline(" ".join(block)), ""]
    return out
