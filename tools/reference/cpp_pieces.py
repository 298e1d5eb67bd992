# SPDX-License-Identifier: Apache-2.0
"""The declarations of a header, or of a body in it, one after the other, each with its comment."""

from __future__ import annotations

import re

from reference.cpp_tokens import (
    Piece,
    comment_lines,
    matching,
    skip_comment,
    skip_literal,
    without_comments,
)

GROUP = "\x01"
"""What stands for (...) in an outline."""
OPERATOR = re.compile(r"operator ?(<=>|->|<<|>>|<=|>=|<|>|\(\)|\[\])")
ASSIGNMENT = re.compile(r"operator ?[-+*/%^&|<>=!]*=")
ACCESS = re.compile(r"(public|protected|private):(?!:)")
NAMESPACE = re.compile(r'(inline )?namespace\b|extern "C"$')
TYPE = re.compile(r"(typedef )?(class|struct|union|enum)\b")
NOT_PARAMETERS = re.compile(rf"\b(alignas|decltype|requires|noexcept|explicit) ?{GROUP}")
INITIALIZERS = re.compile(rf"{GROUP}(?: noexcept(?:{GROUP})?)? ?:(?!:)")


def outline(code: str) -> str:
    """The code without what stands in angles, and with a mark for what stands in parentheses."""
    code = OPERATOR.sub("operator", code).replace("->", "  ")
    before = ""
    while code != before:
        before = code
        code = re.sub(r"\([^()]*\)", GROUP, code)
        code = re.sub(r"<[^<>=]*>", "", code)
        code = re.sub(r"<[^<>]*>", "", code)
    return re.sub(r"^( ?template ?)+", "", code).strip()


def is_function(shape: str) -> bool:
    """Whether an outline is that of a function."""
    return GROUP in NOT_PARAMETERS.sub("", shape)


def brace_means(code: str) -> str:
    """What follows these words in braces: "body" (of a function), "members", or "value"."""
    shape = outline(code)
    if NAMESPACE.match(shape):
        return "members"
    if re.search(r"(?<![=!<>])=(?!=)", ASSIGNMENT.sub("operator", shape)) or re.search(
        rf"requires ?requires ?{GROUP}?$", shape
    ):
        return "value"
    if TYPE.match(shape) and not is_function(shape):
        return "members"
    if not is_function(shape):
        return "value"
    if INITIALIZERS.search(shape) and re.search(r"[\w>]$", code):
        return "value"
    return "body"


def without_initializers(code: str) -> str:
    """A constructor's declaration, without what it does first."""
    depth = 0
    for at, char in enumerate(code):
        depth += (char in "([{") - (char in ")]}")
        is_colon = char == ":" and ":" not in (code[at - 1 : at], code[at + 1 : at + 2])
        if is_colon and not depth and ")" in code[:at]:
            return code[:at].strip()
    return code


class Cutter:
    """Goes through a text once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._comment: list[str] = []
        self._pieces: list[Piece] = []

    def pieces(self) -> list[Piece]:
        """All pieces of the text, in its order."""
        while True:
            gap = self._skip_space()
            if gap > 1 or self._at == len(self._text):
                self._free_comment()
            if self._at == len(self._text):
                return self._pieces
            if skip_comment(self._text, self._at) != self._at:
                self._take_comment(begins_line=gap > 0 or not self._pieces)
            elif self._text[self._at] == "#":
                self._take_directive()
            elif access := ACCESS.match(self._text, self._at):
                self._free_comment()
                self._at = access.end()
                self._pieces.append(Piece(access[0]))
            elif self._text[self._at] == ";":
                self._at += 1
            else:
                self._take_declaration(gap)

    def _skip_space(self) -> int:
        begin = self._at
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._text.count("\n", begin, self._at)

    def _free_comment(self) -> None:
        if self._comment:
            self._pieces.append(Piece("", comment=self._comment))
            self._comment = []

    def _take_comment(self, *, begins_line: bool) -> None:
        begin = self._at
        column = begin - self._text.rfind("\n", 0, begin)
        self._at = skip_comment(self._text, begin)
        while begins_line or self._text.startswith("//", begin):
            more = re.compile(r"\n([ \t]*)(?=//)").match(self._text, self._at)
            if not more or (not begins_line and len(more[1]) + 1 != column):
                break
            self._at = skip_comment(self._text, more.end())
        lines = comment_lines(self._text[begin : self._at])
        if begins_line:
            self._comment += lines
        else:
            self._pieces[-1].trailing += lines

    def _take_directive(self) -> None:
        end = re.compile(r"(?:[^\n\\]|\\.|\\\n)*", re.DOTALL).match(self._text, self._at)
        assert end, "it matches nothing at least"  # noqa: S101
        code = end[0]
        self._at = end.end()
        if code.startswith("#define"):
            comment, self._comment = self._comment, []
            self._pieces.append(Piece(without_comments(code.replace("\\\n", " ")), comment=comment))
        else:
            self._free_comment()

    def _take_declaration(self, gap: int) -> None:
        begin = self._at
        code, body = "", None
        while True:
            at = self._next_mark(self._at)
            if at == len(self._text):
                raise ValueError(f"no end of the declaration '{self._text[begin : begin + 60]}'")
            if self._text[at] == ";":
                code += without_comments(self._text[begin:at])
                self._at = at + 1
                break
            so_far = f"{code}{without_comments(self._text[begin:at])}"
            means, close = brace_means(so_far), matching(self._text, at)
            self._at = close + 1
            if means == "value":
                continue
            code, begin = so_far, close + 1
            if means == "body":
                code = without_initializers(code)
                break
            body = self._text[at + 1 : close]
            if NAMESPACE.match(code):
                break
            code += " "
        comment, self._comment = self._comment, []
        follows = not comment and gap == 1
        self._pieces.append(Piece(code.strip(), body, comment, follows=follows))

    def _next_mark(self, at: int) -> int:
        """Where the next `;` or `{` outside of parentheses, comments and literals is."""
        text = self._text
        while at < len(text) and text[at] not in ";{":
            after = skip_comment(text, at)
            after = skip_literal(text, at) if after == at else after
            if after == at:
                after = (matching(text, at) if text[at] in "([" else at) + 1
            at = after
        return at


def pieces_of(text: str) -> list[Piece]:
    """The pieces of a header, or of a body in one."""
    return Cutter(text).pieces()


def cut_list(body: str) -> list[Piece]:
    """The enumerators in the body of an enumeration."""
    out, at, last_code = list(body), 0, -1
    while at < len(body):
        after = skip_comment(body, at)
        if after == at:
            after = skip_literal(body, at)
            after = after if after != at else (matching(body, at) if body[at] in "([{" else at) + 1
            if body[at] == ",":
                out[at], last_code = ";", -1
            elif not body[at].isspace():
                last_code = after - 1
        at = after
    if last_code >= 0:
        out[last_code] += ";"
    return pieces_of("".join(out))
