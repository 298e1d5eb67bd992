// SPDX-License-Identifier: Apache-2.0
// Goal: a port takes messages of those that know its key, and drops what others send. Method: ports
// of all images, built with the right keys or with wrong ones.
#include "makespan/pgas/transport/ucx/detail/ucx_port.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/pgas/transport/ucx/detail/agreed_exchange.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_port_key.hpp"
#include "test_job.hpp"
#include "test_sink.hpp"

namespace makespan::pgas {
namespace {

TEST(UcxPortKey, is_drawn_anew_each_time) {
  EXPECT_NE(draw_port_key(), draw_port_key());
}

TEST(UcxPortCard, comes_back) {
  UcxPortCard const card{.key = 0x0123456789abcdef, .address = {std::byte{7}, std::byte{8}}};

  UcxPortCard const read = port_card_of(bytes_of(card));

  EXPECT_EQ(read.key, card.key);
  EXPECT_EQ(read.address, card.address);
  EXPECT_THROW(static_cast<void>(port_card_of(std::vector<std::byte>(8))), InputError);
}

class UcxPortTest : public testing::Test {
 protected:
  ~UcxPortTest() override {
    collectives_.reset();
    job_->finish_all();
  }

  // Collective. `error` is added to the keys of the others.
  std::unique_ptr<UcxPort> open_all(UcxPortKey error) {
    auto worker = std::make_unique<UcxWorker>(context_, LinkThreading::serialized, options_.wakeup);
    std::vector<UcxPortCard> ports;
    for (auto const& bytes : exchange_or_throw_all(*job_, [&] {
           return bytes_of({.key = draw_port_key(), .address = worker->address()});
         })) {
      ports.push_back(port_card_of(bytes));
      if (std::ssize(ports) != here() + 1) ports.back().key += error;
    }
    return std::make_unique<UcxPort>(UcxPortParts{.job = *job_,
                                                  .context = context_,
                                                  .options = options_,
                                                  .worker = std::move(worker),
                                                  .ports = std::move(ports)});
  }
  // Collective. How many of the messages that all have sent to their neighbour have come here.
  int count_all(UcxPort& port) {
    ImageId const next{(here() + 1) % job_->images()};
    CheckingSink sink;
    bool is_sent = false;
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (std::chrono::steady_clock::now() < end && sink.count() == 0) {
      is_sent = is_sent || port.send(next, {.source = here()}, {}) == SendOutcome::sent;
      port.poll(sink);
    }
    EXPECT_TRUE(is_sent);
    auto const meeting = collectives_->barrier();
    while (!meeting->test()) port.poll(sink);
    return sink.count();
  }
  void close_all(UcxPort& port) {
    port.retire();
    static_cast<void>(job_->exchange_all({}));
    port.close_all(std::chrono::steady_clock::now() + std::chrono::seconds(1));
  }
  [[nodiscard]] int here() const { return static_cast<int>(job_->image().value()); }

  std::unique_ptr<Job> job_{open_test_job_all()};
  std::unique_ptr<Collectives> collectives_{job_->world_collectives_all()};
  UcxOptions options_{};
  UcxContext context_{job_->images(), options_.wakeup};
};

TEST_F(UcxPortTest, takes_nothing_without_its_key) {
  if (job_->images() == 1) GTEST_SKIP() << "an image sends to itself without a port";

  auto const others = open_all(1);
  EXPECT_EQ(count_all(*others), 0);
  close_all(*others);

  auto const ours = open_all(0);
  EXPECT_EQ(count_all(*ours), 1);
  close_all(*ours);
}

}  // namespace
}  // namespace makespan::pgas
