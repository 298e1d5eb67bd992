# SPDX-License-Identifier: Apache-2.0
"""Benchmarks: one program per room, cases as data, peers apart. Run as `python -m bench.price`."""
