# SPDX-License-Identifier: Apache-2.0
"""JSON in files, plain or compressed; what is wrong with one is said by line and column."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError
from makespan.base.extras import EXTRAS, require
from makespan.files.atomic import write_files

ZSTD_SUFFIX = ".zst"
COMPRESSED_FROM = 1 << 20
"""Bytes of text from which a file is compressed."""
TEXT_BYTES_MAX = 8 << 30
"""Ten million objects have 1 GB; more than this is no dump, but what a damaged file unpacks to."""

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_STEP = 1 << 22
_ZSTD_STEP = 1 << 11
"""Four bytes can be a block of 128 KiB: so many become 64 MiB at most, and are looked at then."""
_BROTLI_CRUMB = 64
"""A block of 16 MiB takes four bytes at least."""
_LEVEL = 6


def read_json(path: Path, hint: str) -> Any:
    """What a file holds: JSON, or that by zstd or brotli. Raises `InputError` that ends in `hint`.

    zstd is known by its first bytes, and brotli by not being JSON: suffixes do not matter.
    """
    data = _bytes_of(path, hint)
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        cut = ", the end of the file" if not error.doc[error.pos :].strip() else ""
        where = f"line {error.lineno}, column {error.colno}{cut}"
        raise InputError(f"{path}, {where}: no JSON ({error.msg}): {hint}") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {line}: no UTF-8 text ({error.reason}): {hint}") from error
    except RecursionError as error:
        raise InputError(
            f"{path}: lists in lists in lists (no dump is like that): {hint}"
        ) from error
    except ValueError as error:
        raise InputError(f"{path}: a number has too many digits ({error}): {hint}") from error


def write_json(path: Path, document: Any) -> Path:
    """Writes a file, whole or not at all; returns where it is.

    Long ones get the suffix of zstd, where that is installed.
    """
    text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode() + b"\n"
    if path.suffix != ZSTD_SUFFIX:
        if len(text) <= COMPRESSED_FROM or EXTRAS["graphs"].missing():
            write_files({path: lambda file: _write(file, text)})
            return path
        path = path.with_name(path.name + ZSTD_SUFFIX)
    require("graphs", for_=str(path))
    import zstandard

    packed = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(text)
    write_files({path: lambda file: _write(file, packed)})
    return path


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def _bytes_of(path: Path, hint: str) -> bytes:
    try:
        if path.is_dir():
            raise InputError(f"{path}: it is a folder (a graph is a file): name a file in it")
        if path.is_char_device() or path.is_block_device():
            raise InputError(f"{path}: it is a device (a graph is a file, or a pipe): name one")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}): {hint}") from error
    if not data.strip():
        raise InputError(f"{path}: it is empty (a dump that was not finished?): {hint}")
    if data.startswith(_ZSTD_MAGIC):
        return _unpacked(path, data, _unzstd, hint)
    data = data.removeprefix(codecs.BOM_UTF8)
    if data.lstrip()[:1] not in (b"{", b"["):
        return _unpacked(path, data, _unbrotli, hint)
    return data


def _unpacked(path: Path, data: bytes, unpack: Callable[[bytes], bytes], hint: str) -> bytes:
    require("graphs", for_=f"{path}: compressed")
    try:
        return unpack(data)
    except _PackedError as error:
        raise InputError(f"{path}: {error}: {hint}") from error


class _PackedError(Exception):
    """Something compressed that cannot be unpacked: problem (why)."""


def _unzstd(data: bytes) -> bytes:
    """Of one frame or several, as `cat` makes them."""
    import zstandard

    text = _Text()
    begin = 0
    while begin < len(data):
        frame = zstandard.ZstdDecompressor().decompressobj()
        while not frame.eof:
            if begin == len(data):
                raise text.cut("zstd")
            step = data[begin : begin + _ZSTD_STEP]
            try:
                text.add(frame.decompress(step))
            except zstandard.ZstdError as error:
                raise _PackedError(f"damaged (zstd: {error})") from error
            begin += len(step)
        begin -= len(frame.unused_data)
    return text.whole()


def _unbrotli(data: bytes) -> bytes:
    import brotli

    text = _Text()
    stream = brotli.Decompressor()
    unpack = _bounded if hasattr(stream, "can_accept_more_data") else _by_crumbs
    try:
        for begin in range(0, len(data), _STEP):
            if stream.is_finished():
                break
            for part in unpack(stream, data[begin : begin + _STEP]):
                text.add(part)
    except brotli.error as error:
        raise _PackedError("not readable (neither JSON, nor that by zstd or brotli)") from error
    if not stream.is_finished():
        raise text.cut("brotli")
    return text.whole()


def _bounded(stream: Any, data: bytes) -> Iterator[bytes]:
    """With brotli from 1.2 on, which can be told how much to give at once."""
    yield stream.process(data, output_buffer_limit=_STEP)
    while not stream.can_accept_more_data():
        yield stream.process(b"", output_buffer_limit=_STEP)


def _by_crumbs(stream: Any, data: bytes) -> Iterator[bytes]:
    for begin in range(0, len(data), _BROTLI_CRUMB):
        if stream.is_finished():
            return
        yield stream.process(data[begin : begin + _BROTLI_CRUMB])


class _Text:
    """What has been unpacked; raises when it becomes too long."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, part: bytes) -> None:
        self._parts.append(part)
        self._size += len(part)
        if self._size > TEXT_BYTES_MAX:
            raise _PackedError(f"too long (it unpacks to more than {TEXT_BYTES_MAX >> 30} GiB)")

    def whole(self) -> bytes:
        return b"".join(self._parts)

    def cut(self, name: str) -> _PackedError:
        """An error, to be raised."""
        return _PackedError(f"cut off ({name} ends after {self._size} bytes of text)")
