# SPDX-License-Identifier: Apache-2.0
"""Files of all fields of a grid at one step: checkpoints that ParaView opens (VTKHDF).

Fields lie as VTK wants them, plane after plane in double precision; beside them is what makespan
needs to go on, with a digest of each plane. HDF5 itself checks everything but values. The format
is described in docs/reference/state-file.md.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.errors import InputError
from makespan.files.atomic import write_files
from makespan.files.resolved_path import resolved

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]
    Planes = Callable[[int, int, int], Values]

FORMAT = 1
SUFFIX = ".vtkhdf"
TURN_BYTES = 8 << 20
"""Planes are asked for in turns of at most so much, but one plane at least."""

_STATE, _VIEW = "state", "view"
_VTK_VERSION = (1, 0)  # the first; what ImageData needs has not changed since
_DIGEST_BYTES = 8
_KINDS = {_STATE: "<f8", _VIEW: "<f4"}

_SYSTEM_WORDS = re.compile(r"error message = '([^']+)'")

_HINT = "name a checkpoint of `makespan calcium`, `makespan diffuse` or `makespan.grid`"
_OTHER = "go on from another checkpoint"


@dataclass(frozen=True, slots=True)
class StateHead:
    """What a file says besides values. Triples are (x, y, z)."""

    application: str
    """Whose fields these are: "calcium", "diffuse", or "grid" of `makespan.grid`."""
    step: int
    time: float
    time_unit: str
    """As "ms"; empty where times have none."""
    points: tuple[int, int, int]
    spacing: tuple[float, float, float]
    """Sides of a voxel; voxel i is between i and i + 1 times these."""
    fields: tuple[str, ...]
    settings: str
    """What the run was told, as JSON."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of a field's array: (z, y, x)."""
        x, y, z = self.points
        return z, y, x


def write_state(path: Path, head: StateHead, planes: Planes) -> None:
    """Writes a checkpoint: it appears whole, or what stood under the name stays.

    `planes(field, z_begin, z_end)` gives values of shape (z_end - z_begin, y, x) of the field with
    that number, for all z of a field before the next. Raises `InputError` if the disk refuses, and
    whatever `planes` raises.
    """
    write_files({path: lambda temporary: _write(temporary, head, planes, _STATE)})


def write_view(path: Path, head: StateHead, planes: Planes, fields: Sequence[str]) -> None:
    """The same of the named fields, in single precision, for ParaView: no run goes on from it."""
    numbers = [head.fields.index(name) for name in fields]

    def chosen(field: int, z_begin: int, z_end: int) -> Values:
        return planes(numbers[field], z_begin, z_end)

    shown = replace(head, fields=tuple(fields))
    write_files({path: lambda temporary: _write(temporary, shown, chosen, _VIEW)})


