# SPDX-License-Identifier: Apache-2.0
"""Melts: input files, runs, trajectories."""
