// SPDX-License-Identifier: Apache-2.0
// Everything that a runtime does, for check_failing_mpi.cmake to run with one MPI call failing.
#include <array>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/event.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::pgas {
namespace {

void expect(bool condition, char const* what) {
  if (!condition) throw std::runtime_error(std::string("wrong: ") + what);
}

std::int64_t sum_of(std::vector<std::int64_t> const& values) {
  std::int64_t sum = 0;
  for (std::int64_t const value : values) sum += value;
  return sum;
}

// All that one image may want of the next one, twice: the second time nothing is new to MPI.
void use(Runtime& runtime) {
  Endpoint& here = runtime.endpoint(0);
  ImageId const me = runtime.image();
  ImageId const next{(me.value() + 1) % runtime.images()};
  auto const words = runtime.allocate_all<std::int64_t>(2048, "words");
  auto const arrivals = runtime.allocate_all<std::uint64_t>(1, "arrivals");
  auto const events = runtime.allocate_all<EventWord>(1, "events");

  for (std::uint64_t round = 1; round <= 2; ++round) {
    // Longer than what MPI's windows carry in one accumulate (rma_inline_bytes).
    std::vector<std::int64_t> const mine(1000, me.value());
    std::vector<std::int64_t> back(1000);
    here.put(words.at(next, 8), mine);
    here.flush(next);
    here.get(words.at(next, 8), back);
    expect(back == mine, "get gives what was put");

    here.put_signal(words.at(next, 1600), std::span(mine).first(1), arrivals.at(next));
    here.wait_until_word(arrivals.at(me), Comparison::at_least, round);

    static_cast<void>(fetch_add(here, words.at(ImageId{0}), 1));
    expect(
        fetch_add_async(here, words.at(next, 1), 1).get() == static_cast<std::int64_t>(round - 1),
        "fetch_add gives the value before");

    post(here, events.at(next));
    wait(here, events.at(me));

    auto const answer = here.rpc(next, function<&sum_of>, std::vector<std::int64_t>{1, 2, 3});
    expect(answer.get() == 6, "a call gives its result");

    expect(runtime.team().all_reduce_all(ReduceOp::sum, std::int64_t{1}) == runtime.images(),
           "all images are in a sum");
    expect(load(here, words.at(ImageId{0})) == static_cast<std::int64_t>(round) * runtime.images(),
           "all counted");
    runtime.team().barrier_all();
  }
}

int run() {
  Runtime runtime({.threads = 2,
                   .heap_bytes = std::int64_t{1} << 20,
                   .message_bytes_max = 4096,
                   .wait_limit = Seconds{8.0}});
  use(runtime);
  runtime.finish_all();
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace makespan::pgas

int main() {
  return makespan::pgas::run_job(makespan::pgas::run);
}
