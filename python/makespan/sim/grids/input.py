# SPDX-License-Identifier: Apache-2.0
"""The keys of descriptions of grids and their machines, by table, each declared once."""

from __future__ import annotations

from makespan.grids.boundary import NO_FLUX, Boundary
from makespan.grids.engine_keys import CUT, REBALANCE_STEPS, ROUTE, SCHEDULE, STEPS_AT_ONCE
from makespan.grids.host_layers import host_keys
from makespan.settings.kinds import (
    ABOVE_0,
    COUNT,
    FROM_0,
    STEPS,
    ListOf,
    Number,
    OneOf,
    Switch,
    Text,
    Whole,
    triple,
)
from makespan.settings.perturbation import Perturbations
from makespan.settings.setting import Setting
from makespan.settings.shared import GATHER, OUTPUT, PERTURB, RECORD, TRACE
from makespan.sim.files.node_table import NODE

POINTS_MAX = 1 << 40
PLANES_MAX = 1 << 24
"""Along z: each is weighed when the grid is cut, which takes 0.4 s of so many (one core)."""
PIECE_KB_MAX = 1e12
"""The engine has whole numbers of bytes."""
PERTURBATIONS = ("slow",)
ONE_PERTURBATION = Perturbations(PERTURBATIONS, "DEVICE", "SECONDS")
SPANS_KEPT = 200_000
"""Of a schedule that is written: the first ones."""


GRID = (
    Setting(
        "points",
        triple(Whole(1, POINTS_MAX), "three counts, along x, y and z, as [256, 256, 512]"),
        help="of the whole grid, along x, y and z",
        section="grid",
        is_required=True,
    ),
    Setting(
        "boundary",
        Boundary(has_numbers=False),
        NO_FLUX,
        '"no-flux" or "periodic", beyond all ends; or by axis: {x = "periodic"}',
        "grid",
    ),
    Setting("steps", STEPS, 20, "that are made", "grid"),
    Setting("fields", COUNT, 1, "whose halos travel, of 8 bytes a point", "grid"),
    Setting("all_fields", Whole(0), 0, "that move with planes; 0: those", "grid"),
    Setting("halo_width", COUNT, 1, "points that a step reads around each", "grid"),
    Setting(
        "corners",
        Switch(),
        default=False,
        help="whether a step reads around corners",
        section="grid",
    ),
    SCHEDULE.but(
        kind=OneOf(("overlap", "none")),  # blocks are not simulated
        help="overlap: halos travel while devices compute; none: devices wait",
        section="grid",
    ),
    ROUTE.but(section="grid"),
    CUT.but(section="grid"),
    Setting(
        "boxes_along",
        triple(
            Whole(1, POINTS_MAX), "three counts whose product is that of processes, as [4, 4, 1]"
        ),
        help="equal boxes of processes along x, y and z, x first, instead of cut",
        section="grid",
    ),
    *host_keys("grid"),
    STEPS_AT_ONCE.but(section="grid"),
    REBALANCE_STEPS.but(section="grid"),
    Setting("gain_min", Number(least=0.0, most=1.0), 0.02, "of a step, for planes to move", "grid"),
    Setting(
        "knows_speeds",
        Switch(),
        default=True,
        help="false: first cut as if all were equal",
        section="grid",
    ),
)
KIND = (
    Setting("points_per_s", ABOVE_0, help="in a step", section="kind", is_required=True),
    Setting("start_us", FROM_0, 0.0, "of each step, before its first point", "kind"),
    Setting(
        "boundary_factor",
        triple(ABOVE_0, "three numbers above 0, as [4.0, 1.0, 1.0]"),
        (1.0, 1.0, 1.0),
        "how many times as long a point takes in layers across x, y and z",
        "kind",
    ),
    Setting("pack_gb", ABOVE_0, 5.0, "packed, and unpacked, in a second, 10^9 bytes", "kind"),
    Setting("message_us", FROM_0, 0.0, "before each message packed or unpacked", "kind"),
    Setting("planes_max", Whole(0), 0, "that its memory holds; 0: any number", "kind"),
    Setting("memory", OneOf(("host", "own")), "host", "where its fields lie", "kind"),
    Setting("to_host_gb", ABOVE_0, 10.0, "of own memory: of its link, 10^9 bytes/s", "kind"),
    Setting("to_device_gb", ABOVE_0, 10.0, "the same, from the host", "kind"),
    Setting("link_latency_us", FROM_0, 1.0, "of that link, one way", "kind"),
    Setting("link_message_gb", FROM_0, 0.0, "of one message on it; 0: all of the link's", "kind"),
    Setting("peer_gb", FROM_0, 0.0, "straight to such a device of the node; 0: by host", "kind"),
    Setting(
        "queued",
        Switch(),
        default=False,
        help="a GPU: its thread packs while it computes",
        section="kind",
    ),
)
NETWORK = (
    Setting("latency_us", FROM_0, 1.5, "one way, between nodes", "network"),
    Setting("bandwidth_gb", ABOVE_0, 10.0, "out of a node, 10^9 bytes/s", "network"),
    Setting("bandwidth_in_gb", FROM_0, 0.0, "into a node; 0: the same", "network"),
    Setting("message_gb", FROM_0, 0.0, "of one message; 0: all of the node's", "network"),
    Setting("burst_kb", FROM_0, 0.0, "10^3 bytes that pass at once after a pause", "network"),
    Setting(
        "piece_kb",
        Number(above=0.0, below=PIECE_KB_MAX),
        65.536,
        "10^3 bytes of a long message's pieces",
        "network",
    ),
    Setting("send_us", FROM_0, 0.0, "of the sender's processor, a piece", "network"),
    Setting("receive_us", FROM_0, 0.0, "of the receiver's processor, a piece", "network"),
    Setting("copy_gb", FROM_0, 0.0, "10^9 bytes/s that both processors move; 0: none", "network"),
    Setting("relay_us", FROM_0, 0.0, "of a host, a message that it carries", "network"),
    Setting("relay_gb", FROM_0, 0.0, "10^9 bytes/s that a host copies; 0: none", "network"),
)
RUN = (
    Setting(
        "perturb",
        ListOf(ONE_PERTURBATION, what=f"a list of {ONE_PERTURBATION.what}"),
        (),
        "which devices become slower, and when",
        section="run",
    ),
)
TABLES = {"grid": GRID, "kind": KIND, "node": NODE, "network": NETWORK, "run": RUN}

RUN_SETTINGS = (
    PERTURB.but(
        kind=ONE_PERTURBATION,
        help="slow:DEVICE@SECONDS:FACTOR (FACTOR times as long from then on). Instead of the "
        "description's.",
    ),
    Setting(
        "sweep",
        Text("NAME=V1,V2,..., as nodes=16,64,256", "NAME=V1,V2,..."),
        help="nodes, or a number of [grid] or [network]: host_thickness=2,4,8.",
    ),
)
PYTHON_SETTINGS = (
    *RUN_SETTINGS,
    OUTPUT.but(help="Write the table of cases here: .csv, .parquet, or .json, as --json has it."),
    RECORD,
    TRACE.but(help="Write the phases of the first case; ui.perfetto.dev opens it."),
    GATHER,
)
"""Of `makespan.simulate_grid`."""
