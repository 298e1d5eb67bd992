// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/agreement.hpp"

#include "makespan/grid/halo_exchange.hpp"
#include "makespan/pgas/errors.hpp"

namespace makespan::grid {

std::exception_ptr cause_of(std::span<std::exception_ptr const> failures) {
  std::exception_ptr cause;
  for (std::exception_ptr const& failure : failures) {
    if (!failure) continue;
    try {
      std::rethrow_exception(failure);
    } catch (GridStopped const&) {
      if (!cause) cause = failure;
    } catch (...) {
      return failure;
    }
  }
  return cause;
}

namespace {

// One that failed may end at once, and be lost for those that have not heard of it.
void wait_until_all_know(pgas::Team& team) {
  try {
    team.barrier_all();
  } catch (pgas::ImageFailed const&) {
    return;  // one that knew, and was faster
  }
}

}  // namespace

bool has_other_failed_all(pgas::Team& team, std::exception_ptr const& mine) {
  try {
    if (mine) std::rethrow_exception(mine);
  } catch (pgas::ImageFailed const&) {
    throw;  // the others see that loss too, and nobody can agree with a lost image
  } catch (...) {
    static_cast<void>(team.all_reduce_all(pgas::ReduceOp::max, 1));
    wait_until_all_know(team);
    throw;
  }
  bool const has = team.all_reduce_all(pgas::ReduceOp::max, 0) != 0;
  if (has) wait_until_all_know(team);
  return has;
}

}  // namespace makespan::grid
