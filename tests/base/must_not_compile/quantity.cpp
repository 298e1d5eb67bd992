// SPDX-License-Identifier: Apache-2.0
// Goal: kinds never mix. CASE 0 is the same with what is allowed, and must compile.
#include "makespan/base/quantity.hpp"

namespace makespan {

Work const work{6.0};
Speed const speed{2.0};
Seconds const time{3.0};

#if CASE == 0
Seconds const result = work / speed + time;
#elif CASE == 1
auto const result = work + time;
#elif CASE == 2
bool const result = speed < time;
#elif CASE == 3
auto const result = time * time;
#elif CASE == 4
auto const result = speed / work;
#elif CASE == 5
Seconds const result = 3.0;  // a number says no kind
#elif CASE == 6
double const result = time;  // only .value() leaves the kind
#elif CASE == 7
auto const result = work * speed;
#elif CASE == 8
auto const result = time + 1.0;
#endif

}  // namespace makespan
