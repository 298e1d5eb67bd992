# SPDX-License-Identifier: Apache-2.0
"""Graphs of objects from files, the places of a machine, and mappings of the ones to the others."""
