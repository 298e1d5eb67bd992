# SPDX-License-Identifier: Apache-2.0
"""The names in the engine's registries, for help and completion, which do not load the engine.

Values are checked against the engine itself (`algorithm.py`); a test holds these lists to it.
"""

from __future__ import annotations

POLICIES = (
    *("equal_time", "af", "awf", "awf_b", "awf_c", "awf_d", "awf_e", "bold", "fac2", "factoring"),
    *("fiss", "fixed", "guided", "mfsc", "pls", "random", "self", "static", "taper", "tfss"),
    *("trapezoid", "viss", "wf"),
)
DISPATCHERS = ("steal", "hierarchical", "counter", "boss", "static")
BALANCERS = (
    *("makespan", "gossip", "greedy", "greedy_comm", "greedy_refine", "hierarchical", "hw_topo"),
    *("metis", "multicore", "nuco", "nucolb", "random", "recursive_bisection", "refine"),
    *("rotate", "scotch", "tree_match"),
)
"""metis and scotch are there where makespan was built with these libraries."""
METHODS = ("auto", "exact", "mc", "mc_plain", "rqmc", "rqmc_smooth")
MODES = ("auto", "mt", "mo", "mth")
ISAS = ("auto", "avx512", "avx2", "one_lane")
