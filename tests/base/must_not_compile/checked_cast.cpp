// SPDX-License-Identifier: Apache-2.0
// Goal: checked_cast is for numbers, and checks at compile time where it can. CASE 0 is allowed,
// and must compile.
#include "makespan/base/checked_cast.hpp"

namespace makespan {

#if CASE == 0
constexpr signed char result = checked_cast<signed char>(127);
#elif CASE == 1
constexpr signed char result = checked_cast<signed char>(128);
#elif CASE == 2
constexpr int result = checked_cast<int>(true);
#elif CASE == 3
constexpr float result = checked_cast<float>(0.5);
#endif

}  // namespace makespan
