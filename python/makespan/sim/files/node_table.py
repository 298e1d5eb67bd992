# SPDX-License-Identifier: Apache-2.0
"""The keys of the tables [[node]] in descriptions of machines and of grids."""

from __future__ import annotations

from makespan.settings.kinds import Checked, OneOf, Whole
from makespan.settings.setting import Setting

IMAGES = ("node", "device")
NODES_MAX = 1 << 20

NODE = (
    Setting("count", Whole(1, NODES_MAX), 1, "like this", section="node"),
    Setting(
        "devices",
        Checked(
            lambda value: (
                isinstance(value, list)
                and bool(value)
                and all(isinstance(one, str) for one in value)
            ),
            'kinds, as ["2 cpu", "gpu"]',
        ),
        help="of each",
        section="node",
        is_required=True,
    ),
    Setting("image", OneOf(IMAGES), "node", "one process for the node, or one a device", "node"),
)
