// SPDX-License-Identifier: Apache-2.0
// Goal: a run that is taken up from a checkpoint ends as one that was never interrupted, with
// another number of places too; what is no checkpoint of this run is refused. Method: counters that
// remember all phases, stopped and taken up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/graph/object/detail/checkpoint_files.hpp"
#include "world_fixture.hpp"

namespace makespan::graph {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ObjectCheckpointTest : public WorldFixture {
 protected:
  ObjectCheckpointTest() : WorldFixture({.threads = 2}) {
    // The same on all images: that of image 0.
    std::int64_t const name = runtime_.team().broadcast_all(std::int64_t{::getpid()}, 0);
    folder_ = fs::temp_directory_path() / ("makespan_checkpoints_" + std::to_string(name));
  }
  ~ObjectCheckpointTest() override {
    runtime_.team().barrier_all();
    if (image() == 0) fs::remove_all(folder_);
  }

  // Each place adds 1 to every counter in each phase.
  ObjectProgram program(std::int64_t phases, std::int64_t stop_after = -1) {
    return {.begin =
                [this](ObjectPlace& here, std::int64_t) {
                  for (int index = 0; index < count; ++index) {
                    here.send<&Counter::add>(counters_, index, 1);
                    here.send<&Counter::go>(counters_, index, counters_, index,
                                            (index * 3 + here.place()) % here.places());
                  }
                },
            .after =
                [stop_after](PhaseReport const& report) {
                  return report.phase == stop_after ? Next::stop : Next::go_on;
                },
            .phases = phases};
  }

  fs::path folder_;
};

TEST_F(ObjectCheckpointTest, A_run_goes_on_from_disk) {
  use({.threads = 2, .checkpoint = {.every = 3, .folder = folder_}});
  run(program(100, 7));
  EXPECT_EQ(sum(), 8 * count * places());

  use({.threads = 2, .checkpoint = {.from = folder_ / "phase-6"}});
  std::int64_t first_seen = -1;
  ObjectProgram rest = program(10);
  rest.begin = [&, begin = rest.begin](ObjectPlace& here, std::int64_t phase) {
    if (here.place() % 2 == 0 && first_seen < 0) first_seen = phase;
    begin(here, phase);
  };
  run(rest);

  EXPECT_EQ(first_seen, 6);
  EXPECT_EQ(objects(), count);
  EXPECT_EQ(sum(), 10 * count * places());
}

TEST_F(ObjectCheckpointTest, Another_number_of_places_reads_all_parts) {
  use({.threads = 2, .checkpoint = {.every = 2, .folder = folder_}});
  run(program(3));
  std::int64_t const before = 2 * count * places();

  use({.threads = 1, .checkpoint = {.from = folder_ / "phase-2"}});
  run(program(3));

  EXPECT_EQ(objects(), count);
  EXPECT_EQ(sum(), before + count * places());
}

TEST_F(ObjectCheckpointTest, The_last_two_are_kept) {
  use({.threads = 2, .checkpoint = {.every = 1, .folder = folder_}});
  run(program(6));
  runtime_.team().barrier_all();

  EXPECT_TRUE(fs::exists(folder_ / "phase-5"));
  EXPECT_TRUE(fs::exists(folder_ / "phase-4"));
  EXPECT_FALSE(fs::exists(folder_ / "phase-3"));
  for (auto const& entry : fs::directory_iterator(folder_)) {
    EXPECT_EQ(entry.path().extension(), "") << "half a checkpoint: " << entry.path();
  }
  runtime_.team().barrier_all();
}

TEST_F(ObjectCheckpointTest, Another_program_cannot_go_on) {
  use({.threads = 2, .checkpoint = {.every = 1, .folder = folder_}});
  run(program(2));

  use({.threads = 2, .checkpoint = {.from = folder_ / "phase-1"}});
  static_cast<void>(world().add<Counter>("more", 3));
  try {
    run(program(3));
    FAIL() << "no error";
  } catch (std::runtime_error const& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("other collections"));
  }
}

TEST_F(ObjectCheckpointTest, Files_of_two_checkpoints_are_none) {
  use({.threads = 2, .checkpoint = {.every = 1, .folder = folder_}});
  run(program(3));
  runtime_.team().barrier_all();
  if (image() == 0) {
    fs::copy_file(folder_ / "phase-1" / "place-1.objects", folder_ / "phase-2" / "place-1.objects",
                  fs::copy_options::overwrite_existing);
  }
  runtime_.team().barrier_all();

  use({.threads = 2, .checkpoint = {.from = folder_ / "phase-2"}});
  try {
    run(program(3));
    FAIL() << "no error";
  } catch (std::runtime_error const& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("files 0 and 1 are of two checkpoints"));
  }
}

TEST_F(ObjectCheckpointTest, A_run_without_a_phase_left_ends_with_its_objects) {
  use({.threads = 2, .checkpoint = {.every = 1, .folder = folder_}});
  run(program(4));

  use({.threads = 2, .checkpoint = {.from = folder_ / "phase-3"}});
  for (std::int64_t const phases : {1, 3}) {
    run(program(phases));
    EXPECT_EQ(objects(), count);
    EXPECT_EQ(sum(), 3 * count * places()) << "a phase more than there are";
  }
}

// A checkpoint that hosts have of their own.
TEST_F(ObjectCheckpointTest, All_images_must_see_the_same) {
  if (runtime_.images() == 1) GTEST_SKIP() << "it takes two images";
  use({.threads = 2, .checkpoint = {.every = 1, .folder = folder_}});
  run(program(4));
  runtime_.team().barrier_all();
  // One name, which leads each image elsewhere.
  fs::path const link = "makespan_own_disk";
  fs::path const own = fs::current_path();
  fs::path const disk = folder_ / ("disk-" + std::to_string(image()));
  fs::create_directories(disk);
  fs::current_path(disk);
  std::string const phase = "phase-" + std::to_string(2 + image() % 2);
  fs::create_symlink(folder_ / phase, link);
  use({.threads = 2, .checkpoint = {.from = link}});
  EXPECT_THROW(run(program(5)), InputError);
  if (image() == 0) fs::remove(link);
  EXPECT_THROW(run(program(5)), InputError);
  fs::current_path(own);
}

TEST_F(ObjectCheckpointTest, There_must_be_a_checkpoint) {
  use({.threads = 2, .checkpoint = {.from = folder_ / "phase-9"}});

  EXPECT_THROW(run(program(3)), InputError);
}

TEST_F(ObjectCheckpointTest, A_folder_that_cannot_be_written_to_ends_the_run) {
  use({.threads = 2, .checkpoint = {.every = 1, .folder = "/proc/nowhere"}});

  EXPECT_THROW(run(program(3)), std::runtime_error);
}

}  // namespace
}  // namespace makespan::graph
