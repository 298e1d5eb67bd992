# SPDX-License-Identifier: Apache-2.0
"""The keys of machine descriptions, by table."""

from __future__ import annotations

from typing import Any

from makespan.settings.keys import ABOVE, COUNT, FROM_0, INT32_MAX, Key, is_whole, one_of

MODES = ("auto", "mt", "mo", "mth")
PROGRESS = ("helper", "network", "hand", "none")
IMAGES = ("node", "device")


def _is_devices(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


KIND = (
    Key("kind", "threads", 1, *COUNT, "that claim for themselves, but in modes mt and mth"),
    Key("kind", "speed", None, *ABOVE, "work per second of all threads, each on tasks of its own"),
    Key("kind", "together", 0.0, *FROM_0, "the same of all on one task; 0: as speed"),
    Key("kind", "mode", "auto", *one_of(MODES), "how chunks fall on tasks"),
    Key("kind", "launch_us", 0.0, *FROM_0, "before each piece"),
    Key("kind", "piece_us", 500.0, *ABOVE, "how long pieces are, about"),
    Key("kind", "noise", 0.0, *FROM_0, "of a chunk's time: standard deviation over mean"),
)
NODE = (
    Key("node", "count", 1, is_whole(1, 1 << 20), "give a whole number of at least 1", "like this"),
    Key("node", "devices", None, _is_devices, 'give kinds, as ["2 cpu", "gpu"]', "of each"),
    Key("node", "image", "node", *one_of(IMAGES), "one process for the node, or one a device"),
)
NETWORK = (
    Key("network", "platform", "", _is_text, "give a path", "a SimGrid platform: its routes"),
    Key("network", "latency_us", 1.5, *FROM_0, "one way, between nodes"),
    Key("network", "bandwidth_gb", 10.0, *ABOVE, "of a node's link, 10^9 bytes/s"),
    Key("network", "node_latency_us", 0.2, *FROM_0, "one way, between processes of a node"),
    Key("network", "atomic_us", 0.05, *FROM_0, "of the target, a one-sided operation"),
    Key("network", "message_us", 1.0, *FROM_0, "of the called image, a message"),
    Key("network", "progress", "helper", *one_of(PROGRESS), "who serves what others ask"),
)
NETWORK_UNITS = {
    "latency_us": ("latency", 1e-6),
    "bandwidth_gb": ("bandwidth", 1e9),
    "node_latency_us": ("node_latency", 1e-6),
    "atomic_us": ("atomic", 1e-6),
    "message_us": ("message", 1e-6),
}
"""Of the numbers of a network, what the engine calls them, and their unit in seconds or bytes."""
CHANGE = (
    Key("change", "device", None, is_whole(0, INT32_MAX), "give a number from 0 on", "which"),
    Key("change", "at_s", None, *FROM_0, "when"),
    Key("change", "factor", None, *FROM_0, "of its speed from then on; 0: it fails"),
)
LOSS = (
    Key("loss", "image", None, is_whole(1, INT32_MAX), "give a number from 1 on", "which ends"),
    Key("loss", "at_s", None, *FROM_0, "when"),
)
RUN = (
    Key("run", "seed", 1, is_whole(0, 2**63 - 1), "give a whole number, 0 or above", "of noise"),
    Key("run", "losses_noticed_s", 1.0, *FROM_0, "after an image has ended"),
    Key("run", "result_bytes", 0.0, *FROM_0, "of an item, that go to the first process"),
)
