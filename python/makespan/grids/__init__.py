# SPDX-License-Identifier: Apache-2.0
"""Grids: input files, runs, files of fields, pictures."""
