// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/model/ideal_time.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "makespan/sim/model/worker_model.hpp"

namespace makespan::sim {

Seconds ideal_time(MachineModel const& machine, Work work) {
  std::vector<SpeedChange> changes = machine.changes;
  std::vector<int> first_device{0};
  for (ImageModel const& image : machine.images) {
    first_device.push_back(first_device.back() + static_cast<int>(image.devices.size()));
  }
  // To the ideal a lost image is one whose devices have no speed from then on, whatever changes.
  for (ImageLoss const& loss : machine.losses) {
    auto const image = static_cast<std::size_t>(loss.image);
    for (int device = first_device[image]; device < first_device[image + 1]; ++device) {
      std::erase_if(changes, [&](SpeedChange const& change) {
        return change.device == device && change.at >= loss.at;
      });
      changes.push_back({device, loss.at, 0.0});
    }
  }
  // Of changes at one time the last one given counts; a device that has failed comes back by none.
  std::ranges::stable_sort(changes, {}, &SpeedChange::at);
  std::vector<bool> has_failed(static_cast<std::size_t>(first_device.back()));
  std::vector<Speed> speeds(static_cast<std::size_t>(first_device.back()));
  for (WorkerModel const& worker : workers_of(machine)) {
    speeds[static_cast<std::size_t>(worker.device)] += worker.speed();
  }
  std::vector<Speed> const nominal = speeds;
  Work left = work;
  Seconds now{};
  for (SpeedChange const& change : changes) {
    Speed const together = std::accumulate(speeds.begin(), speeds.end(), Speed{});
    if (together * (change.at - now) >= left) break;
    left -= together * (change.at - now);
    now = change.at;
    auto const device = static_cast<std::size_t>(change.device);
    if (has_failed[device]) continue;
    speeds[device] = nominal[device] * change.factor;
    has_failed[device] = change.factor == 0.0;
  }
  Speed const together = std::accumulate(speeds.begin(), speeds.end(), Speed{});
  return now + left / together;
}

}  // namespace makespan::sim
