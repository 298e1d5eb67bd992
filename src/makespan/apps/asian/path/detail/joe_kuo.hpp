// SPDX-License-Identifier: Apache-2.0
// Primitive polynomials and initial direction numbers of S. Joe and F. Y. Kuo ("new-joe-kuo-6"),
// first 4096 dimensions.
#pragma once

#include <cstdint>

namespace makespan::asian {

struct JoeKuoRow {
  unsigned degree;               // of the polynomial; 0 for the first dimension, which has none
  std::uint32_t coefficients;    // its inner coefficients, highest power first
  std::uint32_t const* initial;  // m_1 .. m_degree
};

// `dimension` in [0, 4096).
JoeKuoRow joe_kuo_row(std::int32_t dimension);

}  // namespace makespan::asian
