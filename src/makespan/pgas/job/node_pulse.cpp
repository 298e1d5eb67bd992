// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/node_pulse.hpp"

#include <atomic>
#include <chrono>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

namespace {

std::uint64_t* beats_of(NodeMemory const& memory, ImageId image) {
  auto const segment = memory.segment(image);
  MAKESPAN_EXPECT(std::ssize(segment) >= NodePulse::segment_bytes);
  return reinterpret_cast<std::uint64_t*>(segment.data());
}

}  // namespace

NodePulse::NodePulse(NodeMemory& memory, ImageId self, std::span<ImageId const> images,
                     Seconds period) {
  for (ImageId const image : images) {
    if (image != self) mates_.push_back({image, beats_of(memory, image), 0});
  }
  thread_ = std::jthread([this, beats = beats_of(memory, self),
                          period](std::stop_token const& stop) { run(stop, beats, period); });
}

void NodePulse::run(std::stop_token const& stop, std::uint64_t* beats, Seconds period) {
  std::chrono::duration<double> const nap(period.value());
  // The condition variable wants it; it guards nothing.
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    // Relaxed: nothing else is told by it.
    std::atomic_ref(*beats).fetch_add(1, std::memory_order_relaxed);
    wakes_.wait_for(lock, stop, nap, [] { return false; });
  }
}

std::optional<ImageId> NodePulse::next_alive() {
  while (next_ < mates_.size()) {
    Mate& mate = mates_[next_++];
    std::uint64_t const beats = std::atomic_ref(*mate.beats).load(std::memory_order_relaxed);
    if (beats == mate.seen) continue;
    mate.seen = beats;
    return mate.image;
  }
  next_ = 0;
  return std::nullopt;
}

}  // namespace makespan::pgas
