// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/detail/bag_runtime.hpp"

#include <cstdint>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::bag {

namespace {

// A bag has 16 bytes for each worker of the job on the heap, and 64 for each of the image: enough
// for a quarter of a million. MPI looks at each page of it, and each is zeroed.
constexpr std::int64_t heap_bytes = std::int64_t{4} << 20;

}  // namespace

std::unique_ptr<pgas::Runtime> open_bag_runtime_all(int team_threads) {
  auto runtime =
      std::make_unique<pgas::Runtime>(pgas::RuntimeOptions{.threads = 1 + team_threads,
                                                           .progress = pgas::ProgressMode::event,
                                                           .heap_bytes = heap_bytes});
  if (runtime->describe().transport.find("rma") == std::string::npos) return runtime;
  // An image changes the words of its board by its own atomics, and others by the transport's.
  runtime->finish_all();  // all images are here, and refuse
  throw InputError("transport rma",
                   "words that MPI changes are not the processor's at the same time",
                   "use auto, ucx or am for bags (MAKESPAN_TRANSPORT)");
}

}  // namespace makespan::bag
