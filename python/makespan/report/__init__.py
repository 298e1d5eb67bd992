# SPDX-License-Identifier: Apache-2.0
"""What people and programs see of a run: table, progress bar, JSON document."""
