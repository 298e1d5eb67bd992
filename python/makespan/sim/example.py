# SPDX-License-Identifier: Apache-2.0
"""A machine description that shows what can be said."""

MACHINE_EXAMPLE = """\
# A machine for `makespan simulate`: times in microseconds or seconds, work in any unit; here it is
# that of a task, of which a thread does one in 4 ms. Tasks are said besides:
#   makespan simulate machine.toml --tasks 200000:lognormal:0.5

[kind.cpu]
threads = 16          # that claim for themselves
speed = 4000.0        # work per second of all threads, each on tasks of its own
together = 3120.0     # the same of all on one task (modes mt and mth)
mode = "auto"         # "auto", "mt", "mo" or "mth"
noise = 0.02          # of a chunk's time: standard deviation over mean

[kind.gpu]
speed = 80000.0
claim_us = 0.0        # before each chunk, beside what its claim takes on the network
launch_us = 20.0      # before each piece
piece_us = 4000.0     # how long pieces are, about

[[node]]
count = 2
devices = ["2 cpu", "gpu"]
image = "node"        # "device": a process for each device

[network]
latency_us = 1.5      # one way, between nodes
bandwidth_gb = 10.0   # of a node's link, 10^9 bytes/s
node_latency_us = 0.2 # one way, between processes of a node
atomic_us = 0.05      # of the target, for a one-sided operation
message_us = 1.0      # of the called image, for a message
progress = "helper"   # who serves what others ask: "helper", "network", "hand" or "none"

[run]
seed = 1              # of noise
losses_noticed_s = 1.0
result_bytes = 0.0    # of an item, that go to the first process
knows_speeds = false  # true: a bag begins with the speeds that its workers have
perturb = ["slow:1@0.5:10"] # from 0.5 s on device 1 takes 10 times as long; fail:1@0.5, kill:1@0.5
"""
