// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/dispatch/image_roster.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::bag {

int ImageRoster::workers_most() const {
  int most = 0;
  for (int image = 0; image < images(); ++image) most = std::max(most, workers_of(image));
  return most;
}

int ImageRoster::image_of(int worker) const {
  auto const next = std::ranges::upper_bound(first_worker, worker);
  return static_cast<int>(next - first_worker.begin()) - 1;
}

std::vector<Injection> injections_of(ImageRoster const& roster, int image,
                                     std::span<Injection const> injections) {
  int const devices = roster.first_device.back();
  int const first = roster.first_device[static_cast<std::size_t>(image)];
  int const end = roster.first_device[static_cast<std::size_t>(image) + 1];
  std::vector<Injection> own;
  for (Injection injection : injections) {
    if (injection.device >= devices) {
      throw InputError(text_of(injection) + ": device " + std::to_string(injection.device),
                       "all images together have " + std::to_string(devices),
                       "count them from 0, image after image");
    }
    if (injection.device < first || injection.device >= end) continue;
    injection.device -= first;
    own.push_back(injection);
  }
  return own;
}

}  // namespace makespan::bag
