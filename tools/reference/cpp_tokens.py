# SPDX-License-Identifier: Apache-2.0
"""Comments, literals and brackets of C and C++, as clang-format lays ours out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

OPENING = {"(": ")", "[": "]", "{": "}"}
RAW_STRING = re.compile(r'R"([^ ()\\]{0,16})\(')


@dataclass
class Piece:
    """A declaration, or (with `code` empty) a comment that belongs to none.

    `code`: without comments and body, spaces folded. `body`: what stands in its braces, for
    namespaces and types that are defined here.
    """

    code: str
    body: str | None = None
    comment: list[str] = field(default_factory=list)
    trailing: list[str] = field(default_factory=list)
    follows: bool = False
    """Without a comment, and on the line after the piece before."""


def skip_literal(text: str, at: int) -> int:
    """The position after the string or character literal that begins at `at`; `at` if none does."""
    raw = RAW_STRING.match(text, at)
    if raw:
        return text.index(f'){raw[1]}"', at) + len(raw[1]) + 2
    quote = text[at]
    if quote == "'" and at and text[at - 1].isalnum():
        return at  # 1'000'000
    if quote not in "\"'":
        return at
    end = at + 1
    while text[end] != quote:
        end += 2 if text[end] == "\\" else 1
    return end + 1


def skip_comment(text: str, at: int) -> int:
    """The position after the comment that begins at `at`; `at` if none does."""
    if text.startswith("//", at):
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    if text.startswith("/*", at):
        return text.index("*/", at) + 2
    return at


def matching(text: str, at: int) -> int:
    """The position of the bracket that closes the one at `at`. Raises ValueError if none does."""
    closing = [OPENING[text[at]]]
    at += 1
    while closing:
        after = skip_comment(text, at)
        after = skip_literal(text, at) if after == at else after
        if after != at:
            at = after
            continue
        if text[at] in OPENING:
            closing.append(OPENING[text[at]])
        elif text[at] == closing[-1]:
            closing.pop()
        elif text[at] in ")]}":
            raise ValueError(f"'{text[at]}' where '{closing[-1]}' was to come")
        at += 1
    return at - 1


def comment_lines(comment: str) -> list[str]:
    """The lines of a comment, without its marks."""
    if comment.startswith("//"):
        return [re.sub(r"^\s*// ?", "", line).rstrip() for line in comment.split("\n")]
    inner = comment.strip()[2:-2]
    return [re.sub(r"^ ?", "", re.sub(r"^\s*\*", "", line)).rstrip() for line in inner.split("\n")]


def without_comments(code: str) -> str:
    """The code with comments taken out and spaces folded."""
    out, at = [], 0
    while at < len(code):
        after = skip_comment(code, at)
        if after != at:
            out.append(" ")
        else:
            after = max(skip_literal(code, at), at + 1)
            out.append(code[at:after])
        at = after
    return re.sub(r"\s+", " ", "".join(out)).strip()
