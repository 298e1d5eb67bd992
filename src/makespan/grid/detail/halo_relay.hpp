// SPDX-License-Identifier: Apache-2.0
#pragma once

// Halos that travel by the hosts of both images: from the device's memory to its host's, from there
// to the other host's, and on into the memory of the device that waits. What offloading through a
// host does; two copies and a thread more than the direct way, with which it is compared.

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "makespan/grid/cut/exchange_plan.hpp"
#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/memory/symmetric_array.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::grid {

// A message between images, as its host carries it.
struct HaloTransfer {
  int from_image{};
  int to_image{};
  std::int64_t offset{};  // in the receiving image's memory of one exchange, in doubles
  std::int64_t doubles{};
  std::uint64_t pieces{};    // that the receiving slab counts
  std::int64_t slab_word{};  // its first word, among the image's; one for each exchange kept
};

// Of one image; it has a thread while a stretch runs. Tested through
// tests/apps/diffusion/diffusion_grid_test.cpp.
class HaloRelay {
 public:
  // Where slabs wait for halos.
  struct Destination {
    pgas::SymmetricArray<double> memory{};
    std::int64_t exchange_doubles{};  // of one exchange
    pgas::SymmetricArray<std::uint64_t> words{};
  };

  // Collective. All messages between images, in an order that all images have.
  HaloRelay(pgas::Runtime& runtime, std::vector<HaloTransfer> messages,
            Destination const& destination);
  // Collective.
  void close_all();

  // From any thread of this image: where to pack message `index` of an exchange, and that it is
  // packed.
  [[nodiscard]] std::span<double> room(std::size_t index, std::int64_t exchange);
  void post(std::size_t index, std::int64_t exchange);

  // In the host's thread: forwards and delivers messages of exchanges [begin, end), and blocks
  // until that is done, or stop() was called. Drives progress.
  void run(std::int64_t begin, std::int64_t end, pgas::Endpoint& here);
  // From any thread. Before the next run().
  void stop() { is_stopped_ = true; }

 private:
  struct Posted {
    std::size_t index{};
    std::int64_t exchange{};
  };

  [[nodiscard]] std::optional<Posted> take();
  void forward(Posted const& posted, pgas::Endpoint& here);
  void carry(std::int64_t begin, std::int64_t end, pgas::Endpoint& here);
  // Lets go of puts that are under way.
  void leave();
  // Whether the next exchange of message `index` was here.
  bool deliver(std::size_t index, pgas::Endpoint& here);

  pgas::Runtime& runtime_;
  std::vector<HaloTransfer> messages_;
  Destination destination_;
  pgas::SymmetricArray<double> inbox_{};
  pgas::SymmetricArray<std::uint64_t> words_{};  // pieces that have come, by message and exchange
  // By message and exchange kept; puts from them may last longer than this object.
  using Rooms = std::vector<std::vector<double>>;
  std::shared_ptr<Rooms> rooms_;
  std::vector<std::int64_t> delivered_{};  // exchanges, by message
  std::vector<pgas::Future<void>> futures_{};
  std::atomic<bool> is_stopped_{false};
  std::mutex mutex_{};  // of posted_
  std::deque<Posted> posted_{};
};

}  // namespace makespan::grid
