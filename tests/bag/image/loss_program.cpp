// SPDX-License-Identifier: Apache-2.0
// A bag that loses an image in the middle of it: bag_loss_program DISPATCHER VICTIM. Image 0 says
// what came of the bag, and of another one after it; if it is image 0 that dies, the others say so.
// With a third word, "end", the image dies when the others wait for it to end with them.
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>

#include "counting_runner.hpp"
#include "makespan/bag/dispatcher.hpp"
#include "makespan/bag/image/image_team.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/run_job.hpp"

namespace {

using namespace makespan;
using namespace makespan::bag;

constexpr int tasks = 40;
// By then every image has some items, and most are left.
constexpr int items_before_death = 20;

void say(int image, std::string const& text) {
  std::printf("image %d: %s\n", image, text.c_str());
  std::fflush(stdout);
}

void run(ImageTeam& team, CountingRunner& runner, char const* name) {
  Bag const bag(some_tasks(tasks));
  JobReport const report = team.run(bag, runner, std::as_bytes(std::span(&tasks, 1)), {});
  std::string const trouble = runner.trouble(bag);
  runner.forget();
  say(0, std::string(name) + (trouble.empty() ? ": every item once" : ": " + trouble) + ", " +
             std::to_string(report.together.failed_devices.size()) + " devices failed, work of " +
             std::to_string(report.together.work.size()) + " threads");
}

int play(std::string const& dispatcher, int victim, bool dies_at_end) {
  ImageTeam team(
      {.devices = {{.threads = 1}, {.threads = 1}}, .dispatcher = dispatcher_named(dispatcher)});
  std::atomic<int> items{0};
  CountingRunner runner(team.image(), team.devices().threads(),
                        [&](int image, TaskId, std::int64_t) {
                          std::this_thread::sleep_for(std::chrono::milliseconds(1));
                          if (dies_at_end || image != victim) return;
                          if (++items == items_before_death) ::raise(SIGKILL);
                        });
  try {
    if (team.image() == 0) {
      run(team, runner, "first bag");
      run(team, runner, "second bag");
    } else {
      Service service(runner);
      team.serve(service);
    }
  } catch (ImageFailed const& failure) {
    say(team.image(), failure.what());
  }
  if (dies_at_end && team.image() == victim) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    ::raise(SIGKILL);
  }
  team.finish_all();
  say(team.image(), "has finished");
  return EXIT_SUCCESS;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return EXIT_FAILURE;
  return pgas::run_job([&] { return play(words[1], std::atoi(words[2]), count > 3); });
}
