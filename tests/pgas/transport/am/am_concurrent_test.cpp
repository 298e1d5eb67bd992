// SPDX-License-Identifier: Apache-2.0
// Goal: several threads may send and poll one link at the same time, and what each of them sends
// arrives once and in order. Method: three threads per image send numbered messages of mixed
// lengths to all images while they poll. Also under the thread sanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "makespan/pgas/transport/am/am_transport.hpp"
#include "transport_test.hpp"
#include "unreceived_sends.hpp"

namespace makespan::pgas {
namespace {

constexpr int threads = 3;

// Checks order as messages arrive. A link delivers one message at a time.
class OrderCheck final : public MessageSink {
 public:
  explicit OrderCheck(int images) : next_(static_cast<std::size_t>(images) * threads) {}

  void deliver(WireHeader const& header, std::span<std::byte const> payload) override {
    std::size_t const stream = static_cast<std::size_t>(header.source) * threads + header.thread;
    if (header.operand != next_[stream]++) ++out_of_order;
    std::byte const expected = static_cast<std::byte>(header.operand);
    if (std::ranges::any_of(payload, [expected](std::byte byte) { return byte != expected; })) {
      ++damaged;
    }
    if (payload.size() != header.offset) ++damaged;
    delivered.fetch_add(1, std::memory_order_relaxed);  // read by threads that only wait for it
  }

  std::atomic<std::int64_t> delivered{0};
  int out_of_order{0};
  int damaged{0};

 private:
  std::vector<std::uint64_t> next_;
};

using AmConcurrentTest = TransportTest;

TEST_F(AmConcurrentTest, Threads_share_a_link) {
  constexpr std::uint64_t messages = 150;
  AmTransport transport(job, {.send_window = 16});
  auto link = transport.open_link_all(0, LinkThreading::concurrent);
  OrderCheck sink(images());
  std::int64_t const expected = static_cast<std::int64_t>(messages) * threads * images();
  std::atomic<int> stuck{0};

  auto const work = [&](int thread) {
    std::vector<std::byte> payload;
    for (std::uint64_t message = 0; message < messages; ++message) {
      payload.assign(message % 10 == 0 ? 20000 : message * 7, static_cast<std::byte>(message));
      for (int to = 0; to < images(); ++to) {
        WireHeader const header{.thread = static_cast<std::uint16_t>(thread),
                                .source = static_cast<std::int32_t>(self().value()),
                                .offset = payload.size(),
                                .operand = message};
        if (!send_waiting(*link, sink, ImageId{to}, header, payload)) ++stuck;
      }
    }
    bool const is_done =
        wait_until([&] { return sink.delivered.load() == expected && link->is_drained(); },
                   [&] { link->poll(sink); });
    if (!is_done) ++stuck;
  };
  {
    std::vector<std::jthread> team;
    for (int thread = 0; thread < threads; ++thread) team.emplace_back(work, thread);
  }

  EXPECT_EQ(stuck.load(), 0);
  EXPECT_EQ(sink.delivered.load(), expected);
  EXPECT_EQ(sink.out_of_order, 0);
  EXPECT_EQ(sink.damaged, 0);
  meet_all();
  link.reset();
  transport.close_all();
}

// One image is given up while threads go on sending to it and to others.
TEST_F(AmConcurrentTest, Image_is_abandoned_while_threads_send) {
  if (images() < 3) GTEST_SKIP() << "needs three images";
  AmTransport transport(job, {.send_window = 8, .close_limit = Seconds{0.2}});
  auto link = transport.open_link_all(0, LinkThreading::concurrent);
  ImageId const lost{images() - 1};
  OrderCheck sink(images());
  std::atomic<int> stuck{0};

  auto const work = [&](int thread) {
    std::vector<std::byte> const payload(30000, std::byte{0});
    WireHeader const header{.thread = static_cast<std::uint16_t>(thread),
                            .source = static_cast<std::int32_t>(self().value()),
                            .offset = payload.size()};
    for (int message = 0; message < 40; ++message) {
      static_cast<void>(link->send(lost, header, payload));
      if (thread == 0 && message == 20) link->abandon(lost);
      link->poll(sink);
    }
    if (!send_waiting(*link, sink, lost, header, payload)) ++stuck;
    if (!wait_until([&] { return link->is_drained(); }, [&] { link->poll(sink); })) ++stuck;
  };
  if (self() != lost) {
    std::vector<std::jthread> team;
    for (int thread = 0; thread < threads; ++thread) team.emplace_back(work, thread);
  }

  EXPECT_EQ(stuck.load(), 0);
  // Not closed together: messages to the lost one are still on their way.
  link.reset();
  meet_all();
  has_unreceived_sends = true;
}

}  // namespace
}  // namespace makespan::pgas
