# SPDX-License-Identifier: Apache-2.0
"""What `makespan price --example` prints."""

from __future__ import annotations

BOOK_EXAMPLE = """\
id,option_type,average_type,spot,strike,rate,dividend_yield,volatility,expiry,fixings,fixing_grid
call-95,call,arithmetic,100,95,0.03,0.01,0.25,1.0,12,exclude_start
call-100,call,arithmetic,100,100,0.03,0.01,0.25,1.0,12,exclude_start
call-105,call,arithmetic,100,105,0.03,0.01,0.25,1.0,12,exclude_start
put-100,put,arithmetic,100,100,0.03,0.01,0.25,1.0,12,exclude_start
weekly,call,arithmetic,100,100,0.03,0.01,0.25,1.0,52,include_start
geometric,call,geometric,100,100,0.03,0.01,0.25,1.0,12,exclude_start
"""
"""The columns that most books have; docs/reference/book-format.md has them all."""