def planes_in_turn(head: StateHead) -> int:
    """How many planes are asked for, or read, at once."""
    x, y, _ = head.points
    return max(1, TURN_BYTES // (8 * x * y))


def _write(path: Path, head: StateHead, planes: Planes, content: str) -> None:
    with _created(path) as file:
        _write_image(file, head)
        _write_own(file, head, content)
        for number in range(len(head.fields)):
            _write_field(file, head, number, planes)


@contextmanager
def _created(path: Path) -> Iterator[Any]:
    """A new HDF5 file. `OSError` where the disk refuses, also when it is closed."""
    with _in_short():
        file = _new_file(path)
    try:
        with _in_short():
            yield file
    except BaseException:
        with contextlib.suppress(OSError, RuntimeError):  # what ended the writing says more
            file.close()
        raise
    try:
        with _in_short():
            file.close()
    except RuntimeError as error:
        raise OSError(str(error)) from error


def _new_file(path: Path) -> Any:
    """Without the buffer in which HDF5 keeps small data until a dataset's handle is freed.

    What the disk refuses then is not told, and the file is taken for whole.
    """
    import h5py

    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_fclose_degree(h5py.h5f.CLOSE_STRONG)
    # From HDF5 1.10 on all its own blocks carry checksums.
    access.set_libver_bounds(h5py.h5f.LIBVER_V110, h5py.h5f.LIBVER_V110)
    access.set_file_locking(False, True)  # noqa: FBT003, off, also where HDF5 cannot lock
    access.set_sieve_buf_size(0)
    made = h5py.h5f.create(os.fsencode(path), h5py.h5f.ACC_TRUNC, fapl=access)
    return h5py.File(made)


@contextmanager
def _in_short() -> Iterator[None]:
    """What the system said, of HDF5's half a page with date, addresses and offsets."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        found = _SYSTEM_WORDS.search(str(error))
        if found is None:
            raise
        raise OSError(found[1]) from error


def _write_image(file: Any, head: StateHead) -> None:
    """The attributes of VTK's ImageData: a voxel is a cell."""
    import numpy as np

    x, y, z = head.points
    image = file.create_group("VTKHDF")
    image.attrs["Version"] = np.array(_VTK_VERSION, dtype="<i8")
    image.attrs["Type"] = np.bytes_(b"ImageData")
    image.attrs["WholeExtent"] = np.array((0, x, 0, y, 0, z), dtype="<i8")
    image.attrs["Origin"] = np.zeros(3, dtype="<f8")
    image.attrs["Spacing"] = np.array(head.spacing, dtype="<f8")
    image.attrs["Direction"] = np.eye(3, dtype="<f8").ravel()
    image.create_group("CellData")


def _write_own(file: Any, head: StateHead, content: str) -> None:
    import numpy as np

    own = file.create_group("makespan")
    own.attrs["format"] = np.int64(FORMAT)
    own.attrs["step"] = np.int64(head.step)
    own.attrs["time"] = np.float64(head.time)
    _write_texts(own, "content", content)
    _write_texts(own, "application", head.application)
    _write_texts(own, "time_unit", head.time_unit)
    _write_texts(own, "fields", head.fields)
    _write_texts(own, "settings", head.settings)
    own.create_group("digests")


def _write_texts(group: Any, name: str, texts: str | Sequence[str]) -> None:
    """Of fixed length: texts of any length would lie where HDF5 has no checksums."""
    import h5py
    import numpy as np

    data = texts.encode() if isinstance(texts, str) else [text.encode() for text in texts]
    length = max(map(len, [data] if isinstance(data, bytes) else data))
    kind = h5py.string_dtype("utf-8", max(1, length))
    group.attrs.create(name, np.array(data, dtype=kind), dtype=kind)


def _write_field(file: Any, head: StateHead, number: int, planes: Planes) -> None:
    """Its planes, and their digests as they are in the file."""
    import numpy as np

    cells, digests = file["VTKHDF/CellData"], file["makespan/digests"]
    content, name = _text(file["makespan"], "content"), head.fields[number]
    z, y, x = head.shape
    # Filling would write every byte twice.
    data = cells.create_dataset(name, head.shape, dtype=_KINDS[content], fill_time="never")
    sums = np.empty(z, dtype="<u8")
    for begin, end in _turns(head):
        values = planes(number, begin, end)
        if values.shape != (end - begin, y, x):
            raise ValueError(f"planes of shape {values.shape}, not {(end - begin, y, x)}")
        with np.errstate(over="ignore"):  # in single precision what is too large is infinite
            stored = np.ascontiguousarray(values, dtype=_KINDS[content])
        data[begin:end] = stored
        sums[begin:end] = _digests(stored)
    digests.create_dataset(name, data=sums)


def _turns(head: StateHead) -> Iterator[tuple[int, int]]:
    turn = planes_in_turn(head)
    planes = head.points[2]
    return ((begin, min(begin + turn, planes)) for begin in range(0, planes, turn))


def _digests(planes: NDArray[Any]) -> NDArray[np.uint64]:
    """BLAKE2b of the bytes of each plane, its first 64 bits, little-endian."""
    import numpy as np

    sums = [hashlib.blake2b(plane, digest_size=_DIGEST_BYTES).digest() for plane in planes]
    return np.frombuffer(b"".join(sums), dtype="<u8")


class StateFile:
    """A checkpoint that is open for reading."""

    def __init__(self, path: Path, file: Any) -> None:
        self._path = path
        with _refusing(path):
            self._own = _own_group(path, file)
            self.head = _head(path, self._own, file["VTKHDF"])
            self._data = [self._field(file, name) for name in self.head.fields]

    def read(self, field: int, z_begin: int, z_end: int) -> Values:
        """Planes of the field with that number, of shape (z_end - z_begin, y, x).

        Raises `InputError` where bytes are not those that were written.
        """
        data, digests = self._data[field]
        with _refusing(self._path):
            planes: Values = data[z_begin:z_end]
            wrong = _digests(planes) != digests[z_begin:z_end]
        if wrong.any():
            raise InputError(
                f"{self._path}: field '{self.head.fields[field]}', plane "
                f"{z_begin + int(wrong.argmax())}: its bytes are not those that were written (the "
                f"file is damaged): {_OTHER}"
            )
        return planes

    def _field(self, file: Any, name: str) -> tuple[Any, Any]:
        """Its values and its digests, both still in the file."""
        import h5py

        z = self.head.points[2]
        found = []
        for where, shape, kind in (
            (f"VTKHDF/CellData/{name}", self.head.shape, _KINDS[_STATE]),
            (f"makespan/digests/{name}", (z,), "<u8"),
        ):
            data = file.get(where)
            if not isinstance(data, h5py.Dataset):
                raise InputError(f"{self._path}: /{where} is missing: {_OTHER}")
            if data.shape != shape or data.dtype != kind:
                raise InputError(
                    f"{self._path}: /{where} is {data.dtype} of shape {data.shape} (not {kind} of "
                    f"shape {shape}): {_OTHER}"
                )
            found.append(data)
        return found[0], found[1]


@contextmanager
def open_state(path: Path) -> Iterator[StateFile]:
    """Opens a checkpoint. Raises `InputError`, which says what is wrong with the file."""
    import h5py

    found = resolved(path)
    if found.is_dir():
        raise InputError(f"{path}: it is a folder; name a file in it")
    if found.exists() and not found.is_file():
        raise InputError(f"{path}: it is not a regular file: {_HINT}")
    try:
        path.open("rb").close()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}): {_HINT}") from error
    if not h5py.is_hdf5(path):
        raise InputError(f"{path}: it is no HDF5 file: {_HINT}")
    with _refusing(path):
        # Files are replaced, never changed, so that a lock would only stand in the way.
        file = h5py.File(path, "r", locking=False)
    with file:
        yield StateFile(path, file)


