# SPDX-License-Identifier: Apache-2.0
"""What a header of C or C++ offers, as entries: its public names, in its order."""

from __future__ import annotations

import re

from reference.cpp_pieces import (
    ACCESS,
    GROUP,
    NAMESPACE,
    NOT_PARAMETERS,
    cut_list,
    outline,
    pieces_of,
)
from reference.cpp_tokens import Piece
from reference.entry import Entry, Section

TYPE = re.compile(
    r"(?:typedef )?(class|struct|union|enum(?: class| struct)?) ?((?:\[\[[^]]*\]\] ?)*)"
)
LEADING_TEMPLATE = re.compile(r"template ?<")
INTERNAL = {"detail", "internal"}
NOT_OFFERED = re.compile(
    r"static_assert\b|using namespace\b|friend (class|struct)\b|extern template\b|template ?<>"
    r"|namespace \w+ =|(typename )?using [\w:<>, ]+$|[A-Z][A-Z_]+\("
)
NOT_DECLARED_HERE = re.compile(r"[\w>]::~?(\w+|operator.{1,3})\s*\x01")
NOT_OF_THE_TYPE = re.compile(
    r"\[\[[^]]*\]\] ?|\balignas\([^()]*\) ?|\b(MAKESPAN|HWY)_[A-Z_]+ (?!\()"
)
"""Attributes, alignment, and macros that stand for such."""
POINTER_TO_FUNCTION = re.compile(r"[^(]*\(\*(?:const )?(\w+)\)\(")
UNDOCUMENTED = re.compile(r"= (default|delete)$|^~|^virtual ~")
CONSTRAINT = re.compile(r"requires .*? (?=(?:class|struct) )")
GUIDE = re.compile(r"\w+\x01 *  ")
"""A guide for deduction."""
FRIEND = re.compile(r"^((?:template ?<.*?> ?)?)friend ")


def template_prefix(code: str) -> tuple[str, str]:
    """A declaration as its `template <...>` (may be empty) and the rest."""
    begin = LEADING_TEMPLATE.match(code)
    if not begin:
        return "", code
    depth, at = 0, begin.end() - 1
    while True:
        if code[at] == "(":
            at = code.index(")", at)
        depth += {"<": 1, ">": -1}.get(code[at], 0) if code[at - 1] != "-" else 0
        at += 1
        if not depth:
            break
    more, rest = template_prefix(code[at:].strip())
    return f"{code[:at]} {more}", rest


def name_of_function(shape: str) -> str:
    """The name before the parameters; empty if this is none."""
    if "operator" not in shape:
        shape = shape.partition("=")[0]
    found = re.search(rf"(operator.*?|~?\w+) ?{GROUP}", NOT_PARAMETERS.sub("", shape))
    return found[1].strip() if found else ""


def name_of_variable(shape: str) -> str:
    """The last word before a value or a bound."""
    return re.split(r"[={\[]", shape)[0].split()[-1].lstrip("*&")


def without_value(code: str) -> str:
    """A variable's declaration without a value that would be long."""
    code = re.sub(r" ?=? ?\{.*\}$", "", code)
    head, _, value = code.partition(" = ")
    return code if len(value) <= 40 and "{" not in value and "\\" not in value else head


