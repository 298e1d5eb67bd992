# SPDX-License-Identifier: Apache-2.0
"""GPUs: those that the driver shows, and whether the engine can use them."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from dataclasses import dataclass

from makespan.doctor.finding import Finding, ok, warning

LISTING_S_MAX = 20


@dataclass(frozen=True, slots=True)
class GpuFacts:
    """Both sides of it."""

    has_driver: bool
    """libcuda.so.1 loads."""
    listed: tuple[str, ...]
    """By nvidia-smi, whatever CUDA_VISIBLE_DEVICES says."""
    built_with_cuda: bool
    usable: tuple[str, ...]
    """That the engine sees."""
    why_none: str
    """Why it sees none, as it says."""


def gather_gpus() -> GpuFacts:
    """Of this machine and the engine."""
    from makespan.base.engine import load_engine
    from makespan.base.errors import NotConfiguredError

    try:
        engine = load_engine()
    except NotConfiguredError:
        return GpuFacts(_has_driver(), _listed(), False, (), "the engine does not load")  # noqa: FBT003
    built = "cuda" in engine.build_info().get("with", ())
    tell = getattr(engine, "gpus", None)  # an engine older than the package has it not
    told = tell() if tell is not None else {}
    return GpuFacts(
        _has_driver(),
        _listed(),
        built,
        tuple(told.get("names", ())),
        str(told.get("why_none", "")),
    )


def _has_driver() -> bool:
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


def _listed() -> tuple[str, ...]:
    if shutil.which("nvidia-smi") is None:
        return ()
    command = ("nvidia-smi", "--query-gpu=name", "--format=csv,noheader")
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, timeout=LISTING_S_MAX, check=False
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return ()
    return tuple(ended.stdout.splitlines()) if ended.returncode == 0 else ()


def probe_gpus(facts: GpuFacts) -> Finding:
    """Whether GPUs that are there can be used. Where there are none, nothing is lost."""
    if facts.usable:
        found = f"{', '.join(facts.usable)}, by CUDA"
        return ok("GPUs", found, 'used when asked for: --devices "cpu cuda"')
    if not facts.listed and not facts.has_driver:
        built = "with" if facts.built_with_cuda else "without"
        return ok("GPUs", f"no NVIDIA driver here; the engine is {built} CUDA", "CPUs compute")
    found = (
        f"{', '.join(facts.listed)} by nvidia-smi" if facts.listed else "a driver (libcuda.so.1)"
    )
    if not facts.built_with_cuda:
        return warning(
            "GPUs",
            f"{found}; the engine is without CUDA",
            "GPUs are not used",
            "pip install --no-binary makespan makespan, where nvcc is on PATH",
        )
    return warning(
        "GPUs",
        f"{found}; the engine sees none: {facts.why_none}",
        "GPUs are not used",
        "nvidia-smi, and echo $CUDA_VISIBLE_DEVICES: does the driver show them?",
    )
