// SPDX-License-Identifier: Apache-2.0
// Goal: a job knows its images, shares memory on a node, and exchanges bytes; with any number of
// images, launched or alone. Method: every image checks what it sees; what others wrote is looked
// at after an exchange.
#include "makespan/pgas/job/job.hpp"

#include <gtest/gtest.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/pgas/job/host_name.hpp"
#include "makespan/pgas/job/open_job.hpp"

namespace makespan::pgas {
namespace {

class JobTest : public testing::Test {
 protected:
  void TearDown() override {
    if (!HasFatalFailure()) job->finish_all();
  }

  [[nodiscard]] std::span<ImageId const> mates() const { return job->node_images(); }
  void meet_all() { static_cast<void>(job->exchange_all({})); }

  std::unique_ptr<Job> job{open_job_all()};
};

std::byte mark_of(ImageId image) {
  return static_cast<std::byte>(image.value() + 1);
}

TEST_F(JobTest, Job_counts_images_from_zero) {
  EXPECT_GE(job->images(), 1);
  EXPECT_GE(job->image(), ImageId{0});
  EXPECT_LT(job->image().value(), job->images());
}

// Hosts of these tests are nodes: one machine, or the hosts of tests/cluster.
TEST_F(JobTest, Job_knows_node_mates_in_order) {
  std::vector<ImageId> on_this_host;
  std::set<std::string> hosts;
  for (int image = 0; image < job->images(); ++image) {
    hosts.insert(job->host(ImageId{image}));
    if (job->host(ImageId{image}) == host_name()) on_this_host.emplace_back(image);
  }

  EXPECT_TRUE(std::ranges::equal(mates(), on_this_host));
  EXPECT_NE(std::ranges::find(mates(), job->image()), mates().end());
  EXPECT_EQ(job->nodes(), std::ssize(hosts));
}

TEST_F(JobTest, Job_knows_hosts_of_all) {
  std::string const mine = host_name();
  auto const all = job->exchange_all(std::as_bytes(std::span(mine)));

  for (int image = 0; image < job->images(); ++image) {
    auto const theirs = std::as_bytes(std::span(job->host(ImageId{image})));
    EXPECT_TRUE(std::ranges::equal(theirs, all[static_cast<std::size_t>(image)]));
  }
  EXPECT_THROW(static_cast<void>(job->host(ImageId{job->images()})), ContractViolated);
  EXPECT_THROW(static_cast<void>(job->host(ImageId{})), ContractViolated);
}

TEST_F(JobTest, Job_names_its_launcher_with_a_version) {
  if (job->launcher() == "none") {
    EXPECT_EQ(job->images(), 1);
    return;
  }
  EXPECT_NE(job->launcher().find_first_of("0123456789"), std::string::npos) << job->launcher();
  EXPECT_LT(job->launcher().size(), 40U) << job->launcher();
}

TEST_F(JobTest, Job_exchanges_bytes_of_any_size) {
  // Image i gives i bytes, the first none.
  std::vector<std::byte> const mine(static_cast<std::size_t>(job->image().value()),
                                    mark_of(job->image()));

  auto const all = job->exchange_all(mine);

  ASSERT_EQ(std::ssize(all), job->images());
  for (int image = 0; image < job->images(); ++image) {
    auto const& theirs = all[static_cast<std::size_t>(image)];
    EXPECT_EQ(std::ssize(theirs), image);
    EXPECT_TRUE(
        std::ranges::all_of(theirs, [&](std::byte b) { return b == mark_of(ImageId{image}); }));
  }
}

TEST_F(JobTest, Memory_is_zeroed_and_begins_with_a_page) {
  auto const page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  auto const memory = job->allocate_node_memory_all(12'345);

  for (ImageId const mate : mates()) {
    auto const segment = memory->segment(mate);
    EXPECT_EQ(segment.size(), 12'345U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(segment.data()) % page, 0U);
    EXPECT_TRUE(std::ranges::all_of(segment, [](std::byte b) { return b == std::byte{0}; }));
  }

  meet_all();
  memory->close_all();
}

// The memory of an earlier window may be used again: it must be zeroed again.
TEST_F(JobTest, Memory_is_zeroed_the_second_time_too) {
  for (int round = 0; round < 3; ++round) {
    auto const memory = job->allocate_node_memory_all(1 << 16);
    auto const mine = memory->segment(job->image());
    EXPECT_TRUE(std::ranges::all_of(mine, [](std::byte b) { return b == std::byte{0}; }));
    std::ranges::fill(mine, std::byte{0xff});
    memory->close_all();
  }
}

TEST_F(JobTest, Memory_is_seen_by_node_mates) {
  auto const memory = job->allocate_node_memory_all(1 << 20);

  // Each image writes one byte into the segment of every image, at its own index.
  for (ImageId const mate : mates()) {
    memory->segment(mate)[static_cast<std::size_t>(job->image().value())] = mark_of(job->image());
  }
  memory->segment(job->image()).back() = mark_of(job->image());
  meet_all();

  for (ImageId const writer : mates()) {
    auto const at = static_cast<std::size_t>(writer.value());
    EXPECT_EQ(memory->segment(job->image())[at], mark_of(writer));
    EXPECT_EQ(memory->segment(writer).back(), mark_of(writer));
  }
  meet_all();
  memory->close_all();
}

TEST_F(JobTest, Memory_of_an_image_elsewhere_is_empty) {
  auto const memory = job->allocate_node_memory_all(64);

  for (int image = -1; image <= job->images(); ++image) {
    bool const is_mate = std::ranges::find(mates(), ImageId{image}) != mates().end();
    EXPECT_EQ(memory->segment(ImageId{image}).empty(), !is_mate) << "image " << image;
  }

  memory->close_all();
}

TEST_F(JobTest, Memory_beyond_the_node_is_refused_on_all_images) {
  struct statvfs status{};
  ASSERT_EQ(::statvfs("/dev/shm", &status), 0);
  auto const free = static_cast<std::int64_t>(status.f_bavail * status.f_frsize);
  if (job->images() == job->nodes()) GTEST_SKIP() << "images alone on a node do not use /dev/shm";

  try {
    static_cast<void>(job->allocate_node_memory_all(free / 2 + (1 << 20)));
    FAIL() << "more than half of /dev/shm for each of " << job->images() << " images";
  } catch (InputError const& error) {
    EXPECT_NE(std::string(error.what()).find("/dev/shm"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("on host "), std::string::npos) << error.what();
  }
}

TEST_F(JobTest, Job_has_lost_no_image_at_first) {
  EXPECT_EQ(job->lost_images(), 0);
  for (int image = 0; image < job->images(); ++image) {
    EXPECT_EQ(job->loss_of(ImageId{image}), "");
  }
}

}  // namespace
}  // namespace makespan::pgas
