// SPDX-License-Identifier: Apache-2.0
// Goal: the thread drives the ring: it beats though its image does nothing, notes losses, says
// that its image leaves, and its own failure is not silent. Method: a transport between monitors of
// one process, and short times; waits are bounded by the test's limit, and nothing is said about
// how long they take.
#include "makespan/pgas/job/heartbeat_monitor.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "makespan/pgas/job/heartbeat_transport.hpp"

namespace makespan::pgas {
namespace {

// Far apart, so that no image is taken for lost by mistake on a busy machine.
constexpr HeartbeatTimes times{.period = Seconds{0.02}, .silence_limit = Seconds{1.0}};

// Messages between images of this process.
class Queues {
 public:
  explicit Queues(int images) : by_image_(static_cast<std::size_t>(images)) {}

  void put(ImageId from, HeartbeatSend const& send) {
    std::scoped_lock const lock(mutex_);
    by_image_[static_cast<std::size_t>(send.to.value())].push_back({from, send.message});
  }

  std::optional<HeartbeatEvent> take(ImageId to) {
    std::scoped_lock const lock(mutex_);
    auto& box = by_image_[static_cast<std::size_t>(to.value())];
    if (box.empty()) return std::nullopt;
    HeartbeatHeard const heard = box.front();
    box.pop_front();
    return heard;
  }

 private:
  std::mutex mutex_;
  std::vector<std::deque<HeartbeatHeard>> by_image_;
};

class QueueTransport final : public HeartbeatTransport {
 public:
  QueueTransport(Queues& queues, ImageId self) : queues_{queues}, self_{self} {}
  void send(HeartbeatSend const& send) override { queues_.put(self_, send); }
  [[nodiscard]] std::optional<HeartbeatEvent> receive() override { return queues_.take(self_); }

 private:
  Queues& queues_;
  ImageId self_;
};

class BrokenTransport final : public HeartbeatTransport {
 public:
  void send(HeartbeatSend const& /*send*/) override {}
  [[nodiscard]] std::optional<HeartbeatEvent> receive() override {
    throw std::runtime_error("no transport today");
  }
};

constexpr int images = 3;

// One image: what its job has.
struct Image {
  Image(int number, Queues& queues)
      : transport(queues, ImageId{number}),
        monitor(HeartbeatRing(ImageId{number}, std::vector{ImageId{0}, ImageId{1}, ImageId{2}},
                              times, HeartbeatMonitor::now()),
                times, transport, losses, hosts) {}

  std::vector<std::string> hosts{"a", "b", "c"};
  LossBoard losses{images};
  QueueTransport transport;
  HeartbeatMonitor monitor;
};

class HeartbeatMonitorTest : public testing::Test {
 protected:
  HeartbeatMonitorTest() {
    for (int number = 0; number < images; ++number) {
      all.push_back(std::make_unique<Image>(number, queues));
    }
  }

  static void wait_for_loss(Image const& image) {
    while (image.losses.count() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  Queues queues{images};
  std::vector<std::unique_ptr<Image>> all;
};

TEST_F(HeartbeatMonitorTest, Monitor_notes_one_that_has_gone_with_its_host) {
  all[1].reset();

  for (int const number : {0, 2}) {
    wait_for_loss(*all[static_cast<std::size_t>(number)]);
    std::string const why = all[static_cast<std::size_t>(number)]->losses.reason(ImageId{1});
    EXPECT_NE(why.find("on host b, silent for 1 s"), std::string::npos) << why;
    EXPECT_EQ(all[static_cast<std::size_t>(number)]->losses.count(), 1);
  }
}

TEST_F(HeartbeatMonitorTest, Monitor_spreads_a_suspicion_to_all_and_to_the_suspect) {
  all[0]->monitor.suspect(ImageId{2});

  for (auto const& image : all) {
    wait_for_loss(*image);
    std::string const why = image->losses.reason(ImageId{2});
    EXPECT_NE(why.find("it cannot be reached"), std::string::npos) << why;
  }
}

TEST_F(HeartbeatMonitorTest, Monitors_leave_together) {
  for (auto const& image : all) image->monitor.leave();

  for (auto const& image : all) {
    while (!image->monitor.has_left()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (auto const& image : all) EXPECT_EQ(image->losses.count(), 0);
}

TEST(HeartbeatMonitorFailure, Monitor_that_fails_gives_its_own_image_up) {
  std::vector<std::string> const hosts{"a", "b"};
  LossBoard losses(2);
  BrokenTransport transport;
  HeartbeatMonitor const monitor(HeartbeatRing(ImageId{0}, std::vector{ImageId{0}, ImageId{1}},
                                               times, HeartbeatMonitor::now()),
                                 times, transport, losses, hosts);

  while (losses.count() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));

  EXPECT_EQ(losses.reason(ImageId{0}), "its monitor failed: no transport today");
}

}  // namespace
}  // namespace makespan::pgas
