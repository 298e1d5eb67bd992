// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which MPI the extension uses, and could use.

#include <nanobind/nanobind.h>

namespace bindings {

void bind_mpi(nanobind::module_& module);

}  // namespace bindings
