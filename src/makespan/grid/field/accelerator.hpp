// SPDX-License-Identifier: Apache-2.0
#pragma once

// What keeps a device's fields and computes them in place of this image's threads: a GPU.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "makespan/base/digest.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/field/box_rows.hpp"
#include "makespan/grid/field/field_memory.hpp"
#include "makespan/grid/field/field_summary.hpp"
#include "makespan/grid/field/field_view.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::grid {

// What others wait for, and what they do not: two queues, each of which is done in its order, at
// the same time.
enum class SweepQueue : std::uint8_t { boundary, interior };

// Where packed values lie.
enum class HaloSide : std::uint8_t {
  host,
  accelerator,  // in a halo_buffer(), or one that open_buffer() has found
};

// Names such a buffer to other accelerators of the node.
struct BufferKey {
  std::array<std::byte, 128> bytes{};

  [[nodiscard]] bool is_empty() const { return bytes == BufferKey{}.bytes; }
};

// Sweeps and unpacking begin when they are asked for and may be done after the call has returned:
// is_done() tells. For one thread at a time. Functions throw when the device fails.
class Accelerator {
 public:
  Accelerator() = default;
  Accelerator(Accelerator const&) = delete;
  Accelerator& operator=(Accelerator const&) = delete;
  virtual ~Accelerator() = default;

  // As many cores' as it is thought to be worth, until it is measured; and what its memory holds.
  [[nodiscard]] virtual double cores_worth() const = 0;
  [[nodiscard]] virtual std::int64_t memory_bytes() const = 0;

  // Memory of its own, all of it 0, which the host reaches by these functions alone. Throws
  // InputError.
  [[nodiscard]] virtual FieldMemory memory(std::int64_t doubles) = 0;
  // The points of a box in the fields of one slab, from those of another: both in its memory. In
  // the boundary's queue.
  virtual void copy(std::span<FieldView const> from, std::span<FieldView const> to,
                    Box const& box) = 0;
  // As the functions of field/box_rows.hpp and field/field_summary.hpp, of all points of views in
  // its memory, after all that is in the boundary's queue. All block.
  [[nodiscard]] virtual std::optional<BadValue> find_bad_value(
      std::span<FieldView const> views) = 0;
  virtual void add_digests(std::span<FieldView const> views, Box const& domain,
                           std::span<Digest> planes) = 0;
  [[nodiscard]] virtual ValueRange range_of(FieldView const& view) = 0;
  [[nodiscard]] virtual FixedSum sum_of(FieldView const& view, int scale) = 0;

  // Of a single step.
  virtual void sweep(Sweep const& sweep, SweepQueue queue) = 0;
  // As makespan::grid::pack(), after all that is in the boundary's queue. Blocks.
  virtual void pack(std::span<FieldView const> views, Box const& box, double* to,
                    HaloSide side) = 0;
  // As makespan::grid::unpack(), in the boundary's queue. From the host `from` is read before it
  // returns; from a buffer of its own, or memory of reach(), when its turn comes.
  virtual void unpack(double const* from, std::span<FieldView const> views, Box const& box,
                      HaloSide side) = 0;

  // Memory of the host in which halos travel: as long as the token is kept, pack() and unpack() may
  // reach into it without a copy between. A token of nothing where it cannot. For any thread.
  [[nodiscard]] virtual std::shared_ptr<void> reach(std::span<double> /*memory*/) { return {}; }

  // Memory of its own for halos that other accelerators pack; empty where it has none that they
  // could write to. For any thread.
  [[nodiscard]] virtual FieldMemory halo_buffer(std::int64_t /*doubles*/) { return {}; }
  // Of such a buffer, by which others of this node open it.
  [[nodiscard]] virtual BufferKey key_of(FieldMemory const& /*buffer*/) { return {}; }
  // Where pack() can write to in another accelerator's buffer, or in its own; to be given back
  // before its owner gives back the buffer. Empty where it cannot reach that.
  [[nodiscard]] virtual FieldMemory open_buffer(BufferKey const& /*key*/) { return {}; }

  // Whether all that was asked for is done.
  [[nodiscard]] virtual bool is_done() = 0;
  // What sweeps took since the last time this was called, while nothing is under way.
  [[nodiscard]] virtual Seconds take_busy() = 0;
};

}  // namespace makespan::grid
