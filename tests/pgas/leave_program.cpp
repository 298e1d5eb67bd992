// SPDX-License-Identifier: Apache-2.0
// Goal: an exception that leaves a runtime in the middle of its work is what the user gets to see,
// not what the transport thinks of it. Method: the last image throws with puts and calls under way,
// while the others wait; its message is what the test looks for.
#include <cereal/types/string.hpp>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::pgas {
namespace {

void begin_much(Runtime& runtime, GlobalPtr<std::byte> to, std::span<std::byte const> data) {
  Endpoint& here = runtime.endpoint(0);
  static_cast<void>(here.put_async(to, data));
  for (int call = 0; call < 4; ++call) {
    static_cast<void>(here.rpc(
        EndpointAddress{to.image(), 0}, [](std::string const& text) { return text; },
        std::string(500, 'x')));
  }
}

int leave_in_the_middle() {
  std::vector<std::byte> const data(100'000);  // outlives the runtime
  Runtime runtime({.message_bytes_max = 4096});
  auto const bytes = runtime.allocate_all<std::byte>(100'000, "bytes");
  if (runtime.image() == ImageId{runtime.images() - 1}) {
    begin_much(runtime, bytes.at(ImageId{0}), data);
    throw std::runtime_error("the roof is on fire");
  }
  runtime.team().barrier_all();
  runtime.finish_all();
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace makespan::pgas

int main() {
  return makespan::pgas::run_job(makespan::pgas::leave_in_the_middle);
}
