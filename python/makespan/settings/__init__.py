# SPDX-License-Identifier: Apache-2.0
"""Settings of runs: each declared once, read from flags, input files and Python."""
