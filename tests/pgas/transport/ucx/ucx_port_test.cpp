// SPDX-License-Identifier: Apache-2.0
// Goal: a port takes messages of those that know its key, drops what others send, and refuses what
// cannot be of this job. Method: ports of all images, built with the right keys or with wrong ones;
// and messages that the test sends past a port, with a header of its own.
#include "makespan/pgas/transport/ucx/detail/ucx_port.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/transport/ucx/detail/agreed_exchange.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_port_key.hpp"
#include "test_job.hpp"
#include "test_sink.hpp"

namespace makespan::pgas {
namespace {

// A bit that is the same in 64 draws: in all of the 64 bits, one run in 10^17 has one by chance.
TEST(UcxPortKey, is_drawn_anew_in_each_bit) {
  UcxPortKey any = 0;
  UcxPortKey all = ~UcxPortKey{0};
  for (int draw = 0; draw < 64; ++draw) {
    UcxPortKey const key = draw_port_key();
    any |= key;
    all &= key;
  }
  EXPECT_EQ(any, ~UcxPortKey{0});
  EXPECT_EQ(all, UcxPortKey{0});
}

TEST(UcxPortCard, comes_back) {
  UcxPortCard const card{.key = 0x0123456789abcdef, .address = {std::byte{7}, std::byte{8}}};

  UcxPortCard const read = port_card_of(bytes_of(card));

  EXPECT_EQ(read.key, card.key);
  EXPECT_EQ(read.address, card.address);
  EXPECT_THROW(static_cast<void>(port_card_of(std::vector<std::byte>(8))), InputError);
}

// For what comes if all is well, as long as a test may take.
constexpr std::chrono::seconds test_limit{25};

class UcxPortTest : public testing::Test {
 protected:
  ~UcxPortTest() override {
    collectives_.reset();
    job_->finish_all();
  }

  // Collective. `error` is added to the keys of the others.
  std::unique_ptr<UcxPort> open_all(UcxPortKey error) {
    sink_ = {};
    keys_.clear();
    auto worker = std::make_unique<UcxWorker>(context_, LinkThreading::serialized, options_.wakeup);
    std::vector<UcxPortCard> ports;
    for (auto const& bytes : exchange_or_throw_all(*job_, [&] {
           return bytes_of({.key = draw_port_key(), .address = worker->address()});
         })) {
      ports.push_back(port_card_of(bytes));
      keys_.push_back(ports.back().key);
      if (std::ssize(ports) != here() + 1) ports.back().key += error;
    }
    return std::make_unique<UcxPort>(UcxPortParts{.job = *job_,
                                                  .context = context_,
                                                  .options = options_,
                                                  .worker = std::move(worker),
                                                  .ports = std::move(ports)});
  }
  // Collective. All send to their neighbour: how many messages have come here. Of none it is sure
  // after `limit`.
  int count_all(UcxPort& port, std::chrono::seconds limit) {
    EXPECT_TRUE(
        eventually([&] { return port.send(next(), {.source = here()}, {}) == SendOutcome::sent; },
                   [&] { port.poll(sink_); }));
    auto const end = std::chrono::steady_clock::now() + limit;
    while (std::chrono::steady_clock::now() < end && sink_.count() == 0) port.poll(sink_);
    auto const meeting = collectives_->barrier();
    while (!meeting->test()) port.poll(sink_);
    return sink_.count();
  }
  // A header as a port would write it, by default for its second message.
  [[nodiscard]] UcxHeader right_header(std::uint32_t number = 1) const {
    return {.message = {.source = here()},
            .number = number,
            .origin = static_cast<std::uint32_t>(here()),
            .key = keys_[static_cast<std::size_t>(next().value())]};
  }
  // To the neighbour, past the port.
  template <class Header>
  void send(UcxPort& port, Header const& header, std::span<std::byte const> payload) {
    UcxEndpoints::Turn const turn(port.endpoints(), static_cast<int>(next().value()));
    ASSERT_TRUE(turn.is_open());
    ucp_request_param_t const params{};
    void* const request = ucp_am_send_nbx(turn.endpoint(), UcxSender::message_id, &header,
                                          sizeof header, payload.data(), payload.size(), &params);
    ASSERT_FALSE(UCS_PTR_IS_ERR(request));
    if (request == nullptr) return;
    EXPECT_TRUE(eventually([&] { return ucp_request_check_status(request) != UCS_INPROGRESS; },
                           [&] { poll(port); }));
    ucp_request_free(request);
  }
  // Keeps what it refuses: the neighbour's message may come before this image's own has gone.
  void poll(UcxPort& port) {
    try {
      port.poll(sink_);
    } catch (BadMessage const& error) {
      refused_.emplace_back(error.what());
    }
  }
  // All images have sent the same; then a port goes on.
  void expect_refused_all(UcxPort& port, std::string const& why) {
    EXPECT_TRUE(eventually([&] { return !refused_.empty(); }, [&] { poll(port); }));
    ASSERT_FALSE(refused_.empty());
    EXPECT_THAT(refused_.front(), testing::HasSubstr(why));
    EXPECT_EQ(count_all(port, test_limit), 1);
    close_all(port);
  }
  void close_all(UcxPort& port) {
    port.retire();
    static_cast<void>(job_->exchange_all({}));
    port.close_all(std::chrono::steady_clock::now() + std::chrono::seconds(1));
  }
  [[nodiscard]] int here() const { return static_cast<int>(job_->image().value()); }
  [[nodiscard]] ImageId next() const { return ImageId{(here() + 1) % job_->images()}; }

