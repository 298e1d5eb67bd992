# SPDX-License-Identifier: Apache-2.0
"""Machine files, hwloc's XML: what is wrong with one is said by line, since hwloc does not say."""

from __future__ import annotations

import re
from pathlib import Path
from xml.parsers import expat

from makespan.base.errors import InputError
from makespan.files.text_file import whole_text

HINT = "write one with `makespan machine -o FILE` or `lstopo --of xml FILE`"
BYTES_MAX = 256 << 20
"""A node of 1000 cores has 1 MB."""

_TYPES = {
    *("Machine", "System", "Package", "Socket", "Die", "Group", "NUMANode", "MemCache", "Core"),
    *("PU", "Misc", "Bridge", "PCIDev", "OSDev", "Cache"),
    *(f"L{level}Cache" for level in range(1, 6)),
    *(f"L{level}iCache" for level in range(1, 4)),
}
_WHOLE = {
    *("os_index", "gp_index", "local_memory", "cache_size", "cache_linesize", "depth", "nbobjs"),
    *("cache_type", "osdev_type", "kind", "length", "memory"),
}
_SET = re.compile(r"0x[0-9a-f]+|(?:0x[0-9a-f]*|0xf\.\.\.f|)(?:,(?:0x[0-9a-f]+|))*", re.IGNORECASE)


def machine_text(path: Path) -> str:
    """The content of a machine file that hwloc can be given. Raises `InputError`."""
    text = whole_text(path, BYTES_MAX, HINT)  # a network's file has a digest of it
    if not text.strip():
        raise InputError(f"{path}: it is empty; {HINT}")
    _Check(path).feed(text.encode())
    return text


def _wrong(path: Path, line: int, reason: str) -> InputError:
    return InputError(f"{path}, line {line}: {reason}; {HINT}")


class _Check:
    """Reads the XML once, and raises at the first thing that hwloc could not use."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._data
        self._parser.EntityDeclHandler = self._entity
        self._open: list[str] = []
        self._types: list[str] = []
        self._ids: dict[str, int] = {}
        self._has_machine = False
        self._has_cpu = False
        self._expected = 0
        self._found = {"indexes": 0, "u64values": 0}
        self._values: list[str] = []

    def feed(self, data: bytes) -> None:
        try:
            self._parser.Parse(data, True)  # noqa: FBT003 - this is all of it
        except expat.ExpatError as error:
            reason = f"no well-formed XML: {expat.ErrorString(error.code)}, column {error.offset}"
            raise _wrong(self._path, error.lineno, reason) from error
        except LookupError as error:
            raise self._error(f"no encoding is called that ({error})") from error
        if not self._has_machine:
            raise self._error("there is no object of type Machine in it")
        if not self._has_cpu:
            raise self._error("there is no object of type PU in it, so the machine has no core")

    def _error(self, reason: str) -> InputError:
        return _wrong(self._path, self._parser.CurrentLineNumber, reason)

    def _entity(self, name: str, *_: object) -> None:
        raise self._error(f"it declares an entity '{name}', which no machine file does")

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        around = self._open[-1] if self._open else None
        self._open.append(element)
        if around is None and element != "topology":
            raise self._error(f"it begins with <{element}>, and a machine file with <topology>")
        for name, value in attributes.items():
            self._check_attribute(element, name, value)
        if element == "object":
            self._check_object(around, attributes)
        elif element.startswith("distances2"):
            self._expected = int(attributes.get("nbobjs", "0"))
            self._found = dict.fromkeys(self._found, 0)
        elif element in ("indexes", "u64values"):
            self._values = []

    def _check_attribute(self, element: str, name: str, value: str) -> None:
        if element in ("info", "support", "userdata", "cpukind"):
            return
        if name in _WHOLE and not re.fullmatch(r"\d{1,20}", value):
            raise self._error(f"{name}='{value}' is no whole number")
        is_set = name.endswith(("cpuset", "nodeset"))
        if is_set and not _SET.fullmatch(value):
            raise self._error(f"{name}='{value}' is no set, as in 0x0000000f")

    def _check_object(self, around: str | None, attributes: dict[str, str]) -> None:
        kind = attributes.get("type")
        if kind is None:
            raise self._error("an object has no type")
        if kind not in _TYPES:
            raise self._error(f"'{kind}' is no type of object")
        if around == "topology":
            if kind not in ("Machine", "System") or self._has_machine:
                raise self._error(f"the outermost object is a {kind}, and should be one Machine")
            self._has_machine = True
        elif around != "object":
            raise self._error(f"an object stands in <{around}>")
        self._check_inside(kind, attributes)
        self._types.append(kind)

    def _check_inside(self, kind: str, attributes: dict[str, str]) -> None:
        if self._types and self._types[-1] == "PU" and kind not in ("Misc", "Bridge", "PCIDev"):
            raise self._error(f"a {kind} is inside a PU")
        if kind in ("PU", "NUMANode", "Core", "Package") and "cpuset" not in attributes:
            raise self._error(f"a {kind} has no cpuset")
        self._has_cpu = self._has_cpu or kind == "PU"
        for name in ("cpuset", "nodeset"):
            if name in attributes and f"complete_{name}" not in attributes:
                # hwloc 2.9 looks at it all the same, and ends the process.
                raise self._error(f"a {kind} has {name} and no complete_{name}")
        number = attributes.get("gp_index")
        if number is not None:
            first = self._ids.setdefault(number, self._parser.CurrentLineNumber)
            if first != self._parser.CurrentLineNumber:
                raise self._error(f"gp_index {number} is that of line {first}, too")

    def _data(self, text: str) -> None:
        if self._open and self._open[-1] in ("indexes", "u64values"):
            self._values.append(text)

    def _end(self, element: str) -> None:
        self._open.pop()
        if element == "object":
            self._types.pop()
        if element in ("indexes", "u64values"):
            words = "".join(self._values).split()
            bad = next((w for w in words if not re.fullmatch(r"(?:\w+:)?\d{1,20}", w)), None)
            if bad is not None:
                raise self._error(f"'{bad}' in <{element}> is no whole number")
            self._found[element] += len(words)
        if element.startswith("distances2"):
            self._check_sizes(element)

    def _check_sizes(self, element: str) -> None:
        """Of a matrix, which may be cut into several elements."""
        right = {"indexes": self._expected, "u64values": self._expected**2}
        for name, size in right.items():
            if self._found[name] != size:
                raise self._error(
                    f"{self._found[name]} numbers in <{name}> of a <{element}> of "
                    f"{self._expected} objects, where {size} belong"
                )
