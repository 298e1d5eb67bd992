# SPDX-License-Identifier: Apache-2.0
"""Compilers: what makes a user's equations as fast as kernels of our own."""

from __future__ import annotations

from dataclasses import dataclass

from makespan.doctor.finding import Finding, missing, ok, warning

NAME = "compilers"
SLOW = "updates of makespan.grid are interpreted: the same bits, 12 to 25 times slower"
ON_CPUS = "updates of makespan.grid run on CPUs alone"


@dataclass(frozen=True, slots=True)
class CompilerFacts:
    """Paths, empty where there is none."""

    cpu: str = ""
    gpu: str = ""
    has_gpus: bool = False
    """The engine sees some."""
    troubles: tuple[str, ...] = ()
    """Variables that name no program, as the engine says it."""


def gather_compilers() -> CompilerFacts:
    """Of this machine, as the engine finds them."""
    from makespan.base.engine import load_engine
    from makespan.base.errors import NotConfiguredError

    try:
        engine = load_engine()
    except NotConfiguredError:
        return CompilerFacts(troubles=("not known: no engine",))
    tell = getattr(engine, "compilers", None)  # an engine older than the package has it not
    if tell is None:
        return CompilerFacts(troubles=("not known: an older engine",))
    found = tell()
    troubles = tuple(one["trouble"] for one in found.values() if "trouble" in one)
    cpu, gpu = (found[kind].get("path", "") for kind in ("cpu", "gpu"))
    return CompilerFacts(cpu, gpu, bool(engine.gpus()["names"]), troubles)


def probe_compilers(facts: CompilerFacts) -> Finding:
    """How equations of one's own are computed."""
    there = ", ".join(path for path in (facts.cpu, facts.gpu) if path)
    if facts.troubles:
        found = "; ".join((*facts.troubles, *([there] if there else [])))
        return warning(NAME, found, "updates of makespan.grid may not run")
    lacks_nvcc = facts.has_gpus and not facts.gpu
    if not facts.cpu:
        found = "no c++, g++ or clang++ in PATH" + (", and no nvcc" if lacks_nvcc else "")
        return missing(NAME, found, SLOW, "apt-get install g++, or name one by MAKESPAN_CXX")
    if lacks_nvcc:
        mend = "install CUDA's toolkit, or name its nvcc by MAKESPAN_NVCC"
        return missing(NAME, f"{facts.cpu}; no nvcc", ON_CPUS, mend)
    return ok(NAME, there, "updates of makespan.grid are compiled")
