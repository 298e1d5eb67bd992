# SPDX-License-Identifier: Apache-2.0
"""The bench of the one-sided runtime: ours and bare libraries in turn, in one process."""
