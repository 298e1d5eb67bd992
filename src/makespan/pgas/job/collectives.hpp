// SPDX-License-Identifier: Apache-2.0
#pragma once

// Collective operations of one team, begun now and tested until they are done, so that the waiting
// thread can drive progress meanwhile. team.hpp is their public interface.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "makespan/base/ids.hpp"

namespace makespan::pgas {

enum class ReduceOp : std::uint8_t { sum, product, min, max, bit_and, bit_or, bit_xor };

enum class ElementType : std::uint8_t { int32, uint32, int64, uint64, float32, float64, byte };

// One collective under way. Destroying one that is not done gives it up: the team is broken then.
class CollectiveOperation {
 public:
  CollectiveOperation() = default;
  CollectiveOperation(CollectiveOperation const&) = delete;
  CollectiveOperation& operator=(CollectiveOperation const&) = delete;
  virtual ~CollectiveOperation() = default;

  // Whether it is done; moves it on. Throws MpiError, or ImageFailed where the launcher says who.
  [[nodiscard]] virtual bool test() = 0;
};

// Ranks count from 0 within the team. Spans must last until the operation is done. All members call
// the same functions in the same order with the same sizes.
class Collectives {
 public:
  Collectives() = default;
  Collectives(Collectives const&) = delete;
  Collectives& operator=(Collectives const&) = delete;
  virtual ~Collectives() = default;

  [[nodiscard]] virtual int rank() const = 0;
  // The members, by rank.
  [[nodiscard]] virtual std::span<ImageId const> members() const = 0;

  using Operation = std::unique_ptr<CollectiveOperation>;

  [[nodiscard]] virtual Operation barrier() = 0;
  [[nodiscard]] virtual Operation broadcast(std::span<std::byte> data, int root) = 0;
  // `bytes` of each element type; `out` as long as `in`. Root only, or all with all_reduce.
  [[nodiscard]] virtual Operation reduce(ElementType type, ReduceOp op,
                                         std::span<std::byte const> in, std::span<std::byte> out,
                                         int root) = 0;
  [[nodiscard]] virtual Operation all_reduce(ElementType type, ReduceOp op,
                                             std::span<std::byte const> in,
                                             std::span<std::byte> out) = 0;
  // Over ranks up to and including this one.
  [[nodiscard]] virtual Operation inclusive_scan(ElementType type, ReduceOp op,
                                                 std::span<std::byte const> in,
                                                 std::span<std::byte> out) = 0;
  // `out` at the root: size() times as long as `in`, by rank; elsewhere empty.
  [[nodiscard]] virtual Operation gather(std::span<std::byte const> in, std::span<std::byte> out,
                                         int root) = 0;
  [[nodiscard]] virtual Operation all_gather(std::span<std::byte const> in,
                                             std::span<std::byte> out) = 0;

  // Collective; blocks without driving progress. A team of the members that gave the same color,
  // by key and then by rank; null for those that gave a negative color.
  [[nodiscard]] virtual std::unique_ptr<Collectives> split_all(int color, int key) = 0;
  // As split_all, by node.
  [[nodiscard]] virtual std::unique_ptr<Collectives> split_by_node_all() = 0;
  // Collective over those that are left: a team without the lost ones. Throws NotConfigured where
  // the launcher cannot go on after a loss, and WaitTimeout where it can only go on without the
  // dead, and one is stopped.
  [[nodiscard]] virtual std::unique_ptr<Collectives> shrink_all() = 0;
};

}  // namespace makespan::pgas
