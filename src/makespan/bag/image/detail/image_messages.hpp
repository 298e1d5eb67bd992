// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one image asks of another: remote calls, which find their team by name.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/bag/image/detail/image_team_core.hpp"
#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/protocol/claim_event.hpp"
#include "makespan/pgas/message/fragment.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::bag {

// Bytes as cereal takes them in one piece.
using WireBytes = std::vector<std::uint8_t>;
[[nodiscard]] WireBytes wire_bytes(std::span<std::byte const> data);

// Of ClaimActions what another image needs. Without a bool, so that any bytes are an answer, whose
// order and items its reader checks.
struct ClaimAnswer {
  Order order{Order::none};
  ItemRange items{};
};

// Of a message, so that a part and the other arguments of its call fit one message.
[[nodiscard]] std::size_t part_bytes_max(pgas::Runtime const& runtime);

// Each throws std::out_of_range when the team has ended. Tested through
// tests/bag/image/image_team_test.cpp.
class ImageMessages {
 public:
  // Of image 0's server (completion_service.hpp).
  static ClaimAnswer ask(std::uint64_t team, WorkerFacts const& worker);
  static bool may_steal(std::uint64_t team, int worker, int victim);
  static bool may_use_pool(std::uint64_t team, int worker);
  static void retire(std::uint64_t team, int worker);
  static void take_back(std::uint64_t team, int worker);
  static void give_up(std::uint64_t team, std::int32_t image, int lost, int worker);
  static void end_chunk(std::uint64_t team, ChunkReport const& report);
  static void deliver(std::uint64_t team, pgas::Fragment const& part, WireBytes const& data);
  static void end(std::uint64_t team, pgas::Fragment const& part, WireBytes const& data);
  // Of any image.
  static void control(std::uint64_t team, ImageTeamCore::ControlTag kind, std::uint64_t bag,
                      pgas::Fragment const& part, WireBytes const& data);
};

}  // namespace makespan::bag
