# SPDX-License-Identifier: Apache-2.0
"""What the sources offer, with their comments, as pages: tools/write_reference.py."""
