// SPDX-License-Identifier: Apache-2.0
#pragma once

// How long it takes the images of a simulation to reach each other, and who serves what comes.

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <simgrid/s4u.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/sim/detail/virtual_clock.hpp"
#include "makespan/sim/model/machine_model.hpp"
#include "makespan/sim/platform.hpp"

namespace makespan::sim {

// One for each engine. Messages wait for each other on the link into a node, and for the process
// that serves them. Functions that take an image to reach block the calling actor, and throw
// ImageFailed when the image is lost, as soon as that is noticed.
class VirtualNetwork {
 public:
  // A host for each node: of the machine's platform, or else all equally far from each other. Keeps
  // a reference. Throws InputError on a platform that cannot be read, or has too few hosts.
  explicit VirtualNetwork(MachineModel const& machine);

  [[nodiscard]] simgrid::s4u::Host* host_of(int image) const;
  [[nodiscard]] Seconds latency(int from, int to) const;
  // Between two nodes [bytes/s].
  [[nodiscard]] double bandwidth(int from, int to) const;
  // Of all images.
  [[nodiscard]] Seconds furthest(int from) const;

  // When an image's workers will be in the runtime next, seen from now on: for networks that need
  // them to.
  using NextEntry = std::function<Seconds(int image)>;
  void set_next_entry(NextEntry next) { next_entry_ = std::move(next); }

  // `work` is done at image `to`, one operation after the other, without its help; of `bytes`, all
  // told.
  template <std::invocable Work>
  auto one_sided(int from, int to, double bytes, Work work) {
    ++operations_;
    go(from, to, bytes, machine_.network.atomic, "one-sided operation");
    return back_with(from, to, work);
  }
  // The same by a message that the image has to answer.
  template <std::invocable Work>
  auto call(int from, int to, Work work) {
    ++messages_;
    go(from, to, 0.0, machine_.network.message, "call");
    return back_with(from, to, work);
  }
  // A message whose sender does not wait; returns when it arrives.
  Seconds tell(int from, int to, double bytes);

  void lose(int image) { lost_at_[static_cast<std::size_t>(image)] = VirtualClock::time(); }
  [[nodiscard]] bool is_lost(int image) const;
  // And that the others know of it.
  [[nodiscard]] bool is_known_lost(int image) const;

  [[nodiscard]] std::int64_t operations() const { return operations_; }
  [[nodiscard]] std::int64_t messages() const { return messages_; }

 private:
  void go(int from, int to, double bytes, Seconds service, char const* what);
  [[nodiscard]] std::size_t node_of(int image) const;
  [[nodiscard]] bool is_near(int from, int to) const;
  [[nodiscard]] Seconds arrival(int from, int to, double bytes);
  [[nodiscard]] Seconds served_at(int to, Seconds arrival, Seconds service);
  void expect_alive(int from, int to, char const* what) const;

  template <std::invocable Work>
  auto back_with(int from, int to, Work& work) {
    Seconds const there = VirtualClock::time();
    if constexpr (std::is_void_v<std::invoke_result_t<Work&>>) {
      work();
      VirtualClock::sleep_until(there + latency(to, from));
    } else {
      auto answer = work();
      VirtualClock::sleep_until(there + latency(to, from));
      return answer;
    }
  }

  MachineModel const& machine_;
  std::optional<Platform> platform_{};
  std::vector<simgrid::s4u::Host*> hosts_{};  // by node
  std::vector<Seconds> link_busy_until_{};    // by node: into it, with what came before
  std::vector<Seconds> busy_until_{};         // by image: with what came before
  std::vector<Seconds> lost_at_{};            // by image
  NextEntry next_entry_{};
  std::int64_t operations_{0};
  std::int64_t messages_{0};
};

}  // namespace makespan::sim
