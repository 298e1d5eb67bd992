# SPDX-License-Identifier: Apache-2.0
"""What commands are made of: flags from settings, outputs, and one way to run and to end."""
