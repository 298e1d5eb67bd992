// SPDX-License-Identifier: Apache-2.0
// Goal: what a job over MPI gives to transports, and how it treats MPI that other code began.
// Method: the tests' main has begun MPI, so jobs come and go; what is passed on is used.
#include "makespan/pgas/mpi/mpi_job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/collective_wait.hpp"
#include "makespan/pgas/job/open_job.hpp"
#include "makespan/pgas/mpi/detail/mpi_collectives.hpp"
#include "makespan/pgas/mpi/detail/mpi_group.hpp"
#include "makespan/pgas/mpi/detail/mpi_heartbeat_transport.hpp"
#include "makespan/pgas/mpi/detail/mpi_node_memory.hpp"
#include "makespan/pgas/mpi/mpi_communicator.hpp"
#include "makespan/pgas/mpi/mpi_error.hpp"
#include "makespan/pgas/mpi/mpi_process.hpp"

namespace makespan::pgas {
namespace {

class MpiJobTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!MpiProcess::is_running()) GTEST_SKIP() << "MPI is not running";
    job = open_job_all({.watch = Watch::off});
  }
  void TearDown() override {
    if (job && !HasFatalFailure()) job->finish_all();
  }

  [[nodiscard]] MpiJob& mpi_job() const { return dynamic_cast<MpiJob&>(*job); }

  std::unique_ptr<Job> job;
};

int compare(MPI_Comm one, MPI_Comm other) {
  int result = MPI_UNEQUAL;
  EXPECT_EQ(MPI_Comm_compare(one, other, &result), MPI_SUCCESS);
  return result;
}

TEST_F(MpiJobTest, Job_of_launched_images_is_one_of_mpi) {
  EXPECT_NE(dynamic_cast<MpiJob*>(job.get()), nullptr);
}

TEST_F(MpiJobTest, Communicators_are_the_jobs_own) {
  auto const copy = mpi_job().duplicate_all();

  EXPECT_EQ(compare(mpi_job().communicator(), MPI_COMM_WORLD), MPI_CONGRUENT);
  EXPECT_EQ(compare(copy.get(), mpi_job().communicator()), MPI_CONGRUENT);
}

TEST_F(MpiJobTest, Communicators_return_errors) {
  auto const copy = mpi_job().duplicate_all();
  int const data = 0;

  for (MPI_Comm const communicator : {mpi_job().communicator(), copy.get()}) {
    EXPECT_NE(MPI_Send(&data, 1, MPI_INT, job->images(), 0, communicator), MPI_SUCCESS);
  }
}

// The last image tells a size as no build of ours does, in the exchange that the others are in.
TEST_F(MpiJobTest, Sizes_of_an_exchange_are_within_a_limit) {
  if (job->images() == 1) GTEST_SKIP() << "an image believes itself";
  int const last = job->images() - 1;
  for (std::int64_t const size : {std::int64_t{-5}, std::int64_t{1} << 40}) {
    if (job->image() == ImageId{last}) {
      std::vector<std::int64_t> sizes(static_cast<std::size_t>(job->images()));
      MPI_Request request = MPI_REQUEST_NULL;
      ASSERT_EQ(MPI_Iallgather(&size, 8, MPI_BYTE, sizes.data(), 8, MPI_BYTE,
                               mpi_job().communicator(), &request),
                MPI_SUCCESS);
      ASSERT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
      continue;
    }
    EXPECT_THAT([&] { static_cast<void>(job->exchange_all({})); },
                testing::ThrowsMessage<BadMessage>(
                    testing::HasSubstr("from image " + std::to_string(last) +
                                       " that cannot be (its part of an "
                                       "exchange, of " +
                                       std::to_string(size) + " bytes, 67108864 at most)")));
  }
}

