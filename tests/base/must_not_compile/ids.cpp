// SPDX-License-Identifier: Apache-2.0
// Goal: an id of one kind is never taken for another, nor for a number. CASE 0 is allowed, and must
// compile.
#include "makespan/base/ids.hpp"

namespace makespan {

DeviceId const device{1};
TaskId const task{1};

#if CASE == 0
bool const result = task == TaskId{1};
#elif CASE == 1
bool const result = device == task;
#elif CASE == 2
TaskId const result = device;
#elif CASE == 3
TaskId const result = 1;
#elif CASE == 4
auto const result = task + 1;
#endif

}  // namespace makespan
