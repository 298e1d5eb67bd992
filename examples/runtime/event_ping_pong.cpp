// SPDX-License-Identifier: Apache-2.0
// Two images that take turns by events: mpiexec -n 2 event_ping_pong
//
// What to notice: an event counts posts, so none is lost when it comes before the wait. Images
// beyond the second only watch; a job of one image plays against itself.
#include <cstdio>
#include <cstdlib>

#include <makespan/pgas.hpp>

int main() {
  using namespace makespan::pgas;
  using makespan::ImageId;
  return run_job([] {
    constexpr int turns = 1000;
    Runtime runtime;
    auto const ball = runtime.allocate_all<EventWord>(1, "ball");
    Endpoint& here = runtime.endpoint(0);
    std::int64_t const me = runtime.image().value();
    int const players = runtime.images() > 1 ? 2 : 1;
    ImageId const other{players == 2 ? 1 - me : 0};
    if (me < players) {
      for (int turn = 0; turn < turns; ++turn) {
        if (me == 0) post(here, ball.at(other));
        wait(here, ball.at(runtime.image()));
        if (me == 1) post(here, ball.at(other));
      }
    }
    runtime.team().barrier_all();
    if (me == 0) std::printf("%d turns\n", turns);
    runtime.finish_all();
    return EXIT_SUCCESS;
  });
}
