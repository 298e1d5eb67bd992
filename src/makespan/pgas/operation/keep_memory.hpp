// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory that operations read or write, in the hands of a thread that cannot wait for them.

#include <memory>
#include <span>

#include "makespan/pgas/operation/future.hpp"

namespace makespan::pgas {

// The memory stays until the last of the operations is over, also one that ends in an exception:
// for what goes on when its caller is left by an exception. For the thread of the endpoint that
// began them. Blocks: never. Allocates. Tested by tests/pgas/operation/keep_memory_test.cpp.
void keep_until_over(std::span<Future<void> const> operations,
                     std::shared_ptr<void const> const& memory);

}  // namespace makespan::pgas
