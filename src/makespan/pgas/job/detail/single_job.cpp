// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/detail/single_job.hpp"

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/job/detail/anonymous_memory.hpp"
#include "makespan/pgas/job/detail/single_collectives.hpp"
#include "makespan/pgas/job/host_name.hpp"

namespace makespan::pgas {

SingleJob::SingleJob() : host_{host_name()} {
}

std::string const& SingleJob::host(ImageId image) const {
  MAKESPAN_EXPECT(image == this->image());
  return host_;
}

std::vector<std::vector<std::byte>> SingleJob::exchange_all(std::span<std::byte const> mine) {
  return {std::vector<std::byte>(mine.begin(), mine.end())};
}

std::unique_ptr<NodeMemory> SingleJob::allocate_node_memory_all(std::int64_t bytes) {
  return std::make_unique<AnonymousMemory>(image(), bytes);
}

std::unique_ptr<Collectives> SingleJob::world_collectives_all() {
  return std::make_unique<SingleCollectives>(image());
}

std::string SingleJob::loss_of(ImageId image) const {
  MAKESPAN_EXPECT(image == this->image());
  return {};
}

void SingleJob::report_loss(ImageId image, std::string const& /*why*/) {
  MAKESPAN_EXPECT(image != this->image());  // there is no other image to lose
}

}  // namespace makespan::pgas
