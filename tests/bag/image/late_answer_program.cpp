// SPDX-License-Identifier: Apache-2.0
// Three images, the first of which dies while the second looks at all boards and the third is slow
// to answer: what it answers comes when the look has ended. The second says whether that was
// written to memory that is others' by then.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "makespan/bag/dispatch/shared_bag_state.hpp"
#include "makespan/bag/image/detail/gathered_roster.hpp"
#include "makespan/bag/image/detail/pgas_bag_state.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/bag/team_options.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"

namespace {

using namespace makespan;
using namespace makespan::bag;
using Clock = std::chrono::steady_clock;

constexpr int threads = 32;  // boards of 2 KiB
// Longer than the others need to find that image 0 is lost.
constexpr std::chrono::seconds late{4};
constexpr std::uint64_t pattern = 0x5a5a5a5a5a5a5a5a;

void say(int image, char const* text) {
  std::printf("image %d: %s\n", image, text);
  std::fflush(stdout);
}

void answer_until(pgas::Runtime& runtime, Clock::time_point end) {
  while (Clock::now() < end) {
    for (int thread = 0; thread < 2; ++thread) runtime.endpoint(thread).progress();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Whether it ended as it should.
bool ends(PgasBagState& state) {
  try {
    PgasBagState::Look look;
    std::vector<WorkerView> views;
    state.look_at_all(0, look, views);
  } catch (ImageFailed const&) {
    return true;
  }
  return false;
}

void look(pgas::Runtime& runtime, PgasBagState& state, Clock::time_point begin) {
  std::vector<std::vector<std::uint64_t>> others;
  others.reserve(10'000);
  bool const has_ended = ends(state);
  // First of all: where the look had its copies, or parts of them, are others' values now.
  for (std::size_t words = sizeof(BoardEntryWords) / 8 * threads; words > 16; words -= 8) {
    for (int times = 0; times < 16; ++times) others.emplace_back(words, pattern);
  }
  say(1, has_ended ? "the look has ended" : "image 0 has answered");
  answer_until(runtime, begin + late + std::chrono::seconds(2));
  bool const is_whole = std::ranges::all_of(others, [](auto const& values) {
    return std::ranges::all_of(values, [](std::uint64_t value) { return value == pattern; });
  });
  say(1, is_whole ? "others' memory is whole" : "others' memory was written to");
}

int play() {
  pgas::Runtime runtime({.threads = 2, .transport = "am"});
  ImageRoster const roster =
      make_roster_all(runtime.team(), TeamLayout(std::vector<TeamDevice>{{.threads = threads}}));
  PgasBagState state(runtime, roster);
  runtime.team().barrier_all();
  auto const begin = Clock::now();
  switch (runtime.image().value()) {
    case 0:
      ::raise(SIGKILL);
      break;
    case 1:
      // The third image has left the barrier by then, in which it answers.
      std::this_thread::sleep_until(begin + std::chrono::milliseconds(500));
      look(runtime, state, begin);
      break;
    default:
      std::this_thread::sleep_until(begin + late);
      answer_until(runtime, begin + late + std::chrono::seconds(2));
  }
  runtime.finish_all();
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  return pgas::run_job([] { return play(); });
}
