// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a process ends: with a job, and with threads that are at work yet.

#include <nanobind/nanobind.h>

namespace bindings {

// Once: from then on the process may end while daemons of Python's threading are in calls.
void bind_exit(nanobind::module_& module);

}  // namespace bindings
