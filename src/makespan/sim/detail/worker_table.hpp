// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the workers of a simulation are at.

#include <cstdint>
#include <optional>
#include <set>
#include <simgrid/s4u.hpp>
#include <vector>

#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/bag/protocol/steal_choice.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/base/random_draws.hpp"
#include "makespan/sim/detail/virtual_clock.hpp"
#include "makespan/sim/model/chunk_course.hpp"
#include "makespan/sim/model/machine_model.hpp"
#include "makespan/sim/model/true_costs.hpp"
#include "makespan/sim/model/worker_model.hpp"

namespace makespan::sim {

// Of all images; workers are numbered through them. Keeps references.
class WorkerTable {
 public:
  WorkerTable(MachineModel const& machine, TrueCosts const& costs, VirtualClock& clock);

  [[nodiscard]] int workers() const { return static_cast<int>(entries_.size()); }
  [[nodiscard]] WorkerModel const& model(int worker) const { return at(worker).model; }

  // --- what others see

  // The workers that hold more than one item; from others nothing can be stolen.
  [[nodiscard]] std::set<int> const& holders() const { return holders_; }
  [[nodiscard]] bag::WorkerView view(int worker, Speed known) const;
  // Whether the victim still had it.
  [[nodiscard]] bool take_tail(int victim, bag::ItemRange tail);
  // When one of the image's workers will be in the runtime: between two pieces, or two chunks.
  [[nodiscard]] Seconds next_entry(int image, Progress progress) const;

  // --- of the worker itself

  // It holds these items, and begins.
  void publish(int worker, bag::ItemRange items);
  // Nothing that it has not begun is its any more.
  void take_all(int worker);
  // What it holds; nothing before the first chunk.
  [[nodiscard]] std::optional<ChunkCourse> const& course(int worker) const {
    return at(worker).course;
  }
  void end_chunk(int worker);
  // Blocks until then, or until something has happened to it.
  void wait_until(int worker, Seconds time);
  [[nodiscard]] bool has_failed(int worker) const { return at(worker).factor == 0.0; }

  // --- of events

  void change_speed(int device, double factor);

 private:
  struct Entry {
    WorkerModel model;
    simgrid::s4u::SemaphorePtr wakes{simgrid::s4u::Semaphore::create(0)};
    std::optional<ChunkCourse> course{};
    double factor{1.0};
    double noise{1.0};  // of the chunk at hand
  };
  Entry& at(int worker) { return entries_[static_cast<std::size_t>(worker)]; }
  [[nodiscard]] Entry const& at(int worker) const {
    return entries_[static_cast<std::size_t>(worker)];
  }
  [[nodiscard]] double drawn_noise(DeviceModel const& model);

  TrueCosts const& costs_;
  VirtualClock& clock_;
  RandomDraws draws_;
  std::vector<Entry> entries_{};
  std::set<int> holders_{};
  std::vector<int> first_of_image_{};  // and the number of all
};

}  // namespace makespan::sim
