# SPDX-License-Identifier: Apache-2.0
"""Random values per second of two processors and two Xeon Phi: boss against counter, MT and MTH.

    python fabrics.py --picture fabrics.svg

Figures 9, 11 and 12 of "Heterogeneous CAF-based Load Balancing on Intel Xeon Phi", on a fast and a
slow fabric, where claims are served by a thread, by hand (between two blocks), or only between two
options. What to notice: who serves claims decides, not the fabric; MTH comes above the sum of
what the devices do in MT; blocks need no compromise.
"""

from __future__ import annotations

from dataclasses import dataclass

import phi_node
from picture import COLOURS, asked_picture, frames, save

import makespan

OPTIONS = 500
SUM_MT = 2 * (phi_node.MT_CPU + phi_node.MT_PHI)
SUM_MO = 2 * (phi_node.MO_CPU + phi_node.MO_PHI)
FABRICS = {"fast": phi_node.FAST_US, "slow": phi_node.SLOW_US}


@dataclass(frozen=True)
class Variant:
    """A way to do it."""

    name: str
    kinds: phi_node.Kinds
    policy: str
    dispatcher: str
    progress: str = "helper"
    parts: int = phi_node.BLOCKS


def variants() -> list[Variant]:
    """The paper's, and makespan's."""
    mt, one = phi_node.mt(), f"self:chunk_items={phi_node.BLOCKS}"
    two = phi_node.chunks_of(2 * phi_node.OPTION_S)
    eight = phi_node.chunks_of(8 * phi_node.OPTION_S)
    found = [
        # One of cpu0's eight threads does nothing but serve.
        Variant("boss, MT, one option", phi_node.mt(7 / 8), "self", "boss", parts=1),
        Variant("counter, MT, one option, no progress", mt, one, "counter", "none"),
    ]
    for progress, words in (("hand", "by hand"), ("helper", "a thread")):
        found += [
            Variant(f"counter, MT, one option, {words}", mt, one, "counter", progress),
            Variant(f"counter, MT, 2 and 4, {words}", mt, two, "counter", progress),
            Variant(f"counter, MTH, {words}", phi_node.mth(), eight, "counter", progress),
        ]
    return [
        *found,
        Variant("steal, MT, blocks", mt, "equal_time", "steal"),
        Variant("steal, blocks on threads", phi_node.blocks(), "equal_time", "steal"),
    ]


def rate(variant: Variant, latency_us: float) -> float:
    """Random values per second."""
    ran = makespan.simulate(
        phi_node.node(variant.kinds, latency_us=latency_us, progress=variant.progress),
        phi_node.book(OPTIONS, variant.parts),
        policy=variant.policy,
        dispatcher=variant.dispatcher,
    )
    return phi_node.values_per_second(OPTIONS, ran)


def main() -> None:
    """Simulate, and tell."""
    picture = asked_picture(__doc__)
    all_variants = variants()
    rates = {
        fabric: [rate(variant, latency_us) for variant in all_variants]
        for fabric, latency_us in FABRICS.items()
    }
    print(f"10^9 values/s; the devices' sums: {SUM_MT / 1e9:.2f} in MT, {SUM_MO / 1e9:.2f} in MO\n")
    print(f"{'':42}" + "".join(f"{fabric:>8}" for fabric in FABRICS))
    for at, variant in enumerate(all_variants):
        print(f"{variant.name:42}" + "".join(f"{rates[one][at] / 1e9:8.3f}" for one in FABRICS))
    if picture is not None:
        figure, (axes,) = frames(1, 1, (8.0, 4.6))
        for number, fabric in enumerate(FABRICS):
            places = [at + 0.38 * (number - 0.5) for at in range(len(all_variants))]
            values = [one / 1e9 for one in rates[fabric]]
            axes.barh(places, values, 0.36, color=COLOURS[number], label=f"{fabric} fabric")
        for total, name in ((SUM_MT, "sum of MT"), (SUM_MO, "sum of MO")):
            axes.axvline(total / 1e9, color=COLOURS[4], linestyle="--", linewidth=1.0)
            axes.text(total / 1e9, -0.65, name, ha="center", va="bottom", fontsize=8)
        axes.set_yticks(range(len(all_variants)), [one.name for one in all_variants])
        axes.set(xlabel="10⁹ random values per second", ylim=(len(all_variants) - 0.4, -0.6))
        axes.legend(loc="upper center", bbox_to_anchor=(0.4, -0.12), ncols=2)
        save(figure, picture)


if __name__ == "__main__":
    main()
