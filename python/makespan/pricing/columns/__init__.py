# SPDX-License-Identifier: Apache-2.0
"""What stands in the columns of books, of the tables beside them, and of results."""
