// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/model/worker_model.hpp"

#include <algorithm>
#include <vector>

namespace makespan::sim {

namespace {

Speed together_of(DeviceModel const& model) {
  return model.together > Speed{} ? model.together : model.speed;
}

// Windows of as many whole tasks as there are threads, one on each; the rest one after the other on
// all.
Seconds time_by_windows(DeviceModel const& model, TrueCosts const& costs, bag::ItemRange items) {
  bag::Bag const& bag = costs.bag();
  Speed const thread = model.speed / model.threads;
  std::vector<Work> window;
  Seconds time;
  std::int64_t at = items.begin;
  while (at < items.end) {
    std::int64_t const end = std::min(bag.segment_items(bag.segment_of(at)).end, items.end);
    window.push_back(costs.work_of({at, end}));
    at = end;
    if (static_cast<int>(window.size()) < model.threads) continue;
    time += std::ranges::max(window) / thread;
    window.clear();
  }
  for (Work const& task : window) time += task / together_of(model);
  return time;
}

Seconds computing_time(WorkerModel const& worker, TrueCosts const& costs, bag::ItemRange items) {
  DeviceModel const& model = *worker.model;
  Work const work = costs.work_of(items);
  if (model.mode == bag::Mode::mth) return time_by_windows(model, costs, items);
  return work / worker.speed();
}

}  // namespace

Speed WorkerModel::speed() const {
  if (model->mode == bag::Mode::mt) return together_of(*model);
  // As fast as it can be: of one task it may be faster together.
  if (model->mode == bag::Mode::mth) return std::max(model->speed, together_of(*model));
  return bag::claims_as_one(model->mode) ? model->speed : model->speed / model->threads;
}

std::vector<WorkerModel> workers_of(MachineModel const& machine) {
  std::vector<WorkerModel> workers;
  int device = 0;
  for (std::size_t image = 0; image < machine.images.size(); ++image) {
    for (DeviceModel const& model : machine.images[image].devices) {
      int const count = bag::claims_as_one(model.mode) ? 1 : model.threads;
      WorkerModel const worker{static_cast<int>(image), device++, &model};
      workers.insert(workers.end(), static_cast<std::size_t>(count), worker);
    }
  }
  return workers;
}

Pace pace_of(WorkerModel const& worker, TrueCosts const& costs, bag::ItemRange items,
             double factor) {
  DeviceModel const& model = *worker.model;
  Seconds const computing = computing_time(worker, costs, items);
  // A launch before each piece; the first one is not hidden behind anything.
  double const launches = std::max(computing / model.piece - 1.0, 0.0);
  Seconds const time = computing + model.launch * launches;
  // At a speed of 0 nothing begins, and an event ends it.
  Seconds const start = (model.claim + model.launch) / (factor > 0.0 ? factor : 1.0);
  // One speed for all of the chunk, however its tasks lie on the threads: so its course needs no
  // event for each window.
  return {.speed = costs.work_of(items) / time * factor,
          .start = start,
          .piece = model.piece,
          .mode = model.mode};
}

}  // namespace makespan::sim