class Reader:
    """Turns the pieces of one header into entries."""

    def __init__(self, domain: str) -> None:
        self._domain = domain

    def entries(self, pieces: list[Piece], *, of: str = "", is_public: bool = True) -> list[Entry]:
        """Those of a namespace, or of the type `of`."""
        found: list[Entry] = []
        for piece in pieces:
            access = ACCESS.fullmatch(piece.code)
            if access:
                is_public = access[1] == "public"
            elif is_public and piece.code:
                entry = self._entry(piece, of)
                if entry and not self._joined(found, piece, entry):
                    found.append(entry)
            elif is_public and (of or piece.comment[0].startswith("--")):
                found.append(Entry("", [], [], piece.comment))
        return found

    def _joined(self, found: list[Entry], piece: Piece, entry: Entry) -> bool:
        """Declarations that follow each other under one comment are one entry."""
        last = found[-1] if found else None
        is_function = entry.directive.endswith("function")
        if (
            last
            and is_function
            and last.directive == entry.directive
            and last.text
            and piece.follows
        ):
            last.signatures.extend(entry.signatures)
            last.names.extend(entry.names)
            return True
        return False

    def _entry(self, piece: Piece, of: str) -> Entry | None:
        """What a piece offers; none for what is not public, or declared elsewhere."""
        text = piece.comment + piece.trailing
        code = NOT_OF_THE_TYPE.sub("", piece.code).removeprefix("extern ")
        if code.startswith("#define"):
            return self._macro(code, text)
        if NOT_OFFERED.match(code) or (UNDOCUMENTED.search(code) and not text):
            return None
        prefix, rest = template_prefix(FRIEND.sub(r"\1", code))
        if constraint := CONSTRAINT.match(rest):
            prefix, rest = f"{prefix}{constraint[0]}", rest[constraint.end() :]
        if TYPE.match(rest) and GROUP not in outline(rest):
            return self._type(piece, prefix, rest, text)
        return self._alias(prefix, rest, text) or self._value(prefix, rest, text, of)

    def _alias(self, prefix: str, rest: str, text: list[str]) -> Entry | None:
        """A concept, or another name for a type."""
        word, _, after = rest.partition(" ")
        name = after.split(" ")[0]
        if word == "concept":
            return Entry("cpp:concept", [f"{prefix}{name}"], [name], text)
        if word == "using":
            return Entry("cpp:type", [f"{prefix}{after}"], [name], text)
        if word == "typedef" and (pointer := POINTER_TO_FUNCTION.match(after)):
            return Entry("c:type", [after], [pointer[1]], text)
        if word == "typedef":
            return Entry("c:type", [after], [re.split(r"\W+", after)[-1]], text)
        return None

    def _value(self, prefix: str, rest: str, text: list[str], of: str) -> Entry | None:
        """A function or a variable; none if it was declared elsewhere."""
        shape = outline(rest)
        before_braces = shape.partition("{")[0]
        if GROUP not in before_braces:
            shape = before_braces  # a variable's: what stands in its braces may be a call
        if NOT_DECLARED_HERE.search(shape) or (not of and GUIDE.match(shape)):
            return None
        pointer = POINTER_TO_FUNCTION.match(rest)
        name = pointer[1] if pointer else name_of_function(shape)
        if name and not pointer:
            kind = "function"
            rest = re.sub(r" ?\{.*\}$", "", rest)
        else:
            kind = "member" if of or self._domain == "c" else "var"
            rest = without_value(rest)
            name = name or name_of_variable(shape)
        return Entry(f"{self._domain}:{kind}", [f"{prefix}{rest}"], [name], text)

    def _macro(self, code: str, text: list[str]) -> Entry | None:
        found = re.match(r"#define (MAKESPAN_\w+)(\([^)]*\))?", code)
        if not found or not text:
            return None
        return Entry("c:macro", [f"{found[1]}{found[2] or ''}"], [found[1]], text)

    def _type(self, piece: Piece, prefix: str, rest: str, text: list[str]) -> Entry | None:
        match = TYPE.match(rest)
        assert match, "asked before"  # noqa: S101
        kind, head = match[1], rest[match.end() :].strip()
        if piece.body is None and not rest.startswith("typedef"):
            return None  # declared here, defined elsewhere
        if not head:
            members = self._enumerators(piece.body or "")
            return Entry(
                f"{self._domain}:enum", [f"@{members[0].names[0].lower()}"], [], text, members
            )
        if rest.startswith("typedef"):
            if piece.body is None:
                name = head.split()[-1]
                return Entry("c:type", [f"{kind} {head}"], [name], text)
            head = head.split()[0]
        name = re.split(r"[ :<]", head)[0]
        if "<" in re.split(r"[ :]", head)[0]:
            return None  # a specialization
        if kind.startswith("enum"):
            members = self._enumerators(piece.body or "")
            directive = {"enum": "enum"}.get(kind, "enum-class")
        else:
            is_public = kind != "class"
            members = self.entries(pieces_of(piece.body or ""), of=name, is_public=is_public)
            directive = kind
        signature = head if self._domain == "cpp" else name
        return Entry(f"{self._domain}:{directive}", [f"{prefix}{signature}"], [name], text, members)

    def _enumerators(self, body: str) -> list[Entry]:
        found = []
        for piece in cut_list(body):
            name = piece.code.split("=")[0].strip()
            directive = f"{self._domain}:enumerator"
            found.append(Entry(directive, [piece.code], [name], piece.comment + piece.trailing))
        return found


def sections_of(text: str, domain: str) -> tuple[list[str], list[Section]]:
    """What a header says of itself, and what it offers, by namespace."""
    pieces = pieces_of(text)
    free = [piece.comment for piece in pieces if not piece.code]
    head = next((lines for lines in free if not lines[0].lstrip().startswith("SPDX")), [])
    return head, _gathered(pieces, "", Reader(domain))


def _gathered(pieces: list[Piece], scope: str, reader: Reader) -> list[Section]:
    sections: list[Section] = []
    loose: list[Piece] = []
    for piece in pieces:
        if not NAMESPACE.match(piece.code):
            loose.append(piece)
            continue
        name = piece.code.partition("namespace")[2].strip()
        is_c = piece.code.startswith("extern")
        if is_c or (name and name not in INTERNAL and (scope or name.startswith("makespan"))):
            inner = "::".join(part for part in (scope, name) if part)
            sections += _gathered(pieces_of(piece.body or ""), inner, reader)
    entries = reader.entries(loose)
    return [Section("", [], entries, scope), *sections] if entries else sections
