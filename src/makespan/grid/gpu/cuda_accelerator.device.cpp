// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/gpu/cuda_accelerator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/cuda/error.hpp"
#include "makespan/cuda/gpu.hpp"
#include "makespan/cuda/memory.hpp"
#include "makespan/cuda/peer_memory.hpp"
#include "makespan/cuda/shared_memory.hpp"
#include "makespan/cuda/stopwatch.hpp"
#include "makespan/grid/gpu/detail/field_kernels.hpp"

namespace makespan::grid {

namespace {

// Bytes/s, about, that a core has of its node's memory when all cores work.
constexpr double core_memory_rate = 8e9;

// One of the two queues, and the time of its sweeps.
struct Queue {
  explicit Queue(cuda::Stream::Rank rank) : stream{rank} {}

  cuda::Stream stream;
  cuda::Stopwatch watch{};
  bool has_swept{false};  // since the last look at the watch
};

// What fields have, and may outlive the accelerator that gave it.
struct FieldBlocks {
  struct Block {
    cuda::SharedMemory memory;
    std::size_t bytes;
  };
  std::vector<Block> all{};

  void drop(double const* data) {
    std::erase_if(all, [data](Block const& block) {
      return static_cast<void const*>(block.memory.get()) == data;
    });
  }
};

// What a BufferKey holds.
struct CudaBuffer {
  std::uint64_t process{};
  double* data{};  // there
  std::int32_t gpu{};
  std::int32_t has_handle{};
  cuda::MemoryHandle handle{};
};
static_assert(sizeof(CudaBuffer) <= sizeof(BufferKey));

// Another number in each process, also in those of other containers.
std::uint64_t this_process() {
  static std::uint64_t const number = [] {
    std::random_device source;
    return std::uint64_t{source()} << 32U | source() | 1U;
  }();
  return number;
}

class CudaAccelerator final : public Accelerator {
 public:
  CudaAccelerator(int gpu, LaunchSweep launch) : gpu_{gpu}, launch_{std::move(launch)} {}

  [[nodiscard]] double cores_worth() const override {
    return about().memory_rate / core_memory_rate;
  }
  [[nodiscard]] std::int64_t memory_bytes() const override { return about().memory_bytes; }

  [[nodiscard]] FieldMemory memory(std::int64_t doubles) override {
    cuda::use_gpu(gpu_);
    std::size_t const bytes = static_cast<std::size_t>(doubles) * sizeof(double);
    if (bytes == 0) return {};
    blocks_->all.push_back({shared_memory(bytes), bytes});
    auto* const data = reinterpret_cast<double*>(blocks_->all.back().memory.get());
    return {data, doubles, [blocks = blocks_](double* mine) { blocks->drop(mine); }};
  }

  void begin() override {
    cuda::use_gpu(gpu_);
    // What the host has looked at since is on its side: it travels in one go, before the first step
    // (docs/decisions/0074).
    for (FieldBlocks::Block const& block : blocks_->all) {
      cuda::bring_to_gpu(block.memory.get(), block.bytes, gpu_, boundary_.stream);
    }
    // Nothing orders the other queue behind this one: both begin with all of it there.
    boundary_.stream.wait();
  }

  void sweep(Sweep const& sweep, SweepQueue queue) override {
    Queue& at = queue == SweepQueue::boundary ? boundary_ : interior_;
    // From the first sweep since the last look to the end of the last one.
    if (!std::exchange(at.has_swept, true)) at.watch.start(at.stream);
    launch_(sweep, at.stream);
    at.watch.stop(at.stream);
  }

  void pack(std::span<FieldView const> views, Box const& box, double* to, HaloSide side) override {
    auto const count = static_cast<std::size_t>(box.points());
    std::size_t const bytes = views.size() * count * sizeof(double);
    bool const is_by_host = side == HaloSide::host;
    auto* const packed = is_by_host ? reinterpret_cast<double*>(out_.reserve(bytes)) : to;
    for (std::size_t field = 0; field < views.size(); ++field) {
      launch_pack(views[field], box, packed + field * count, boundary_.stream);
    }
    // For this queue alone: the interior goes on in the other one.
    while (!boundary_.stream.is_done()) {  // microseconds: no time to fall asleep
    }
    if (is_by_host) std::memcpy(to, packed, bytes);
  }

  void unpack(double const* from, std::span<FieldView const> views, Box const& box,
              HaloSide side) override {
    auto const count = static_cast<std::size_t>(box.points());
    double const* packed = from;
    if (side == HaloSide::host) {
      std::size_t const bytes = views.size() * count * sizeof(double);
      auto* const pinned = reinterpret_cast<double*>(pinned_room().reserve(bytes));
      std::memcpy(pinned, from, bytes);
      packed = pinned;
    }
    for (std::size_t field = 0; field < views.size(); ++field) {
      launch_unpack(packed + field * count, views[field], box, boundary_.stream);
    }
  }

