// SPDX-License-Identifier: Apache-2.0
// Goal: an image whose heartbeats are stuck is no lost image as long as it lives; one that is given
// up, or gone, tells nothing. Method: pulses over memory of this process, and a carrier that never
// delivers; waits are bounded by the test's limit.
#include "makespan/pgas/job/node_pulse.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <thread>

#include "makespan/pgas/job/heartbeat_monitor.hpp"
#include "makespan/pgas/job/pulsed_heartbeat_transport.hpp"

namespace makespan::pgas {
namespace {

constexpr Seconds period{0.005};
constexpr std::array both{ImageId{0}, ImageId{1}};

class PlainMemory final : public NodeMemory {
 public:
  [[nodiscard]] std::span<std::byte> segment(ImageId image) const override {
    return std::as_writable_bytes(std::span(lines_[static_cast<std::size_t>(image.value())]));
  }
  void close_all() override {}

 private:
  struct alignas(64) Line : std::array<std::uint64_t, 8> {};
  mutable std::array<Line, 2> lines_{};
};

// Takes letters, and loses them.
class DeafPost final : public HeartbeatTransport {
 public:
  void send(HeartbeatSend const& /*send*/) override {}
  [[nodiscard]] std::optional<HeartbeatEvent> receive() override { return std::nullopt; }
};

void sleep_for(Seconds time) {
  std::this_thread::sleep_for(std::chrono::duration<double>(time.value()));
}

// Until it has beaten again.
void wait_for(NodePulse& pulse, ImageId image) {
  for (auto alive = pulse.next_alive(); alive != image; alive = pulse.next_alive()) {
    sleep_for(period);
  }
}

TEST(NodePulse, tells_of_each_beat_of_another_once) {
  PlainMemory memory;
  NodePulse here(memory, ImageId{0}, both, period);
  EXPECT_EQ(here.next_alive(), std::nullopt);
  {
    NodePulse there(memory, ImageId{1}, both, Seconds{3600.0});
    wait_for(here, ImageId{1});
    EXPECT_EQ(here.next_alive(), std::nullopt);
    EXPECT_EQ(here.next_alive(), std::nullopt);
  }
  NodePulse const again(memory, ImageId{1}, both, period);
  wait_for(here, ImageId{1});
  wait_for(here, ImageId{1});
}

TEST(NodePulse, stops_at_once_however_long_its_period_is) {
  PlainMemory memory;
  NodePulse there(memory, ImageId{1}, both, Seconds{3600.0});
  there.stop();
}

constexpr HeartbeatTimes pulse_times{.period = Seconds{0.02}, .silence_limit = Seconds{0.5}};

// One of two images, whose carrier delivers nothing.
struct PulsingImage {
  PulsingImage(NodeMemory& memory, int number)
      : pulse(memory, ImageId{number}, both, pulse_times.period),
        transport(carrier, pulse),
        monitor(HeartbeatRing(ImageId{number}, both, pulse_times, HeartbeatMonitor::now()),
                pulse_times, transport, losses, hosts) {}

  std::vector<std::string> hosts{"a", "a"};
  LossBoard losses{2};
  DeafPost carrier;
  NodePulse pulse;
  PulsedHeartbeatTransport transport;
  HeartbeatMonitor monitor;
};

TEST(PulsedHeartbeats, keep_an_image_whose_messages_are_stuck) {
  PlainMemory memory;
  PulsingImage here(memory, 0);
  PulsingImage there(memory, 1);

  sleep_for(pulse_times.silence_limit + pulse_times.silence_limit);

  EXPECT_EQ(here.losses.count(), 0);
  EXPECT_EQ(there.losses.count(), 0);
}

TEST(PulsedHeartbeats, end_with_an_image_that_is_given_up) {
  PlainMemory memory;
  PulsingImage here(memory, 0);
  PulsingImage there(memory, 1);

  there.monitor.suspect(ImageId{1});  // itself

  while (here.losses.count() == 0) sleep_for(period);
  EXPECT_NE(here.losses.reason(ImageId{1}).find("silent"), std::string::npos);
}

}  // namespace
}  // namespace makespan::pgas