  std::unique_ptr<Job> job_{open_test_job_all()};
  std::unique_ptr<Collectives> collectives_{job_->world_collectives_all()};
  UcxOptions options_{};
  UcxContext context_{job_->images(), options_.wakeup};
  CheckingSink sink_;
  std::vector<UcxPortKey> keys_;        // of the last ports, by image
  std::vector<std::string> refused_{};  // in the order in which they came
};

TEST_F(UcxPortTest, takes_nothing_without_its_key) {
  if (job_->images() == 1) GTEST_SKIP() << "an image sends to itself without a port";

  auto const others = open_all(1);
  EXPECT_EQ(count_all(*others, std::chrono::seconds(1)), 0);
  close_all(*others);

  auto const ours = open_all(0);
  EXPECT_EQ(count_all(*ours, test_limit), 1);
  close_all(*ours);
}

TEST_F(UcxPortTest, takes_nothing_with_a_header_of_another_size) {
  if (job_->images() == 1) GTEST_SKIP() << "an image sends to itself without a port";
  auto const port = open_all(0);

  struct LongerHeader {
    UcxHeader ours;
    std::uint64_t more;
  };
  send(*port, LongerHeader{.ours = right_header(), .more = 0}, {});

  // It would be delivered after this one.
  EXPECT_EQ(count_all(*port, test_limit), 1);
  close_all(*port);
}

TEST_F(UcxPortTest, refuses_an_origin_that_there_is_not) {
  if (job_->images() == 1) GTEST_SKIP() << "an image sends to itself without a port";
  auto const port = open_all(0);
  UcxHeader header = right_header();
  header.origin = static_cast<std::uint32_t>(job_->images());  // one stream each

  send(*port, header, {});

  std::string const images = std::to_string(job_->images());
  expect_refused_all(*port, "from stream " + images + " of " + images);
}

TEST_F(UcxPortTest, refuses_more_than_a_message_holds) {
  if (job_->images() == 1) GTEST_SKIP() << "an image sends to itself without a port";
  auto const port = open_all(0);
  std::vector<std::byte> const payload(static_cast<std::size_t>(options_.message_bytes_max) + 1);

  send(*port, right_header(), payload);

  expect_refused_all(*port, "of 65537 bytes, 65536 at most");
}

TEST_F(UcxPortTest, refuses_a_key_to_memory_that_is_too_short) {
  if (job_->images() == 1) GTEST_SKIP() << "an image sends to itself without a port";
  auto const port = open_all(0);
  {
    UcxEndpoints::Turn turn(port->endpoints(), static_cast<int>(next().value()));
    ASSERT_TRUE(turn.is_open());
    std::vector<std::byte> const key(8);  // an address, and nothing behind it

    EXPECT_THROW(static_cast<void>(port->endpoints().attach(turn, key)), BadMessage);
    EXPECT_THROW(static_cast<void>(port->endpoints().attach(turn, {})), BadMessage);
  }
  close_all(*port);
}

TEST_F(UcxPortTest, refuses_numbers_that_cannot_be) {
  if (job_->images() == 1) GTEST_SKIP() << "an image sends to itself without a port";
  auto const port = open_all(0);

  // Too early, and a second one that waits. The neighbour may be ahead by a meeting.
  std::vector<std::vector<std::uint32_t>> const rounds{{600}, {7, 7}};
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    for (std::uint32_t const number : rounds[round]) send(*port, right_header(number), {});
    ASSERT_TRUE(eventually([&] { return refused_.size() > round; }, [&] { poll(*port); }));
    auto const before = (here() + job_->images() - 1) % job_->images();
    EXPECT_EQ(
        refused_[round].find("a message from image " + std::to_string(before) +
                             " that cannot be (number " + std::to_string(rounds[round].back())),
        0U)
        << refused_[round];
    auto const meeting = collectives_->barrier();
    while (!meeting->test()) poll(*port);
  }

  EXPECT_EQ(count_all(*port, test_limit), 1);
  close_all(*port);
}

}  // namespace
}  // namespace makespan::pgas
