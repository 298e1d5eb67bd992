# SPDX-License-Identifier: Apache-2.0
"""A description of a grid and its machine that shows what can be said."""

GRID_EXAMPLE = """\
# A grid for `makespan simulate`: times in microseconds or seconds, rates in 10^9 bytes a second.

[grid]
points = [512, 512, 2048]    # along x, y and z
steps = 400
fields = 5                   # whose halos travel, of 8 bytes a point
schedule = "overlap"         # or "none"
route = "direct"             # or "relayed", by hosts
cut = "auto"                 # between processes: "slabs", "boxes"
host = "device"              # the first one of a process: "none", "front-back", "left-right", "all"
host_thickness = "free"      # of such boundaries; or points, or three along x, y, z
steps_at_once = 1            # for one exchange
rebalance_steps = 10         # from look to look at speeds; 0: never

[kind.cpu]
points_per_s = 1.2e8
pack_gb = 4.0                # packed, and unpacked

[kind.gpu]
points_per_s = 2.4e9
start_us = 20.0              # of each step
pack_gb = 200.0
queued = true                # its thread packs while it computes
memory = "own"               # with a link to the host:
to_host_gb = 12.0
to_device_gb = 12.0
link_latency_us = 5.0

[[node]]
count = 4
devices = ["cpu", "2 gpu"]
image = "node"               # a process for the node; "device": one for each device

[network]
latency_us = 1.5             # one way
bandwidth_gb = 12.0          # out of a node, and into it
send_us = 1.0                # of the sender's processor, for each piece of 64 KiB
receive_us = 1.0             # of the receiver's

[run]
perturb = ["slow:1@0.2:2"]   # from 0.2 s on device 1 takes twice as long
"""