TEST_F(MpiJobTest, Messages_of_one_communicator_are_not_seen_on_another) {
  auto const copy = mpi_job().duplicate_all();
  int const mine = static_cast<int>(job->image().value());
  MPI_Request request = MPI_REQUEST_NULL;
  ASSERT_EQ(MPI_Isend(&mine, 1, MPI_INT, mine, 0, copy.get(), &request), MPI_SUCCESS);

  int is_there = 0;
  EXPECT_EQ(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, mpi_job().communicator(), &is_there,
                       MPI_STATUS_IGNORE),
            MPI_SUCCESS);
  EXPECT_EQ(is_there, 0);

  int received = -1;
  EXPECT_EQ(MPI_Recv(&received, 1, MPI_INT, mine, 0, copy.get(), MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(received, mine);
}

TEST_F(MpiJobTest, Job_leaves_mpi_running_that_others_began) {
  job->finish_all();
  job.reset();

  EXPECT_TRUE(MpiProcess::is_running());
  EXPECT_FALSE(MpiProcess::was_left_running());
}

TEST_F(MpiJobTest, Job_that_is_not_finished_can_be_dropped) {
  job.reset();

  job = open_job_all({.watch = Watch::off});
  EXPECT_EQ(job->lost_images(), 0);
}

TEST(CollectiveWaitTest, Wait_for_what_never_ends_names_the_lost_image) {
  class Never final : public CollectiveOperation {
    [[nodiscard]] bool test() override { return false; }
  } never;
  LossBoard losses(2);
  CollectiveWait const wait(losses);
  losses.note(ImageId{1}, "no route");

  try {
    wait.wait_for(never, "exchange");
    FAIL() << "it never ends";
  } catch (ImageFailed const& failure) {
    EXPECT_EQ(failure.image(), ImageId{1});
    EXPECT_NE(std::string(failure.what()).find("no route"), std::string::npos);
  }
}

// Another image gave up, and MPI does not say for whose sake: the name comes a moment later.
TEST(CollectiveWaitTest, Wait_that_another_gave_up_learns_whose_sake_it_was) {
  LossBoard losses(2);
  class GivenUp final : public CollectiveOperation {
   public:
    explicit GivenUp(LossBoard& losses) : losses_{losses} {}
    [[nodiscard]] bool test() override {
      later_ = std::jthread([this] { losses_.note(ImageId{1}, "silent"); });
      throw ImageFailed(ImageId{}, "revoked", "MPI_Ibarrier");
    }

   private:
    LossBoard& losses_;
    std::jthread later_;
  } given_up(losses);

  try {
    CollectiveWait(losses).wait_for(given_up, "exchange");
    FAIL() << "it was given up";
  } catch (ImageFailed const& failure) {
    EXPECT_EQ(failure.image(), ImageId{1});
  }
}

// As where an exception leaves the wait: the memory goes with its frame, and MPI must be done with
// it.
TEST_F(MpiJobTest, Collective_that_is_left_while_the_others_are_on_their_way_is_over) {
  if (mpi_outlives_failures()) GTEST_SKIP() << "it is revoked";
  auto const world = mpi_job().world_collectives_all();
  std::vector<std::int64_t> values(1000, world->rank() == 0 ? 7 : 0);
  auto const bytes = std::as_writable_bytes(std::span(values));

  if (world->rank() == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
    auto const operation = world->broadcast(bytes, 0);
    while (!operation->test()) continue;
  } else {
    static_cast<void>(world->broadcast(bytes, 0));
  }

  EXPECT_EQ(values, std::vector<std::int64_t>(1000, 7));
}

TEST_F(MpiJobTest, Group_is_freed_by_its_handle) {
  MpiGroup group;
  ASSERT_EQ(MPI_Comm_group(MPI_COMM_WORLD, group.out()), MPI_SUCCESS);

  group.reset();

  EXPECT_FALSE(group);
}

TEST_F(MpiJobTest, Communicator_is_not_freed_while_an_exception_is_on_its_way) {
  MPI_Comm copy = MPI_COMM_NULL;
  try {
    MpiCommunicator const owned = mpi_job().duplicate_all();
    copy = owned.get();
    throw std::runtime_error("on its way");
  } catch (std::runtime_error const&) {
    int size = 0;
    EXPECT_EQ(MPI_Comm_size(copy, &size), MPI_SUCCESS);
    EXPECT_EQ(size, job->images());
    EXPECT_EQ(MPI_Comm_free(&copy), MPI_SUCCESS);
  }
}

TEST_F(MpiJobTest, Post_carries_messages_to_each_image) {
  MpiHeartbeatTransport transport(mpi_job().duplicate_all(), job->image());
  auto const images = job->images();
  for (int to = 0; to < images; ++to) {
    transport.send(
        {ImageId{to}, {.kind = HeartbeatKind::loss, .cause = LossCause::ended, .lost = to}});
  }

  std::vector<bool> came(static_cast<std::size_t>(images), false);
  for (int count = 0; count < images;) {
    auto const event = transport.receive();
    if (!event) {
      std::this_thread::yield();
      continue;
    }
    auto const& heard = std::get<HeartbeatHeard>(*event);
    EXPECT_EQ(heard.message.kind, HeartbeatKind::loss);
    EXPECT_EQ(heard.message.cause, LossCause::ended);
    EXPECT_EQ(heard.message.lost, job->image().value());
    EXPECT_FALSE(came.at(static_cast<std::size_t>(heard.from.value())));
    came.at(static_cast<std::size_t>(heard.from.value())) = true;
    ++count;
  }
  static_cast<void>(job->exchange_all({}));
}

// Once all images know, no collective operation waits for it any more. The last test, since MPI's
// world has a lost image for good: no other job can be begun in the process.
TEST_F(MpiJobTest, Loss_that_a_transport_reports_ends_what_waits) {
  if (job->images() < 2) GTEST_SKIP() << "no image to lose";
  auto const memory = job->allocate_node_memory_all(64);
  ImageId const lost{1};
  job->report_loss(lost, "no route");

  EXPECT_EQ(job->lost_images(), 1);
  EXPECT_NE(job->loss_of(lost).find("no route"), std::string::npos);
  EXPECT_THROW(memory->close_all(), ImageFailed);
  EXPECT_EQ(loss_in_earlier_job(), "");
  job.reset();  // finish_all() would leave MPI as it is for the whole process

  EXPECT_NE(loss_in_earlier_job().find("no route"), std::string::npos);
  try {
    static_cast<void>(open_job_all({.watch = Watch::off}));
    FAIL() << "it would wait for the lost image";
  } catch (ImageFailed const& failure) {
    EXPECT_EQ(failure.image(), lost);
  }
}

}  // namespace
}  // namespace makespan::pgas
