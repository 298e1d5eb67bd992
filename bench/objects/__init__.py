# SPDX-License-Identifier: Apache-2.0
"""What objects that send messages cost, and what is gained by moving them."""
