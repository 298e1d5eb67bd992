// SPDX-License-Identifier: Apache-2.0
#pragma once

// A model whose stencil counts steps, weighted by what it was told, and its order.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>

#include "grid/late_accelerator.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/field/box_rows.hpp"
#include "makespan/grid/team/grid_team.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::grid {

inline constexpr Box box{{}, {9, 5, 14}};
inline bool has_gpus{true};      // on this image
inline bool has_compiler{true};  // likewise
inline bool has_gpu_compiler{true};
inline std::atomic<bool> can_start{true};  // set again by the first start

struct CountOrder {
  Point points{box.end};
  double weight{1};
  std::int64_t fails_at{-1};  // the step in which it throws, on the highest plane

  template <class Archive>
  void serialize(Archive& archive) {
    archive(points.x, points.y, points.z, weight, fails_at);
  }
};

// Adds the weight to the first field; the second keeps what it is at the beginning: its z.
class CountStencil final : public Stencil {
 public:
  explicit CountStencil(CountOrder const& order) : order_{order} {}

  [[nodiscard]] StencilShape shape() const override {
    return {.fields = {FieldRole::spreads, FieldRole::stays}, .halo = {.width = 1}};
  }
  void sweep(Sweep const& sweep) const override {
    if (sweep.step == order_.fails_at && sweep.box.end.z == order_.points.z) {
      throw std::runtime_error("the stencil has enough");
    }
    Point const origin = sweep.now[0].box.begin;
    for (std::int64_t z = sweep.box.begin.z; z < sweep.box.end.z; ++z) {
      for (std::int64_t y = sweep.box.begin.y; y < sweep.box.end.y; ++y) {
        double const* const now = sweep.now[0].at(y - origin.y, z - origin.z) - origin.x;
        double* const next = sweep.next[0].at(y - origin.y, z - origin.z) - origin.x;
        for (std::int64_t x = sweep.box.begin.x; x < sweep.box.end.x; ++x) {
          next[x] = now[x] + order_.weight;
        }
      }
    }
  }
  void set_weight(double weight) { order_.weight = weight; }

 private:
  CountOrder order_;
};

class CountModel final : public GridModel {
 public:
  explicit CountModel(CountOrder const& order) : order_{order}, stencil_{order} {
    if (order.weight < 0) throw InputError("weight", "it is below 0", "give a weight");
  }
  [[nodiscard]] GridProblem problem() const override {
    return {.box = {{}, order_.points}, .values = {{}, {}}};
  }
  [[nodiscard]] Stencil const& stencil() const override { return stencil_; }
  void start(Box const& part, std::span<FieldView const> fields) const override {
    if (!can_start.exchange(true)) throw std::runtime_error("no memory to start");
    fill_box(fields, part,
             [](int field, Point at) { return field == 0 ? 0.0 : static_cast<double>(at.z); });
  }
  [[nodiscard]] std::shared_ptr<Accelerator> accelerator(int gpu) const override {
    if (!has_gpu_compiler) throw NotConfigured("no compiler for GPUs");
    if (gpu > 1 || !has_gpus) throw InputError("GPU " + std::to_string(gpu), "not here", "count");
    return std::make_shared<LateAccelerator>([this](Sweep const& sweep) { stencil_.sweep(sweep); });
  }
  void heed(std::span<std::byte const> word) override {
    stencil_.set_weight(pgas::unpacked<double>(word));
  }

 private:
  CountOrder order_;
  CountStencil stencil_;
};

inline GridModelKind count_kind() {
  return {.name = "count", .make = [](std::span<std::byte const> order) {
            return std::make_unique<CountModel>(pgas::unpacked<CountOrder>(order));
          }};
}

inline ModelOrder order_of(CountOrder const& order) {
  return {.kind = "count", .bytes = pgas::packed(order)};
}

// As a model that is compiled where it is made.
inline GridModelKind compiled_kind() {
  return {.name = "compiled", .make = [](std::span<std::byte const> order) {
            if (!has_compiler) throw NotConfigured("no compiler");
            return count_kind().make(order);
          }};
}

}  // namespace makespan::grid
