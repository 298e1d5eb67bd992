# SPDX-License-Identifier: Apache-2.0
"""What was measured of machines, as weights that partitioners and schedulers read."""