# What h5py, or what reads its attributes, raises for numbers in place of texts and the like.
_OF_DAMAGE = (
    *(AttributeError, KeyError, OSError, OverflowError),
    *(RuntimeError, TypeError, ValueError),
)


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """What HDF5 says of damage becomes an `InputError`."""
    try:
        yield
    except InputError:
        raise
    except MemoryError as error:
        raise InputError(f"{path}: there is no memory for its values: {_OTHER}") from error
    except _OF_DAMAGE as error:
        why = error.args[0] if error.args else type(error).__name__
        raise InputError(f"{path}: it is cut short or damaged ({why}): {_OTHER}") from error


def _own_group(path: Path, file: Any) -> Any:
    """makespan's, of a checkpoint that can be read."""
    own = file.get("makespan")
    if own is None or "format" not in own.attrs or "VTKHDF" not in file:
        raise InputError(f"{path}: it is an HDF5 file, but not of makespan: {_HINT}")
    found = int(own.attrs["format"])
    if found != FORMAT:
        raise InputError(
            f"{path}: it has format {found} (this makespan reads {FORMAT}): go on with the "
            "makespan that wrote it"
        )
    if _text(own, "content") != _STATE:
        raise InputError(f"{path}: it is for ParaView only (in single precision): {_HINT}")
    return own


def _head(path: Path, own: Any, image: Any) -> StateHead:
    begin_x, x, begin_y, y, begin_z, z = (int(end) for end in image.attrs["WholeExtent"])
    if (begin_x, begin_y, begin_z) != (0, 0, 0) or min(x, y, z) < 1:
        extent = image.attrs["WholeExtent"].tolist()
        raise InputError(f"{path}: WholeExtent {extent} (it is not of a grid's points): {_OTHER}")
    step_x, step_y, step_z = (float(side) for side in image.attrs["Spacing"])
    return StateHead(
        application=_text(own, "application"),
        step=int(own.attrs["step"]),
        time=float(own.attrs["time"]),
        time_unit=_text(own, "time_unit"),
        points=(x, y, z),
        spacing=(step_x, step_y, step_z),
        fields=tuple(name.decode() for name in own.attrs["fields"]),
        settings=_text(own, "settings"),
    )


def _text(group: Any, name: str) -> str:
    return bytes(group.attrs[name]).decode()
