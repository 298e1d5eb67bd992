# SPDX-License-Identifier: Apache-2.0
"""Inputs of programs that run for a second or two."""

from __future__ import annotations

BOOK_HEAD = "id,option_type,S,K,r,sigma,T,N,fixing_grid,paths\n"
_OPTIONS = (
    ("call", "100,100,.05,.2,1,12,exclude_start"),
    ("put", "100,90,.05,.4,2,100,exclude_start"),
    ("call", "100,120,.01,.3,.5,25,include_start"),
    ("put", "100,100,.05,0,1,12,exclude_start"),
)


def book(rows: int, paths: int) -> str:
    """A book in CSV; rows differ in what they are and in their paths."""
    lines = []
    for row in range(rows):
        kind, numbers = _OPTIONS[row % len(_OPTIONS)]
        lines.append(f"o{row},{kind},{numbers},{paths + 1000 * row}\n")
    return BOOK_HEAD + "".join(lines)


def melt(steps: int) -> str:
    """864 atoms in 27 cells; a checkpoint after each phase of ten steps."""
    return f"""
[system]
lattice_cells = [6, 6, 6]
[run]
steps = {steps}
thermo_steps = 20
frame_steps = 20
[objects]
cells = [3, 3, 3]
phase_steps = 10
checkpoint_phases = 1
"""


def diffuse(steps: int, every: int) -> str:
    """One field of some thousands of voxels."""
    return f"""
[grid]
points = [24, 20, 28]
[run]
steps = {steps}
[start]
width = 3.0
[output]
table_steps = {every}
slice_steps = 0
checkpoint_steps = {every}
"""


def calcium(duration_ms: float) -> str:
    """A small spark, 0.15 µs a step; a checkpoint every 20 steps."""
    return f"""
[grid]
points = [48, 44, 48]
[run]
duration = {duration_ms}
[release]
ryr_open = [[4, 0.0, 0.004]]
[geometry]
jsr_length = 0.3
jsr_width = 0.3
ryr_per_side = 3
[output]
table_ms = 0.003
scan_ms = 0.0015
slice_ms = 0
checkpoint_ms = 0.006
"""


# Both end by one line, whatever ends them: what Python itself would say is a traceback.
_SCRIPT_END = """
try:
    main()
except BaseException as error:
    sys.stderr.write(f"script: ended by {type(error).__name__}: {error}\\n")
    sys.exit(3)
"""

_MAP_BEGIN = """
import hashlib, os, signal, sys

def on_alarm(number, frame):
    raise RuntimeError("the alarm rang")

def digest(item):
    value = b"%d" % item
    for _ in range(40):
        value = hashlib.sha256(value * 400).digest()
    return value.hex()

def main():
    import makespan
    # MPI has begun then on all images. MPICH does not notice that one ends before, of itself: the
    # others would wait in MPI_Init for ever.
    makespan.map(abs, [1])
    signal.signal(signal.SIGALRM, on_alarm)
"""

MAP_SCRIPT = (
    _MAP_BEGIN
    + """
    found = makespan.map(digest, range(6000), gather="all")
    print(hashlib.sha256("".join(found).encode()).hexdigest())
"""
    + _SCRIPT_END
)

MAP_JOURNAL_SCRIPT = (
    _MAP_BEGIN
    + """
    how = "restart_from" if os.path.exists("map.journal") else "checkpoint"
    found = makespan.map(digest, range(6000), record="map.json", **{how: "map.journal"})
    if found is not None:
        print(hashlib.sha256("".join(found).encode()).hexdigest())
"""
    + _SCRIPT_END
)

PRICE_SCRIPT = (
    """
import signal, sys

def on_alarm(number, frame):
    raise RuntimeError("the alarm rang")

def main():
    signal.signal(signal.SIGALRM, on_alarm)
    import makespan
    made = makespan.price("book.csv")
    if made is not None:
        print(made.hash)
"""
    + _SCRIPT_END
)
