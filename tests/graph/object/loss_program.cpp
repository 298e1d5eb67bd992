// SPDX-License-Identifier: Apache-2.0
// A run of objects that loses an image in the middle of it: graph_loss_program VICTIM COPIES
// [SECOND], where COPIES is "memory", "none", a folder, or "from:" and a folder: then the run is
// taken up from a checkpoint there, and makes no copies. Image SECOND is lost after the next copies
// were made. Image 0 says what came of it; if it is image 0 that dies, the others say so.
#include <signal.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "counter.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/graph/object/object_world.hpp"
#include "makespan/pgas/job/run_job.hpp"

namespace {

using namespace makespan;
using namespace makespan::graph;

constexpr int count = 23;
constexpr std::int64_t phases = 12;
constexpr std::int64_t phase_of_death = 7;
constexpr std::int64_t phase_of_second_death = 10;

void say(int image, std::string const& text) {
  std::printf("image %d: %s\n", image, text.c_str());
  std::fflush(stdout);
}

constexpr std::string_view taken_up = "from:";

CheckpointOptions checkpoint_options(std::string const& copies) {
  if (copies == "none") return {};
  if (copies.starts_with(taken_up)) {
    return {.from = std::filesystem::path(copies.substr(taken_up.size())) / "phase-3"};
  }
  if (copies == "memory") return {.every = 3};
  return {.every = 3, .folder = copies};
}

// Place 0 sends to all, so that sums do not depend on how many places there are.
class Play {
 public:
  Play(int victim, int second) : victim_(victim), second_(second), runtime_({.threads = 2}) {}

  int run(std::string const& copies) {
    if (copies.starts_with(taken_up)) {
      play({.every = 3, .folder = copies.substr(taken_up.size())}, 4);
    }
    try {
      play(checkpoint_options(copies), phases);
    } catch (std::exception const& failure) {
      say(image(), failure.what());
    }
    runtime_.finish_all();
    say(image(), "has finished");
    return EXIT_SUCCESS;
  }

 private:
  // Phases before `end` of all `phases`.
  void play(CheckpointOptions const& checkpoint, std::int64_t end) {
    ObjectWorld world(runtime_, {.threads = 2, .checkpoint = checkpoint});
    counters_ = world.add<Counter>("counters", count);
    totals_ = world.add<Counter>("totals", 1);
    world.run_all({.create = [this](ObjectPlace& here) { create(here); },
                   .begin = [this](ObjectPlace& here, std::int64_t phase) { begin(here, phase); },
                   .after =
                       [end](PhaseReport const& report) {
                         return report.phase + 1 < end ? Next::go_on : Next::stop;
                       },
                   .end =
                       [this, end](ObjectPlace& here) {
                         if (end == phases) this->end(here);
                       },
                   .phases = phases});
  }

  [[nodiscard]] int image() const { return static_cast<int>(runtime_.image().value()); }

  void create(ObjectPlace& here) {
    for (int index = 0; index < count; ++index) {
      if (here.is_in_block(counters_, index)) here.create(counters_, index, new_counter(index));
    }
    if (here.place() == 0) here.create(totals_, 0, new_counter(0));
  }

  void begin(ObjectPlace& here, std::int64_t phase) {
    if (image() == victim_ && phase == phase_of_death) ::raise(SIGKILL);
    if (image() == second_ && phase == phase_of_second_death) ::raise(SIGKILL);
    if (phase == phases - 1) {
      // What each has, gathered in the last phase.
      here.for_each(counters_, [&](int, Counter const& each) {
        here.send<&Counter::add>(totals_, 0, each.sum);
      });
    }
    if (here.place() != 0 || phase == phases - 1) return;
    for (int index = 0; index < count; ++index) {
      here.send<&Counter::add>(counters_, index, 1);
      here.send<&Counter::wander>(counters_, index, counters_, index, 3);
    }
  }

  void end(ObjectPlace& here) {
    here.for_each(totals_, [&](int, Counter const& total) {
      say(image(),
          "objects " + std::to_string(total.messages) + ", sum " + std::to_string(total.sum));
    });
  }

  int victim_;
  int second_;
  pgas::Runtime runtime_;
  Collection<Counter> counters_{};
  Collection<Counter> totals_{};
};

}  // namespace

int main(int count_of_arguments, char** arguments) {
  if (count_of_arguments < 3) return EXIT_FAILURE;
  int const second = count_of_arguments > 3 ? std::atoi(arguments[3]) : -1;
  return makespan::pgas::run_job(
      [&] { return Play(std::atoi(arguments[1]), second).run(arguments[2]); });
}
