// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/operation/keep_memory.hpp"

namespace makespan::pgas {

void keep_until_over(std::span<Future<void> const> operations,
                     std::shared_ptr<void const> const& memory) {
  for (Future<void> const& operation : operations) {
    // The continuation holds it, run or not, until the operation is ready.
    if (!operation.is_ready()) static_cast<void>(operation.then([memory] {}));
  }
}

}  // namespace makespan::pgas
