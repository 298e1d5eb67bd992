// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/am/am_transport.hpp"

#include <string>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/pgas/mpi/mpi_communicator.hpp"
#include "makespan/pgas/mpi/mpi_job.hpp"
#include "makespan/pgas/transport/am/detail/mpi_am_link.hpp"

namespace makespan::pgas {

namespace {

void validate(AmOptions const& options) {
  if (options.message_bytes_max < 1 || options.message_bytes_max > am_payload_bytes_limit) {
    throw InputError("message_bytes_max = " + std::to_string(options.message_bytes_max),
                     "outside 1 .. " + std::to_string(am_payload_bytes_limit),
                     "give the bytes of the longest message; longer transfers are cut");
  }
  if (options.send_window < 2) {
    throw InputError("send_window = " + std::to_string(options.send_window),
                     "a link needs room for two sends at least",
                     "give how many sends may be under way at a time, such as 64");
  }
  if (!(options.close_limit >= Seconds{0.0})) {
    throw InputError("close_limit = " + std::to_string(options.close_limit.value()),
                     "a time is at least 0", "give it in seconds");
  }
}

}  // namespace

struct AmTransport::Communicators {
  Communicators() = default;
  Communicators(Communicators const&) = delete;
  Communicators& operator=(Communicators const&) = delete;

  // Communicators that were not closed collectively may have messages on their way, from images
  // that are lost to us or that we are lost to. MPI uses the numbers of freed communicators again,
  // and would deliver such messages to the next one. So they are leaked on purpose: images are
  // missing, and the job ends.
  ~Communicators() {
    for (MpiCommunicator& communicator : by_channel) static_cast<void>(communicator.release());
  }

  std::vector<MpiCommunicator> by_channel;
};

AmTransport::AmTransport(MpiJob& job, AmOptions const& options)
    : job_{job}, options_{options}, communicators_{std::make_unique<Communicators>()} {
  validate(options);
}

AmTransport::~AmTransport() = default;

std::unique_ptr<Link> AmTransport::open_link_all(int channel, LinkThreading threading) {
  auto& by_channel = communicators_->by_channel;
  MAKESPAN_EXPECT(channel == std::ssize(by_channel));
  by_channel.push_back(job_.duplicate_all());
  return std::make_unique<AmLink>(AmContext{.communicator = by_channel.back().get(),
                                            .job = job_,
                                            .options = options_,
                                            .threading = threading});
}

void AmTransport::close_all() {
  communicators_->by_channel.clear();
}

}  // namespace makespan::pgas