  [[nodiscard]] FieldMemory halo_buffer(std::int64_t doubles) override {
    auto memory = std::make_shared<cuda::Memory>(cuda::MemorySpace::gpu);
    double* data = nullptr;
    try {
      cuda::use_gpu(gpu_);
      data = reinterpret_cast<double*>(
          memory->reserve(static_cast<std::size_t>(doubles) * sizeof(double)));
    } catch (cuda::CudaFailed const&) {
      return {};  // halos go by the host
    }
    return {data, doubles, [memory](double*) mutable { memory.reset(); }};
  }

  [[nodiscard]] BufferKey key_of(FieldMemory const& buffer) override {
    cuda::use_gpu(gpu_);
    auto const handle = cuda::handle_of(reinterpret_cast<std::byte*>(buffer.data()));
    BufferKey key;
    CudaBuffer const named{.process = this_process(),
                           .data = buffer.data(),
                           .gpu = gpu_,
                           .has_handle = handle.has_value() ? 1 : 0,
                           .handle = handle.value_or(cuda::MemoryHandle{})};
    std::memcpy(key.bytes.data(), &named, sizeof named);
    return key;
  }

  [[nodiscard]] FieldMemory open_buffer(BufferKey const& key) override {
    CudaBuffer named{};
    std::memcpy(&named, key.bytes.data(), sizeof named);
    if (named.process == this_process()) {
      // A count of 1, here and below, says that there is a buffer: how long it is, its owner knows.
      if (!cuda::reaches(gpu_, named.gpu)) return {};
      return {named.data, 1, [](double*) {}};
    }
    if (named.has_handle == 0) return {};
    cuda::use_gpu(gpu_);
    auto opened = std::make_shared<cuda::OpenedMemory>(cuda::open_memory(named.handle));
    if (*opened == nullptr) return {};
    auto* const data = reinterpret_cast<double*>(opened->get());
    // It is closed where it was opened: among several GPUs another may be the thread's by then.
    return {data, 1, [opened, gpu = gpu_](double*) mutable {
              try {
                cuda::use_gpu(gpu);
              } catch (cuda::CudaFailed const&) {  // then nothing of it is left
              }
              opened.reset();
            }};
  }

  [[nodiscard]] bool is_done() override {
    if (!boundary_.stream.is_done() || !interior_.stream.is_done()) return false;
    rooms_used_ = 0;
    return true;
  }

  [[nodiscard]] Seconds take_busy() override {
    Seconds busy{0.0};
    for (Queue* const queue : {&boundary_, &interior_}) {
      // Both begin with the step, and run side by side: the longer has the other in it.
      if (std::exchange(queue->has_swept, false)) busy = std::max(busy, queue->watch.time());
    }
    return busy;
  }

 private:
  [[nodiscard]] cuda::Gpu const& about() const {
    return cuda::discover().gpus[static_cast<std::size_t>(gpu_)];
  }

  static cuda::SharedMemory shared_memory(std::size_t bytes) {
    try {
      return cuda::allocate_shared(bytes);
    } catch (cuda::CudaFailed const& error) {
      throw InputError("a field on a GPU", error.what(), "take fewer points, or more devices");
    }
  }

  // Pinned, for one message that comes; until all is done.
  cuda::Memory& pinned_room() {
    if (rooms_used_ == rooms_.size()) rooms_.emplace_back(cuda::MemorySpace::pinned);
    return rooms_[rooms_used_++];
  }

  // Makes the GPU this thread's before anything is made on it.
  struct Here {
    explicit Here(int gpu) { cuda::use_gpu(gpu); }
  };

  int gpu_;
  LaunchSweep launch_;
  Here here_{gpu_};
  Queue boundary_{cuda::Stream::Rank::urgent};
  Queue interior_{cuda::Stream::Rank::usual};
  std::shared_ptr<FieldBlocks> blocks_{std::make_shared<FieldBlocks>()};
  cuda::Memory out_{cuda::MemorySpace::pinned};
  std::vector<cuda::Memory> rooms_{};
  std::size_t rooms_used_{0};
};

}  // namespace

std::shared_ptr<Accelerator> cuda_accelerator(int gpu, LaunchSweep launch) {
  return std::make_shared<CudaAccelerator>(gpu, std::move(launch));
}

}  // namespace makespan::grid
