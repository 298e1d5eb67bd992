# SPDX-License-Identifier: Apache-2.0
"""Real programs that are killed, interrupted and stopped at random moments: `make torture`."""
