// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/detail/joined_outcomes.hpp"

#include <cstddef>
#include <string>

#include "makespan/bag/device_failed.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"

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
  // Aligned, also where the image before has told of fewer threads than it has.
  all.busy.resize(static_cast<std::size_t>(first_thread));
  all.work.resize(all.busy.size());
  all.busy.insert(all.busy.end(), one.busy.begin(), one.busy.end());
  all.work.insert(all.work.end(), one.work.begin(), one.work.end());
  all.speed += one.speed;
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
                        std::span<std::optional<ImageOutcome> const> outcomes, JobEnd end) {
  MAKESPAN_EXPECT(std::ssize(outcomes) == roster.images());
  JobReport job;
  for (std::size_t image = 0; image < outcomes.size(); ++image) {
    auto const& outcome = outcomes[image];
    job.by_image.push_back(outcome ? std::optional(outcome->report) : std::nullopt);
    // Of the bag: an image does not know what became of what others had.
    if (outcome) job.by_image.back()->complete = end.complete;
    if (!outcome) {
      add_lost(job.together, roster, image);
      continue;
    }
    if (!outcome->failure.empty()) {
      job.failures.emplace_back(static_cast<int>(image), outcome->failure);
    }
    if (!outcome->device_failure.empty()) {
      job.device_failures.emplace_back(static_cast<int>(image), outcome->device_failure);
    }
    add(job.together, outcome->report, roster.first_device[image], roster.first_thread[image]);
  }
  job.together.busy.resize(static_cast<std::size_t>(roster.threads()));
  job.together.work.resize(job.together.busy.size());
  job.together.makespan = end.makespan;
  job.together.complete = end.complete;
  TeamReport& all = job.together;
  if (all.speed > Speed{}) all.ideal = all.work_done / all.speed;
  return job;
}

void expect_success(JobReport const& report, bool was_stopped) {
  if (!report.failures.empty()) {
    auto const& [image, text] = report.failures.front();
    throw RemoteError(ImageId{image}, text);
  }
  if (report.together.complete || was_stopped) return;
  std::string failed = "every device of every image has failed";
  if (!report.device_failures.empty()) {
    auto const& [image, text] = report.device_failures.front();
    failed += "; on image " + std::to_string(image) + ": " + text;
  }
  throw DeviceFailed(failed);
}

}  // namespace makespan::bag
