// SPDX-License-Identifier: Apache-2.0
#pragma once

// Active messages by MPI's two-sided calls: works between any hosts that MPI connects. All memory
// operations go by message.

#include <memory>
#include <vector>

#include "makespan/pgas/transport/am/am_options.hpp"
#include "makespan/pgas/transport/transport.hpp"

namespace makespan::pgas {

class MpiJob;

// Each link has a communicator of its own, so that links of several threads do not meet inside MPI
// more than MPI makes them.
//
// Tested by tests/pgas/transport/am, under several numbers of images.
class AmTransport final : public Transport {
 public:
  // The job outlives the transport. Throws InputError on invalid or inconsistent options.
  AmTransport(MpiJob& job, AmOptions const& options);
  ~AmTransport() override;

  [[nodiscard]] std::string_view name() const override { return "am"; }

  // A link that goes away waits for its sends, close_limit at most, and takes back its receives.
  // What others send to it afterwards is lost.
  [[nodiscard]] std::unique_ptr<Link> open_link_all(int channel, LinkThreading threading) override;

  void close_all() override;

 private:
  struct Communicators;

  MpiJob& job_;
  AmOptions options_;
  std::unique_ptr<Communicators> communicators_;
};

}  // namespace makespan::pgas
