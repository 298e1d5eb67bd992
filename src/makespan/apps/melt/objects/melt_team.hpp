// SPDX-License-Identifier: Apache-2.0
#pragma once

// The images of a job, one of which has melts to run; the others lend it their threads.

#include <filesystem>
#include <string>

#include "makespan/apps/melt/objects/melt_run.hpp"
#include "makespan/apps/melt/settings.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::melt {

// Tested by tests/apps/melt/objects/melt_team_test.cpp, as several images.
class MeltTeam {
 public:
  // Collective over the job; blocks. `threads` are those that this image has to give, at least 1;
  // all take part with as many as the one that has fewest. Throws as Runtime's constructor.
  explicit MeltTeam(int threads);

  [[nodiscard]] int image() const { return static_cast<int>(runtime_.image().value()); }
  [[nodiscard]] int images() const { return runtime_.images(); }
  // Of each image.
  [[nodiscard]] int threads() const { return threads_; }

  // On image 0, while the others serve(): as run_melt_all(), with `options` but for their number of
  // threads. Throws InputError, too, if an image cannot read the checkpoint to go on from, or its
  // host has not the instruction set.
  [[nodiscard]] MeltReport run(MeltSettings const& settings, MeltOptions options);
  // On the others: until image 0 finishes, or another image is lost: no run can begin any more, and
  // what went wrong, image 0 says. Throws ImageFailed when that is lost, or this one.
  void serve();
  // Collective over those that are left: the end of the job.
  void finish_all();

 private:
  // Collective: on how many images it is not.
  int images_without(bool is_here);
  // Throws ImageFailed where it is image 0, or this one.
  [[nodiscard]] bool has_lost_image() const;
  // Of others than image 0 and this one, by which all that are left end alike.
  [[nodiscard]] bool is_of_others(ImageFailed const& failure) const;
  void expect_everywhere(std::string const& isa, std::filesystem::path const& from);

  pgas::Runtime runtime_;
  int threads_;
};

}  // namespace makespan::melt
