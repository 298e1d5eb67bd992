// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who works on a bag of several images: the workers of all, numbered through.

#include <cstddef>
#include <span>
#include <vector>

#include "makespan/bag/injection.hpp"
#include "makespan/bag/protocol/mode.hpp"

namespace makespan::bag {

// The same on all images.
struct ImageRoster {
  std::vector<int> first_worker;  // by image, and then the number of all
  std::vector<int> first_device;  // likewise
  std::vector<int> first_thread;  // likewise
  std::vector<Mode> modes;        // by worker

  [[nodiscard]] int images() const { return static_cast<int>(first_worker.size()) - 1; }
  [[nodiscard]] int workers() const { return first_worker.back(); }
  [[nodiscard]] int threads() const { return first_thread.back(); }
  [[nodiscard]] int workers_of(int image) const {
    auto const at = static_cast<std::size_t>(image);
    return first_worker[at + 1] - first_worker[at];
  }
  [[nodiscard]] int devices_of(int image) const {
    auto const at = static_cast<std::size_t>(image);
    return first_device[at + 1] - first_device[at];
  }
  [[nodiscard]] int threads_of(int image) const {
    auto const at = static_cast<std::size_t>(image);
    return first_thread[at + 1] - first_thread[at];
  }
  // Of an image's thread among all threads.
  [[nodiscard]] std::size_t place_of(int image, int thread) const {
    int const place = first_thread[static_cast<std::size_t>(image)] + thread;
    return static_cast<std::size_t>(place);
  }
  [[nodiscard]] int workers_most() const;
  [[nodiscard]] int image_of(int worker) const;
};

// Of injections whose devices count through all images, those for this one, whose devices count
// from 0. Throws InputError on a device that no image has.
[[nodiscard]] std::vector<Injection> injections_of(ImageRoster const& roster, int image,
                                                   std::span<Injection const> injections);

}  // namespace makespan::bag
