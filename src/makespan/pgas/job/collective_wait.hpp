// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a job waits for collectives of its own, before and after there is a runtime to drive.

#include <string_view>

#include "makespan/pgas/job/collectives.hpp"
#include "makespan/pgas/job/loss_board.hpp"

namespace makespan::pgas {

// Callable from any thread. Drives no progress but MPI's.
class CollectiveWait {
 public:
  explicit CollectiveWait(LossBoard const& losses) : losses_{losses} {}

  // Blocks until `operation` is done. Throws ImageFailed as soon as an image is lost, naming it and
  // `call`; what the operation reads and writes must then stay, see MpiCollectives.
  void wait_for(CollectiveOperation& operation, std::string_view call) const;

  // Blocks until all members are here, or throws as wait_for(): before a collective that MPI has
  // only in a blocking form, so that a missing image is noticed.
  void meet_all(Collectives& team, std::string_view call) const;

 private:
  void throw_if_lost(std::string_view call) const;
  void wait_for_news(std::string_view call) const;

  LossBoard const& losses_;
};

}  // namespace makespan::pgas
