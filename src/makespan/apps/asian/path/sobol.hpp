// SPDX-License-Identifier: Apache-2.0
// Direction numbers of the Sobol sequence, bit-reversed as the scrambling wants them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace makespan::asian {

inline constexpr std::int32_t sobol_dimensions = 4096;

// direction[b][k]: dimension k's number for bit b of the point's index. Computed once, from the
// table of primitive polynomials and initial numbers "new-joe-kuo-6" of S. Joe and F. Y. Kuo, SIAM
// J. Sci. Comput. 30 (2008) 2635-2654.
std::span<std::uint32_t const* const> sobol_directions();

}  // namespace makespan::asian
