// SPDX-License-Identifier: Apache-2.0
#pragma once

// An accelerator without a GPU that does everything as late as it may: what is begun is done when a
// caller has to wait for it. A caller that does not wait gets wrong values. Its memory cannot be
// touched but by its own functions: others end with SIGSEGV, as they would at a GPU's.

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "makespan/grid/detail/slab.hpp"
#include "makespan/grid/field/accelerator.hpp"

namespace makespan::grid {

class LateAccelerator : public Accelerator {
 public:
  using Launch = std::function<void(Sweep const& sweep)>;
  explicit LateAccelerator(Launch launch) : launch_{std::move(launch)} {}

  [[nodiscard]] double cores_worth() const override { return 3; }
  [[nodiscard]] std::int64_t memory_bytes() const override {
    return std::numeric_limits<std::int64_t>::max() / 16;
  }
  [[nodiscard]] FieldMemory memory(std::int64_t doubles) override {
    given_ += doubles;
    std::size_t const bytes = static_cast<std::size_t>(doubles) * sizeof(double);
    void* const memory =
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    blocks_->push_back({static_cast<std::byte*>(memory), bytes});
    return {static_cast<double*>(memory), doubles, [blocks = blocks_](double* mine) {
              auto const block = std::ranges::find(*blocks, reinterpret_cast<std::byte*>(mine),
                                                   [](auto each) { return each.data(); });
              munmap(mine, block->size());
              blocks->erase(block);
            }};
  }
  void copy(std::span<FieldView const> from, std::span<FieldView const> to,
            Box const& box) override {
    queues_[SweepQueue::boundary].emplace_back([from, to, box] { grid::copy(from, to, box); });
  }
  [[nodiscard]] std::optional<BadValue> find_bad_value(std::span<FieldView const> views) override {
    work_off(SweepQueue::boundary);
    Opened const opened(*blocks_);
    return grid::find_bad_value(views);
  }
  void add_digests(std::span<FieldView const> views, Box const& domain,
                   std::span<Digest> planes) override {
    work_off(SweepQueue::boundary);
    Opened const opened(*blocks_);
    grid::add_digests(views, domain, planes);
  }
  [[nodiscard]] ValueRange range_of(FieldView const& view) override {
    work_off(SweepQueue::boundary);
    Opened const opened(*blocks_);
    return grid::range_of(view, view.box);
  }
  [[nodiscard]] FixedSum sum_of(FieldView const& view, int scale) override {
    work_off(SweepQueue::boundary);
    Opened const opened(*blocks_);
    return grid::sum_of(view, view.box, scale);
  }
  void sweep(Sweep const& sweep, SweepQueue queue) override {
    // The views belong to the caller, until all is done.
    queues_[queue].emplace_back([this, sweep] { launch_(sweep); });
    planes_ += sweep.box.extent().z;
  }
  void pack(std::span<FieldView const> views, Box const& box, double* to, HaloSide side) override {
    work_off(SweepQueue::boundary);
    ++packed_[side];
    Opened const opened(*blocks_);
    grid::pack(views, box, to);
  }
  void unpack(double const* from, std::span<FieldView const> views, Box const& box,
              HaloSide side) override {
    if (side == HaloSide::accelerator) {
      // Read as late as it may be, too.
      queues_[SweepQueue::boundary].emplace_back(
          [from, views, box] { grid::unpack(from, views, box); });
      return;
    }
    if (is_reached(from)) {
      // Where it lies, and as late as it may be.
      queues_[SweepQueue::boundary].emplace_back(
          [from, views, box] { grid::unpack(from, views, box); });
      ++late_reads_;
      return;
    }
    std::vector<double> const values(from,
                                     from + static_cast<std::int64_t>(views.size()) * box.points());
    queues_[SweepQueue::boundary].emplace_back(
        [values, views, box] { grid::unpack(values.data(), views, box); });
  }
  [[nodiscard]] std::shared_ptr<void> reach(std::span<double> memory) override {
    auto token = std::make_shared<std::span<double>>(memory);
    reached_.push_back(token);
    return token;
  }
  [[nodiscard]] bool is_done() override {
    // Not at the first look, and the interior last.
    if (std::exchange(looks_, looks_ + 1) % 3 < 2) return false;
    work_off(SweepQueue::boundary);
    work_off(SweepQueue::interior);
    return true;
  }
  [[nodiscard]] Seconds take_busy() override {
    return Seconds{1e-6 * static_cast<double>(std::exchange(planes_, 0))};
  }

  // Halos packed for the host, and for buffers of accelerators.
  [[nodiscard]] int packed(HaloSide side) { return packed_[side]; }
  // Halos of the host that were read where they lay, by all of them in this process.
  [[nodiscard]] static int late_reads() { return late_reads_; }
  // Doubles of all memory that was asked for.
  [[nodiscard]] std::int64_t given() const { return given_; }

 private:
  using Blocks = std::vector<std::span<std::byte>>;

  // As long as it lives the memory can be touched.
  class Opened {
   public:
    explicit Opened(Blocks const& blocks) : blocks_{blocks} { protect(PROT_READ | PROT_WRITE); }
    Opened(Opened const&) = delete;
    Opened& operator=(Opened const&) = delete;
    ~Opened() { protect(PROT_NONE); }

   private:
    void protect(int how) const {
      for (std::span<std::byte> const block : blocks_) mprotect(block.data(), block.size(), how);
    }
    Blocks const& blocks_;
  };

  [[nodiscard]] bool is_reached(double const* place) const {
    return std::ranges::any_of(reached_, [&](auto const& each) {
      auto const memory = each.lock();
      return memory && place >= memory->data() && place < memory->data() + memory->size();
    });
  }

  void work_off(SweepQueue queue) {
    if (queues_[queue].empty()) return;
    Opened const opened(*blocks_);
    for (auto const& work : std::exchange(queues_[queue], {})) work();
  }

  Launch launch_;
  std::map<SweepQueue, std::vector<std::function<void()>>> queues_{};
  std::map<HaloSide, int> packed_{};
  std::shared_ptr<Blocks> blocks_{std::make_shared<Blocks>()};
  std::vector<std::weak_ptr<std::span<double>>> reached_{};
  static inline std::atomic<int> late_reads_{0};
  std::int64_t given_{0};
  std::int64_t planes_{0};
  int looks_{0};
};

}  // namespace makespan::grid
