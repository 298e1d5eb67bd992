# SPDX-License-Identifier: Apache-2.0
"""Files that simulations of bags and of grids have in common."""
