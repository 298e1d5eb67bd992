// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which thread of a team belongs to which device, and who of them claims.

#include <optional>
#include <vector>

#include "makespan/bag/detail/piece_rule.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "makespan/bag/team_options.hpp"

namespace makespan::bag {

// A value. Threads, devices and workers are numbered from 0 through the whole team.
class TeamLayout {
 public:
  // Throws InputError on invalid counts of threads and rules for pieces, on cores that the process
  // may not use, and without a device.
  explicit TeamLayout(std::vector<TeamDevice> const& devices);

  struct ThreadRole {
    int device;
    int worker;   // its own, or the device's
    bool claims;  // false: it runs what another thread of its device has claimed
    std::optional<int> core;
  };
  [[nodiscard]] ThreadRole const& role(int thread) const {
    return roles_[static_cast<std::size_t>(thread)];
  }
  [[nodiscard]] int threads() const { return static_cast<int>(roles_.size()); }
  [[nodiscard]] int devices() const { return static_cast<int>(sizes_.size()); }
  [[nodiscard]] int threads_of(int device) const {
    return sizes_[static_cast<std::size_t>(device)];
  }
  [[nodiscard]] int workers() const { return static_cast<int>(modes_.size()); }
  [[nodiscard]] PieceRule const& pieces(int device) const {
    return pieces_[static_cast<std::size_t>(device)];
  }
  // By worker.
  [[nodiscard]] std::vector<Mode> const& modes() const { return modes_; }
  // The one of its threads that claims, and how many it has from there on.
  [[nodiscard]] int claiming_thread(int worker) const {
    return claiming_[static_cast<std::size_t>(worker)];
  }
  [[nodiscard]] int threads_of_worker(int worker) const {
    int const thread = claiming_thread(worker);
    auto const mode = modes_[static_cast<std::size_t>(worker)];
    return claims_as_one(mode) ? threads_of(role(thread).device) : 1;
  }

 private:
  std::vector<ThreadRole> roles_;  // by thread
  std::vector<int> sizes_;         // by device
  std::vector<PieceRule> pieces_;  // likewise
  std::vector<Mode> modes_;        // by worker
  std::vector<int> claiming_;      // likewise
};

}  // namespace makespan::bag
