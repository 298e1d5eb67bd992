#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/makespan/apps/asian/path/detail/joe_kuo.cpp from scipy's copy of new-joe-kuo-6.21201.

scipy keeps, per dimension, the whole primitive polynomial as an integer (leading and trailing 1
included) and the initial direction numbers m_i. Run with a Python that has scipy; the result is
committed, so that a build needs neither.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.stats

DIMENSIONS = 4096
TARGET = Path(__file__).parent.parent / "src/makespan/apps/asian/path/detail/joe_kuo.cpp"

NOTICE = """\
// clang-format off
// SPDX-License-Identifier: Apache-2.0 AND BSD-3-Clause
// Written by tools/write_joe_kuo.py; do not edit. The numbers are those of the file
// new-joe-kuo-6.21201:
//
// Copyright (c) 2008, Frances Y. Kuo and Stephen Joe. All rights reserved. Redistribution and use
// in source and binary forms, with or without modification, are permitted provided that the
// following conditions are met: redistributions of source code must retain the above copyright
// notice, this list of conditions and the following disclaimer; redistributions in binary form
// must reproduce the above copyright notice, this list of conditions and the following disclaimer
// in the documentation and/or other materials provided with the distribution; neither the names
// of the copyright holders nor the names of the University of New South Wales and the University
// of Waikato and its contributors may be used to endorse or promote products derived from this
// software without specific prior written permission. THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT
// HOLDERS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
// IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN
// NO EVENT SHALL THE COPYRIGHT HOLDERS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL,
// EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE
// GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND
// ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING
// NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF
// THE POSSIBILITY OF SUCH DAMAGE.
"""


def rows() -> list[tuple[int, int, list[int]]]:
    """(degree, inner coefficients, m_1..m_degree) per dimension; the first has degree 0."""
    data = np.load(Path(scipy.stats.__file__).parent / "_sobol_direction_numbers.npz")
    found: list[tuple[int, int, list[int]]] = [(0, 0, [])]
    for k in range(1, DIMENSIONS):
        polynomial = int(data["poly"][k])
        degree = polynomial.bit_length() - 1
        inner = (polynomial >> 1) & ((1 << (degree - 1)) - 1)
        found.append((degree, inner, [int(m) for m in data["vinit"][k][:degree]]))
    return found


def lines(values: list[int], width: int = 120) -> str:
    """C literals, as many to a line as fit in `width`."""
    text, line = [], "   "
    for value in values:
        word = f" {value},"
        if len(line) + len(word) > width:
            text.append(line)
            line = "   "
        line += word
    return "\n".join([*text, line])


def main() -> None:
    """Writes the table."""
    table = rows()
    starts = [0]
    for _, _, initial in table:
        starts.append(starts[-1] + len(initial))
    TARGET.write_text(
        NOTICE
        + '#include "makespan/apps/asian/path/detail/joe_kuo.hpp"\n\n#include <cstddef>\n\n'
        + "namespace makespan::asian {\n\nnamespace {\n\n"
        + "// Inner coefficients of each dimension's polynomial.\n"
        + f"constexpr std::uint32_t coefficients[{DIMENSIONS}] = {{\n"
        + lines([r[1] for r in table])
        + "\n};\n"
        + "// Where a dimension's initial numbers begin; the next one's begin where they end.\n"
        + f"constexpr std::int32_t first_initial[{DIMENSIONS + 1}] = {{\n{lines(starts)}\n}};\n"
        + f"constexpr std::uint32_t initial[{starts[-1]}] = {{\n"
        + lines([m for r in table for m in r[2]])
        + "\n};\n\n}  // namespace\n\n"
        + "JoeKuoRow joe_kuo_row(std::int32_t dimension) {\n"
        + "  auto const k = static_cast<std::size_t>(dimension);\n"
        + "  auto const degree = static_cast<unsigned>(first_initial[k + 1] - first_initial[k]);\n"
        + "  return {degree, coefficients[k], initial + first_initial[k]};\n"
        + "}\n\n}  // namespace makespan::asian\n"
    )


if __name__ == "__main__":
    main()
