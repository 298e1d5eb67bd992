# SPDX-License-Identifier: Apache-2.0
"""The bench of balancers: predicted phases against their bound and each other, decision times."""
