// SPDX-License-Identifier: Apache-2.0
#pragma once

// Heaps of other images: by loads and stores where UCX can map them, by messages elsewhere.
//
// Which of the two is decided once for each image, when it is first used. UCX has put and get calls
// of its own, which we do not use. Where there is shared memory, a mapped heap needs none; and over
// TCP a message that is answered is one round trip, UCX's put and flush are two: 13 µs against 24
// µs for 8 bytes, 54 µs against 103 µs for 64 KiB, 0.7 ms against 1.1 ms for 1 MiB (UCX 1.13, two
// network namespaces on one machine); get is as fast by message, and faster from 8 KiB up.
//
// A word is changed by the CPU of its owner in both cases, so that all the ways to it may be mixed.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/pgas/transport/remote_memory.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_endpoints.hpp"

namespace makespan::pgas {

// By image: UcxHeap::pack_key(), empty where the heap cannot be mapped from here.
using UcxHeapKeys = std::vector<std::vector<std::byte>>;

// Under the rules of the link whose endpoints these are; they, the keys and `by_messages` outlive
// it.
class UcxMemory final : public RemoteMemory {
 public:
  UcxMemory(UcxEndpoints& endpoints, UcxHeapKeys const& keys, RemoteMemory& by_messages);

  StartOutcome put(ImageId target, std::uint64_t offset, std::span<std::byte const> data,
                   Completion* done) override;
  StartOutcome put_signal(ImageId target, std::uint64_t offset, std::span<std::byte const> data,
                          SignalRequest const& signal, Completion* done) override;
  StartOutcome get(ImageId target, std::uint64_t offset, std::span<std::byte> destination,
                   Completion& done) override;
  StartOutcome atomic(ImageId target, AtomicRequest const& request, Completion* done) override;
  bool is_flushed(ImageId target) override;
  int poll() override { return by_messages_.poll(); }
  std::int64_t operation_bytes_max() const override { return by_messages_.operation_bytes_max(); }
  void forget(Completion& done) override { by_messages_.forget(done); }
  void abandon(ImageId image) override { by_messages_.abandon(image); }

 private:
  enum class Reach : std::uint8_t { unknown, asking, mapped, by_messages };

  struct Heap {
    std::atomic<Reach> reach{Reach::unknown};
    std::byte* begin{};
  };

  // `unknown` or `asking`: not known yet, come again.
  [[nodiscard]] Reach reach(ImageId target);
  [[nodiscard]] Reach find_out(Heap& heap, std::size_t image);

  UcxEndpoints& endpoints_;
  UcxHeapKeys const& keys_;
  RemoteMemory& by_messages_;
  std::vector<Heap> heaps_;  // by image
};

}  // namespace makespan::pgas
