# SPDX-License-Identifier: Apache-2.0
"""Goal: diffusion and calcium written as equations have the bits of those written by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from makespan.equations.functions import fma
from own_equations import result_of, same_bits

import makespan

LAMBDAS = {"lx": 0.06, "ly": 0.11, "lz": 0.17}


def diffusion(u: Any, lx: Any, ly: Any, lz: Any, centre: Any) -> dict[str, Any]:
    """As apps/diffusion/point-inl.hpp."""
    along_x = fma(lx, u[0, 0, -1] + u[0, 0, 1], centre * u)
    along_y = fma(ly, u[0, -1, 0] + u[0, 1, 0], along_x)
    return {"u": fma(lz, u[-1, 0, 0] + u[1, 0, 0], along_y)}


@pytest.mark.parametrize("kernel", ["compiled", "interpreted"])
@pytest.mark.parametrize("boundary", ["no-flux", {"x": "periodic", "z": (0.5, "no-flux")}])
def test_diffusion_has_the_bits_of_diffuse(boundary: Any, kernel: str) -> None:
    values = np.random.default_rng(7).random((9, 14, 21))
    spacing = [(0.3 / one) ** 0.5 for one in LAMBDAS.values()]
    lambdas = {
        name: 0.3 / side**2 for name, side in zip(LAMBDAS, spacing, strict=True)
    }  # as input.py computes them

    by_hand = makespan.diffuse(
        values, steps=10, diffusion=1.0, time_step=0.3, spacing=spacing, boundary=boundary
    )
    own = result_of(
        diffusion,
        {"u": values},
        10,
        kernel=kernel,
        boundary=boundary,
        parameters={**lambdas, "centre": 1 - 2 * sum(lambdas.values())},
    )

    assert by_hand is not None
    assert same_bits(own.fields["u"], np.ascontiguousarray(by_hand.values))
    assert not same_bits(own.fields["u"], values)


# Hake's species, as apps/calcium/species.hpp has them: [total, diffusion, on, off].
BUFFERS = {
    "ca_atp": (455.0, 0.140, 0.225, 45.0),
    "ca_cmdn": (24.0, 0.025, 0.034, 0.238),
    "ca_trpn": (70.0, 0.0, 0.0327, 0.0196),
    "ca_fluo": (25.0, 0.042, 0.100, 0.110),
}
CA_DIFFUSION, CA_REST = 0.220, 0.14
SPACING, TIME_STEP, STEPS = 0.015, 1.5e-4, 40
PER_DIFFUSION = TIME_STEP / (SPACING * SPACING)


def spread(u: Any, diffusion: float) -> Any:
    """As apps/calcium/detail/diffuse-inl.hpp."""
    along_x = u[0, 0, -1] + u[0, 0, 1]
    along_y = u[0, -1, 0] + u[0, 1, 0]
    less = fma(-6.0, u, u[-1, 0, 0] + u[1, 0, 0])
    return fma(diffusion * PER_DIFFUSION, (along_x + along_y) + less, u)


def calcium(**fields: Any) -> dict[str, Any]:
    """As apps/calcium/react-inl.hpp."""
    free = spread(fields["ca"], CA_DIFFUSION) + fields["gain"]
    left, found = free, {}
    for name, (total, diffusion, k_on, k_off) in BUFFERS.items():
        # Troponin does not move.
        bound = spread(fields[name], diffusion) if diffusion else fields[name]
        on, off = k_on * TIME_STEP, k_off * TIME_STEP
        binding = free * fma(-on, bound, on * total)
        after = bound + fma(-off, bound, binding)
        left = left - (after - bound)
        found[name] = after
    return {"ca": left, **found}


def named(update: Callable[..., Any]) -> Callable[..., Any]:
    """With arguments that can be read off."""

    def five(ca: Any, ca_atp: Any, ca_cmdn: Any, ca_trpn: Any, ca_fluo: Any, gain: Any) -> Any:
        return update(
            ca=ca, ca_atp=ca_atp, ca_cmdn=ca_cmdn, ca_trpn=ca_trpn, ca_fluo=ca_fluo, gain=gain
        )

    return five


def at_rest(name: str) -> float:
    """As bound_at_rest()."""
    if name == "ca":
        return CA_REST
    total, _, k_on, k_off = BUFFERS[name]
    return total * (k_on * CA_REST) / (k_on * CA_REST + k_off)


@pytest.mark.parametrize("kernel", ["compiled", "interpreted"])
def test_calcium_has_the_bits_of_calcium(kernel: str) -> None:
    shape, current_pa = (11, 13, 18), 0.3
    by_hand = makespan.calcium(
        points=list(shape[::-1]),
        spacing=SPACING,
        time_step=TIME_STEP,
        duration=STEPS * TIME_STEP,
        layout="plain",
        ryr_open=[],
        currents=[[6, 5, 4, current_pa, 0.0, 1000.0], [16, 12, 10, 0.1, 0.0, 1000.0]],
        fields=True,
    )
    gain = np.zeros(shape)
    per_voxel = TIME_STEP / (SPACING * SPACING * SPACING)
    per_pa = 1e6 / (2 * 96485.33212)
    gain[4, 5, 6], gain[10, 12, 16] = current_pa * per_pa * per_voxel, 0.1 * per_pa * per_voxel
    names = ("ca", *BUFFERS)

    own = result_of(
        named(calcium),
        {**{name: np.full(shape, at_rest(name)) for name in names}, "gain": gain},
        STEPS,
        kernel=kernel,
    )

    assert by_hand is not None
    assert by_hand.steps == STEPS
    for name in names:
        assert same_bits(own.fields[name], np.ascontiguousarray(by_hand.fields[name])), name
        assert np.ptp(own.fields[name]) > 0
