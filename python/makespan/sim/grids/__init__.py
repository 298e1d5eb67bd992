# SPDX-License-Identifier: Apache-2.0
"""Grids on machines that need not exist, in virtual time."""
