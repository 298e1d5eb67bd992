# SPDX-License-Identifier: Apache-2.0
"""A disk that loses power: what it may hold after any of the operations that it was asked for.

Rules of a POSIX file system, as Pillai et al. use them (All File Systems Are Not Created Equal,
OSDI 2014): until a file is synced, each of its blocks is as old as the last sync or as new as any
write since, and so is its size; bytes that no write has reached are zeros. Until a folder is
synced, any of its changes may be missing, also an earlier one where a later one is there; a rename
is one change. Syncing a file does not sync its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

BLOCK = 4096

Tree = dict[str, bytes | None]
"""Contents by path below the root; None for a folder."""


@dataclass(frozen=True)
class Change:
    """Of a file's bytes: written at an offset, or (no data) resized."""

    offset: int
    data: bytes | None

    def size_after(self, size: int) -> int:
        """Of a file that had this size."""
        return self.offset if self.data is None else max(size, self.offset + len(self.data))


@dataclass(eq=False)
class File:
    """Bytes that are on the disk, and changes that may be."""

    durable: bytes = b""
    pending: list[Change] = field(default_factory=list)

    def sync(self) -> None:
        """All changes are on the disk."""
        self.durable = self.newest()
        self.pending.clear()

    def newest(self) -> bytes:
        """As the program sees it."""
        return self.content(lambda: len(self.pending))

    def any_of_it(self, rng: Random) -> bytes:
        """As a power failure may leave it."""
        return self.content(lambda: rng.randint(0, len(self.pending)))

    def content(self, age: Callable[[], int]) -> bytes:
        """The size, and each block, after so many of the changes."""
        size = len(self.durable)
        for change in self.pending[: age()]:
            size = change.size_after(size)
        made = bytearray(self.durable[:size].ljust(size, b"\0"))
        ages: dict[int, int] = {}
        for number, change in enumerate(self.pending):
            for block in _blocks(change, size):
                if block not in ages:
                    ages[block] = age()
                if number < ages[block]:
                    _apply(made, change, block)
        return bytes(made)


def _blocks(change: Change, size: int) -> range:
    # Of a file that is cut, what lies behind is gone, also if it grows again.
    end = size if change.data is None else min(size, change.offset + len(change.data))
    return range(change.offset // BLOCK, -(-end // BLOCK))


def _apply(made: bytearray, change: Change, block: int) -> None:
    begin = max(change.offset, block * BLOCK)
    data = change.data
    end = min(len(made), (block + 1) * BLOCK)
    if data is None:
        made[begin:end] = bytes(max(0, end - begin))
        return
    end = min(end, change.offset + len(data))
    made[begin:end] = data[begin - change.offset : end - change.offset]


@dataclass(eq=False)
class Folder:
    """A node of the tree; its entries follow from the disk's changes of names."""


Node = File | Folder


@dataclass
class NameChange:
    """Names that change together."""

    edits: list[tuple[Folder, str, Node | None]]
    is_durable: bool = False


class Disk:
    """Folders, files and names of a tree, from a first one that is all on the disk."""

    def __init__(self, first: Mapping[str, bytes | None]) -> None:
        self._root = Folder()
        self._changes: list[NameChange] = []
        self._names: dict[Folder, dict[str, Node]] = {self._root: {}}
        for path in sorted(first):
            data = first[path]
            self.add(path, Folder() if data is None else File(data))
        for change in self._changes:
            change.is_durable = True

    def find(self, path: str) -> Node:
        """Of a path below the root; "" is the root. Raises `KeyError`."""
        node: Node = self._root
        for name in filter(None, path.split("/")):
            if not isinstance(node, Folder):
                raise KeyError(path)
            node = self._names[node][name]
        return node

    def add(self, path: str, node: Node) -> None:
        """A new name for a node, new or not."""
        self._change([(*self._place(path), node)])

    def remove(self, path: str) -> None:
        """A name less."""
        self._change([(*self._place(path), None)])

    def rename(self, path: str, other: str) -> None:
        """In one change, whatever stood under the other name."""
        node = self.find(path)
        self._change([(*self._place(path), None), (*self._place(other), node)])

    def exchange(self, path: str, other: str) -> None:
        """Two names, in one change."""
        nodes = self.find(path), self.find(other)
        self._change([(*self._place(path), nodes[1]), (*self._place(other), nodes[0])])

    def sync(self, folder: Folder) -> None:
        """Changes of its names are on the disk."""
        for change in self._changes:
            if any(one is folder for one, _, _ in change.edits):
                change.is_durable = True

    def sync_all(self) -> None:
        """Everything is."""
        for change in self._changes:
            change.is_durable = True
        for node in self._nodes():
            if isinstance(node, File):
                node.sync()

    def newest(self) -> Tree:
        """As the program sees it; also after `kill -9`."""
        return self._tree(lambda _: True, File.newest)

    def oldest(self) -> Tree:
        """After a power failure that took all that it could."""
        return self._tree(lambda _: False, lambda file: file.durable)

    def any_of_it(self, rng: Random) -> Tree:
        """After one that took something."""
        share = rng.random()
        return self._tree(lambda _: rng.random() < share, lambda file: file.any_of_it(rng))

    def _place(self, path: str) -> tuple[Folder, str]:
        folder, _, name = path.rpartition("/")
        found = self.find(folder)
        if not isinstance(found, Folder):
            raise KeyError(path)
        return found, name

    def _change(self, edits: list[tuple[Folder, str, Node | None]]) -> None:
        self._changes.append(NameChange(edits))
        _edit(self._names, edits)

    def _nodes(self) -> Iterator[Node]:
        for names in self._names.values():
            yield from names.values()

    def _tree(
        self, is_there: Callable[[NameChange], bool], content: Callable[[File], bytes]
    ) -> Tree:
        names: dict[Folder, dict[str, Node]] = {self._root: {}}
        for change in self._changes:
            if change.is_durable or is_there(change):
                _edit(names, change.edits)
        tree: Tree = {}
        contents: dict[File, bytes] = {}
        _fill(tree, names, self._root, "", lambda file: _once(contents, file, content))
        return tree


def _once(known: dict[File, bytes], file: File, content: Callable[[File], bytes]) -> bytes:
    """A file of two names has one content."""
    if file not in known:
        known[file] = content(file)
    return known[file]


def _edit(
    names: dict[Folder, dict[str, Node]], edits: list[tuple[Folder, str, Node | None]]
) -> None:
    for folder, name, node in edits:
        within = names.setdefault(folder, {})
        if node is None:
            within.pop(name, None)
        else:
            within[name] = node
            if isinstance(node, Folder):
                names.setdefault(node, {})


def _fill(
    tree: Tree,
    names: Mapping[Folder, Mapping[str, Node]],
    folder: Folder,
    before: str,
    content: Callable[[File], bytes],
) -> None:
    for name, node in names.get(folder, {}).items():
        path = f"{before}{name}"
        if isinstance(node, File):
            tree[path] = content(node)
        else:
            tree[path] = None
            _fill(tree, names, node, f"{path}/", content)


def tree_of(folder: Path) -> Tree:
    """What lies below a real folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def write_tree(tree: Tree, folder: Path) -> None:
    """The same the other way; the folder is new."""
    folder.mkdir(parents=True)
    for path in sorted(tree):
        data = tree[path]
        target = folder / path
        if data is None:
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
