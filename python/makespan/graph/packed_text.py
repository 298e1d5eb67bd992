# SPDX-License-Identifier: Apache-2.0
"""JSON in files, plain or compressed; what is wrong with one is said by line and column."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from makespan.atomic import write_files
from makespan.errors import InputError
from makespan.extras import EXTRAS, require

ZSTD_SUFFIX = ".zst"
COMPRESSED_FROM = 1 << 20
"""Bytes of text from which a file is compressed."""
TEXT_BYTES_MAX = 8 << 30
"""Ten million objects have 1 GB; more than this is no dump, but what a damaged file unpacks to."""

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_STEP = 1 << 22
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
    if path.is_dir():
        raise InputError(f"{path}: it is a folder (a graph is a file): name a file in it")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}): {hint}") from error
    if not data.strip():
        raise InputError(f"{path}: it is empty (a dump that was not finished?): {hint}")
    if data.startswith(_ZSTD_MAGIC):
        return _unpacked(path, data, _unzstd, hint)
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

    parts: list[bytes] = []
    while data:
        frame = zstandard.ZstdDecompressor().decompressobj()
        try:
            rest = _fed(data, frame.decompress, partial(getattr, frame, "eof"), parts)
        except zstandard.ZstdError as error:
            raise _PackedError(f"damaged (zstd: {error})") from error
        if not frame.eof:
            raise _cut("zstd", parts)
        data = frame.unused_data + rest
    return b"".join(parts)


def _unbrotli(data: bytes) -> bytes:
    import brotli

    parts: list[bytes] = []
    stream = brotli.Decompressor()
    try:
        _fed(data, stream.process, stream.is_finished, parts)
    except brotli.error as error:
        raise _PackedError("not readable (neither JSON, nor that by zstd or brotli)") from error
    if not stream.is_finished():
        raise _cut("brotli", parts)
    return b"".join(parts)


def _cut(name: str, parts: list[bytes]) -> _PackedError:
    return _PackedError(f"cut off ({name} ends after {sum(map(len, parts))} bytes of text)")


def _fed(
    data: bytes, unpack: Callable[[bytes], bytes], ended: Callable[[], bool], parts: list[bytes]
) -> bytes:
    """Unpacks until the stream ends; what was not looked at. Raises when it becomes too long."""
    size = sum(map(len, parts))
    for start in range(0, len(data), _STEP):
        parts.append(unpack(data[start : start + _STEP]))
        size += len(parts[-1])
        if size > TEXT_BYTES_MAX:
            raise _PackedError(f"too long (it unpacks to more than {TEXT_BYTES_MAX >> 30} GiB)")
        if ended():
            return data[start + _STEP :]
    return b""
