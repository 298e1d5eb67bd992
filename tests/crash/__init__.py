# SPDX-License-Identifier: Apache-2.0
"""Files after a power failure at any moment of a run: `make crash-states`."""
