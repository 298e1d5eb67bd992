// SPDX-License-Identifier: Apache-2.0
// Goal: opening works for one image and for all, and fails on all with a message that says who and
// why. Method: a job of one image as it is; a job that tells wrong addresses; a process without
// descriptors.
#include "makespan/pgas/transport/shm/shm_transport.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "image_crowd.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/detail/single_job.hpp"
#include "makespan/pgas/transport/shm/detail/doorbell.hpp"

namespace makespan::pgas {
namespace {

using ::makespan::pgas::fake::FakeJob;
using ::makespan::pgas::fake::FakeNode;
using ::makespan::pgas::fake::FakeNodeMemory;
using ::makespan::pgas::fake::ImagesAre;
using ::makespan::pgas::fake::run_images;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct Counter final : MessageSink {
  int messages{0};
  void deliver(WireHeader const&, std::span<std::byte const>) override { ++messages; }
};

TEST(ShmTransport, carries_messages_of_a_job_of_one_image) {
  SingleJob job;
  ShmLayout const layout(1, 2, 1000);
  auto const memory = job.allocate_node_memory_all(layout.bytes_per_image());
  ShmTransport transport(job, *memory, layout, {.area_offset = 0, .wakeup = Wakeup::doorbell});
  auto const link = transport.open_link_all(0, LinkThreading::serialized);
  auto const other = transport.open_link_all(1, LinkThreading::concurrent);
  Counter counter;

  EXPECT_EQ(transport.name(), "shm");
  EXPECT_EQ(link->send(ImageId{0}, {}, {}), SendOutcome::sent);
  EXPECT_EQ(other->poll(counter), 0);
  EXPECT_EQ(link->poll(counter), 1);
  EXPECT_EQ(counter.messages, 1);
}

TEST(ShmTransport, opens_each_channel_once_and_in_order) {
  SingleJob job;
  ShmLayout const layout(1, 2, 1000);
  auto const memory = job.allocate_node_memory_all(layout.bytes_per_image());
  ShmTransport transport(job, *memory, layout, {});

  EXPECT_THROW(transport.open_link_all(1, LinkThreading::serialized), ContractViolated);
  transport.open_link_all(0, LinkThreading::serialized);
  EXPECT_THROW(transport.open_link_all(0, LinkThreading::serialized), ContractViolated);
  transport.open_link_all(1, LinkThreading::serialized);
  EXPECT_THROW(transport.open_link_all(2, LinkThreading::serialized), ContractViolated);
}

TEST(ShmTransport, refuses_memory_that_is_too_small) {
  SingleJob job;
  ShmLayout const layout(1, 1, 1000);
  auto const memory = job.allocate_node_memory_all(layout.bytes_per_image());

  EXPECT_THROW(ShmTransport(job, *memory, layout, {.area_offset = 4096}), ContractViolated);
  EXPECT_THROW(ShmTransport(job, *memory, layout, {.area_offset = 64}), ContractViolated);
  EXPECT_THROW(ShmTransport(job, *memory, ShmLayout(2, 1, 10), {}), ContractViolated);
}

// What open_link_all() says, on an image where it fails.
std::string failure_of(Job& job, FakeNode const& node) {
  FakeNodeMemory const memory(node);
  ShmTransport transport(job, memory, ShmLayout(job.images(), 1, 100),
                         {.area_offset = 0, .wakeup = Wakeup::doorbell});
  try {
    transport.open_link_all(0, LinkThreading::serialized);
  } catch (InputError const& error) {
    return error.what();
  }
  return "opened";
}

std::int64_t segment_bytes(int images) {
  return ShmLayout(images, 1, 100).bytes_per_image();
}

// Hears that image 1 has no doorbell, and of nothing that stands in the way.
class UntoldJob final : public FakeJob {
 public:
  using FakeJob::FakeJob;

  std::vector<std::vector<std::byte>> exchange_all(std::span<std::byte const> mine) override {
    auto all = FakeJob::exchange_all(mine);
    all[1].clear();
    return all;
  }
};

TEST(ShmTransport, refuses_an_address_that_is_none) {
  FakeNode node(2, segment_bytes(2));
  std::jthread const image1([&] {
    FakeJob job(node, 1);
    EXPECT_THAT(failure_of(job, node), "opened");
  });
  UntoldJob job(node, 0);
  FakeNodeMemory const memory(node);
  ShmTransport transport(job, memory, ShmLayout(2, 1, 100),
                         {.area_offset = 0, .wakeup = Wakeup::doorbell});

  EXPECT_THAT([&] { static_cast<void>(transport.open_link_all(0, LinkThreading::serialized)); },
              ThrowsMessage<BadMessage>(HasSubstr("from image 1 that cannot be (the address of")));
}

// Hears of a doorbell of image 1 that has gone.
class MisledJob final : public FakeJob {
 public:
  using FakeJob::FakeJob;

  std::vector<std::vector<std::byte>> exchange_all(std::span<std::byte const> mine) override {
    auto all = FakeJob::exchange_all(mine);
    if (exchanges_++ == 0) {
      Doorbell const gone;
      all[1].assign(gone.address().bytes().begin(), gone.address().bytes().end());
    }
    return all;
  }

 private:
  int exchanges_{0};
};

TEST(ShmTransport, fails_on_all_images_when_one_cannot_reach_another) {
  FakeNode node(2, segment_bytes(2));
  auto const failure = AllOf(HasSubstr("image 0 on host fake"),
                             HasSubstr("cannot reach the socket of image 1"), HasSubstr("nap"));
  std::jthread const image1([&] {
    FakeJob job(node, 1);
    EXPECT_THAT(failure_of(job, node), failure);
  });
  MisledJob job(node, 0);

  EXPECT_THAT(failure_of(job, node), failure);
}

TEST(ShmTransport, fails_on_all_images_when_one_has_no_descriptors_left) {
#ifdef MAKESPAN_SANITIZED
  GTEST_SKIP() << "a sanitizer needs descriptors itself, to see whether an address can be read";
#endif
  FakeNode node(2, segment_bytes(2));
  run_images(ImagesAre::processes, node, [&](FakeJob& job) {
    if (job.image() == ImageId{1}) {
      rlimit const none{.rlim_cur = 3, .rlim_max = 3};
      ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    }

    EXPECT_THAT(failure_of(job, node),
                AllOf(HasSubstr("image 1 on host fake"), HasSubstr("Too many open files"),
                      HasSubstr("ulimit -n")));
  });
}

}  // namespace
}  // namespace makespan::pgas
