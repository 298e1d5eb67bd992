# SPDX-License-Identifier: Apache-2.0
"""Compilers: what makes a user's equations as fast as kernels of our own."""

from __future__ import annotations

from dataclasses import dataclass

from makespan.doctor.finding import Finding, missing, ok, warning

NAME = "compilers"


@dataclass(frozen=True, slots=True)
class CompilerFacts:
    """Paths, empty where there is none."""

    cpu: str = ""
    gpu: str = ""
    has_gpus: bool = False
    """The engine sees some."""
    trouble: str = ""
    """A variable that names no program, as the engine says it."""


def gather_compilers() -> CompilerFacts:
    """Of this machine, as the engine finds them."""
    from makespan.base.engine import load_engine
    from makespan.base.errors import NotConfiguredError

    try:
        engine = load_engine()
        found = engine.compilers()
        return CompilerFacts(found["cpu"], found["gpu"], bool(engine.gpus()["names"]))
    except ValueError as error:
        return CompilerFacts(trouble=str(error))
    except (NotConfiguredError, AttributeError):  # an engine older than the package has it not
        return CompilerFacts(trouble="not known (no engine, or an older one)")


def probe_compilers(facts: CompilerFacts) -> Finding:
    """How equations of one's own are computed."""
    if facts.trouble:
        return warning(NAME, facts.trouble, "updates of makespan.grid may not run")
    if not facts.cpu:
        return missing(
            NAME,
            "no c++, g++ or clang++ in PATH",
            "updates of makespan.grid are interpreted: the same bits, 12 to 25 times slower",
            "apt-get install g++, or name one by MAKESPAN_CXX",
        )
    if facts.has_gpus and not facts.gpu:
        return missing(
            NAME,
            f"{facts.cpu}; no nvcc",
            "updates of makespan.grid run on CPUs alone",
            "install CUDA's toolkit, or name its nvcc by MAKESPAN_NVCC",
        )
    there = ", ".join(path for path in (facts.cpu, facts.gpu) if path)
    return ok(NAME, there, "updates of makespan.grid are compiled")
