// SPDX-License-Identifier: Apache-2.0
// Four ways to reach another image: put, get, an atomic, a remote call. mpiexec -n 3 four_ways
//
// What to notice: an image that is written to or read from calls nothing for it; only the remote
// call runs code there. Tickets go to images in the order in which they come, so they may differ
// from run to run; everything else is the same.
#include <array>
#include <cstdio>
#include <cstdlib>

#include <makespan/pgas.hpp>

namespace {

using namespace makespan::pgas;
using makespan::ImageId;

struct Seen {
  std::int64_t was_put{};
  std::int64_t was_read{};
  std::int64_t ticket{};
  std::int64_t answer{};
};

Seen reach_others(Runtime& runtime) {
  auto const box = runtime.allocate_all<std::int64_t>(1, "box");
  auto const tickets = runtime.allocate_all<std::int64_t>(1, "tickets");
  Endpoint& here = runtime.endpoint(0);
  ImageId const me = runtime.image();
  ImageId const right{(me.value() + 1) % runtime.images()};

  // Put: into the right neighbour's memory. After the flush it is there, after the barrier all are.
  here.put(box.at(right), 100 + me.value());
  here.flush(right);
  runtime.team().barrier_all();
  Seen seen{.was_put = runtime.local(box)[0]};
  // Get: what was put into the right neighbour's memory.
  seen.was_read = here.get(box.at(right));
  // An atomic: a counter on image 0, from which each image takes a number of its own.
  seen.ticket = fetch_add(here, tickets.at(ImageId{0}), 1);
  // A remote call: the right neighbour computes, and the future brings its answer.
  auto const answer = here.rpc(
      right,
      [](Endpoint& there, std::int64_t number) {
        return number * 10 + there.address().image.value();
      },
      me.value());
  seen.answer = answer.get();
  return seen;
}

}  // namespace

int main() {
  return run_job([] {
    Runtime runtime;
    auto const seen = runtime.team().all_gather_all<Seen>(std::array{reach_others(runtime)});
    if (runtime.image().value() == 0) {
      std::printf("image  was put  read  ticket  answer\n");
      for (std::size_t image = 0; image < seen.size(); ++image) {
        std::printf("%5zu  %7lld  %4lld  %6lld  %6lld\n", image,
                    static_cast<long long>(seen[image].was_put),
                    static_cast<long long>(seen[image].was_read),
                    static_cast<long long>(seen[image].ticket),
                    static_cast<long long>(seen[image].answer));
      }
    }
    runtime.finish_all();
    return EXIT_SUCCESS;
  });
}
