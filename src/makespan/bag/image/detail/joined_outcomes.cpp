// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/detail/joined_outcomes.hpp"

#include <cstddef>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {

namespace {

// What its threads did is unknown; their entries keep the columns aligned.
void add_lost(TeamReport& all, ImageRoster const& roster, std::size_t image) {
  all.busy.resize(static_cast<std::size_t>(roster.first_thread[image + 1]));
  all.work.resize(all.busy.size());
  for (int device = roster.first_device[image]; device < roster.first_device[image + 1]; ++device) {
    all.failed_devices.push_back(device);
  }
}

void add(TeamReport& all, TeamReport const& one, int first_device, int first_thread) {
  all.busy.insert(all.busy.end(), one.busy.begin(), one.busy.end());
  all.work.insert(all.work.end(), one.work.begin(), one.work.end());
  all.work_done += one.work_done;
  all.claims += one.claims;
  all.steals += one.steals;
  for (int const device : one.failed_devices) all.failed_devices.push_back(first_device + device);
  for (OverduePiece piece : one.overdue) {
    piece.thread += first_thread;
    all.overdue.push_back(piece);
  }
}

}  // namespace

JobReport join_outcomes(ImageRoster const& roster,
                        std::span<std::optional<ImageOutcome> const> outcomes, Seconds makespan) {
  MAKESPAN_EXPECT(std::ssize(outcomes) == roster.images());
  JobReport job;
  Speed together;
  for (std::size_t image = 0; image < outcomes.size(); ++image) {
    auto const& outcome = outcomes[image];
    job.by_image.push_back(outcome ? std::optional(outcome->report) : std::nullopt);
    if (!outcome) {
      add_lost(job.together, roster, image);
      continue;
    }
    if (!outcome->failure.empty()) {
      job.failures.emplace_back(static_cast<int>(image), outcome->failure);
    }
    TeamReport const& one = outcome->report;
    add(job.together, one, roster.first_device[image], roster.first_thread[image]);
    // The ideal of an image is its work over the speed of its threads together.
    if (one.ideal > Seconds{}) together += one.work_done / one.ideal;
  }
  job.together.makespan = makespan;
  if (together > Speed{}) job.together.ideal = job.together.work_done / together;
  return job;
}

}  // namespace makespan::bag
