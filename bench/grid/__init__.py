# SPDX-License-Identifier: Apache-2.0
"""Benches of grids."""
