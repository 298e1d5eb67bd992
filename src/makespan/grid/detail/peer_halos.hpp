// SPDX-License-Identifier: Apache-2.0
#pragma once

// Halos between accelerators that reach each other's memory, of this process or of others of the
// node: packed straight into the receiver's memory, past the hosts.
//
// A slab's buffer has the halos of two exchanges, as HaloExchange has them in the heap, and the
// words there tell when they have come. A sender overwrites an exchange's halos when it has got
// what the receiver sends after the next one, which is sent when they were unpacked.

#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <vector>

#include "makespan/grid/cut/exchange_plan.hpp"
#include "makespan/grid/cut/layout.hpp"
#include "makespan/grid/field/accelerator.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::grid {

// What the halos of a grid are laid out by.
struct HaloLayout {
  std::span<SlabPlace const> slabs;
  ExchangePlan const& plan;
  std::int64_t fields{};  // that spread
};

// Of all accelerators of an image. Tested by tests/apps/diffusion/accelerated_grid_test.cpp.
class PeerHalos {
 public:
  // Whether messages to an image may take this way: it is of this node, and no host carries them.
  using MayReach = std::function<bool(ImageId image)>;
  // Collective. `accelerators`: by slab, of this image's; null for all others. Throws what one of
  // them throws, and InputError on the other images.
  PeerHalos(pgas::Runtime& runtime, HaloLayout const& layout,
            std::span<Accelerator* const> accelerators, MayReach const& may_reach);

  // Collective; no image uses them any more.
  void close_all();

  // Where this image packs a message for that exchange, or finds it; null where it goes by the
  // heap.
  [[nodiscard]] double* place(HaloMessage const& message, std::int64_t exchange) const;

 private:
  void open_all(HaloLayout const& layout, std::span<Accelerator* const> accelerators,
                MayReach const& may_reach);
  void tell_receivers_all(HaloLayout const& layout, std::span<Accelerator* const> accelerators,
                          std::span<std::int32_t const> are_reached);
  // Throws on all images if there is a failure on one; what was opened is closed then.
  void agree_all(std::exception_ptr const& mine);

  pgas::Runtime& runtime_;
  std::int64_t fields_;
  std::vector<FieldMemory> own_{};     // by slab
  std::vector<FieldMemory> opened_{};  // those of other slabs
  struct MessageBuffers {
    double* first{};       // of the first of the exchanges
    std::int64_t pitch{};  // doubles from one of them to the next
  };
  std::vector<MessageBuffers> buffers_{};  // by message; none: empty
};

}  // namespace makespan::grid
