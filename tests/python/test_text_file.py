# SPDX-License-Identifier: Apache-2.0
"""Text files are read whole, or refused with a message that says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from makespan.base.errors import InputError
from makespan.files.text_file import file_text, whole_text

MIB = 1 << 20


def test_a_text_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "in.toml"
    path.write_bytes("steps = 1\nname = 'µ'\n".encode())

    assert file_text(path, MIB, "hint") == "steps = 1\nname = 'µ'\n"


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    """But of a digest all bytes are."""
    path = tmp_path / "in.toml"
    path.write_bytes(b"\xef\xbb\xbf[kind.cpu]\nspeed = 1\n")

    text = file_text(path, MIB, "hint")

    assert text == "[kind.cpu]\nspeed = 1\n"
    assert whole_text(path, MIB, "hint") == f"\ufeff{text}"


def test_as_long_as_it_may_be_and_a_byte_longer(tmp_path: Path) -> None:
    path = tmp_path / "long"
    path.write_bytes(b"x" * MIB)
    assert len(file_text(path, MIB, "hint")) == MIB

    path.write_bytes(b"x" * (MIB + 1))
    with pytest.raises(InputError, match="long: it is larger than 1 MiB; hint"):
        file_text(path, MIB, "hint")


def test_what_is_no_text_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(b"a\nb\n\xff\n")

    with pytest.raises(InputError, match="bytes, line 3: it is no UTF-8 text; hint"):
        file_text(path, MIB, "hint")


def test_folders_and_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is a folder"):
        file_text(tmp_path, MIB, "hint")
    with pytest.raises(InputError, match=r"cannot be read .*; hint"):
        file_text(tmp_path / "none", MIB, "hint")
    with pytest.raises(InputError, match=r"cannot be read \(File name too long\); hint"):
        file_text(tmp_path / (300 * "x"), MIB, "hint")
    for odd in ("a\0b", "\ud800"):
        with pytest.raises(InputError, match=r"cannot be read \(.*(null byte|surrogate).*; hint"):
            file_text(tmp_path / odd, MIB, "hint")
