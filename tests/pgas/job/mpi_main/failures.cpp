// SPDX-License-Identifier: Apache-2.0
// Tests that fail, each in its own way, to see that tests/mpi_main.cpp notices.
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/job/open_job.hpp"

namespace makespan::pgas {
namespace {

bool is_last(Job const& job) {
  return job.image().value() == job.images() - 1;
}

// What the others do when one image has left a test early.
[[noreturn]] void wait_for_ever() {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

TEST(Failures, All_is_well) {
  auto const job = open_job_all();
  job->finish_all();
}

TEST(Failures, One_image_fails_and_goes_on) {
  auto const job = open_job_all();
  if (is_last(*job)) ADD_FAILURE() << "on purpose";
  job->finish_all();
}

TEST(Failures, One_image_throws_and_the_others_wait) {
  auto const job = open_job_all({.watch = Watch::off});
  if (is_last(*job)) throw std::runtime_error("thrown on purpose");
  wait_for_ever();
}

TEST(Failures, One_image_breaks_a_contract_and_the_others_wait) {
  auto const job = open_job_all({.watch = Watch::off});
  if (is_last(*job)) MAKESPAN_EXPECT(1 == 2);
  wait_for_ever();
}

}  // namespace
}  // namespace makespan::pgas
