// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/gpu/cuda_accelerator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/cuda/error.hpp"
#include "makespan/cuda/gpu.hpp"
#include "makespan/cuda/memory.hpp"
#include "makespan/cuda/peer_memory.hpp"
#include "makespan/cuda/pinned_host.hpp"
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

// Memory of the host that kernels reach, with what keeps it so.
struct Reached {
  std::span<double> memory;
  std::weak_ptr<void> token;
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

// Number `place` along x, then y, then z.
Point point_of(std::int64_t place, Point const& extent) {
  std::int64_t const row = place / extent.x;
  return {place % extent.x, row % extent.y, row / extent.y};
}

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
    return cuda::likely_memory_rate(about()) / core_memory_rate;
  }
  [[nodiscard]] std::int64_t memory_bytes() const override { return about().memory_bytes; }

  [[nodiscard]] FieldMemory memory(std::int64_t doubles) override {
    if (doubles == 0) return {};
    cuda::use_gpu(gpu_);
    auto memory = std::make_shared<cuda::Memory>(cuda::MemorySpace::gpu);
    std::size_t const bytes = static_cast<std::size_t>(doubles) * sizeof(double);
    try {
      memory->reserve_exactly(bytes);
    } catch (cuda::CudaFailed const& error) {
      throw InputError("a field on a GPU", error.what(), "take fewer points, or more devices");
    }
    boundary_.stream.clear(memory->data(), bytes);
    boundary_.stream.wait();
    return {reinterpret_cast<double*>(memory->data()), doubles,
            [memory](double*) mutable { memory.reset(); }};
  }

  void copy(std::span<FieldView const> from, std::span<FieldView const> to,
            Box const& box) override {
    cuda::use_gpu(gpu_);
    for (std::size_t field = 0; field < from.size(); ++field) {
      launch_copy(from[field], to[field], box, boundary_.stream);
    }
  }

  [[nodiscard]] std::optional<BadValue> find_bad_value(std::span<FieldView const> views) override {
    constexpr auto none = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t field = 0; field < views.size(); ++field) {
      std::uint64_t const found = told(none, [&](std::uint64_t* place) {
        launch_find_bad(views[field], place, boundary_.stream);
      });
      if (found == none) continue;
      Point const at = views[field].box.begin +
                       point_of(static_cast<std::int64_t>(found), views[field].box.extent());
      double value = 0;
      pack(views.subspan(field, 1), {at, at + Point{1, 1, 1}}, &value, HaloSide::host);
      return BadValue{.field = static_cast<int>(field), .at = at, .value = value};
    }
    return std::nullopt;
  }

  void add_digests(std::span<FieldView const> views, Box const& domain,
                   std::span<Digest> planes) override {
    cuda::use_gpu(gpu_);
    std::int64_t const all = domain.extent().z;
    for (std::size_t field = 0; field < views.size(); ++field) {
      FieldView const& view = views[field];
      std::vector<Digest> sums(static_cast<std::size_t>(view.box.extent().z));
      std::size_t const bytes = sums.size() * sizeof(Digest);
      auto* const there = reinterpret_cast<std::uint64_t*>(told_.reserve(bytes));
      boundary_.stream.clear(there, bytes);
      launch_digests(view, domain, there, boundary_.stream);
      boundary_.stream.download(sums.data(), there, bytes);
      boundary_.stream.wait();
      std::int64_t at = static_cast<std::int64_t>(field) * all + view.box.begin.z - domain.begin.z;
      for (Digest const& sum : sums) planes[static_cast<std::size_t>(at++)] += sum;
    }
  }

  [[nodiscard]] ValueRange range_of(FieldView const& view) override {
    return told(ValueRange{},
                [&](ValueRange* range) { launch_range(view, range, boundary_.stream); });
  }

  [[nodiscard]] FixedSum sum_of(FieldView const& view, int scale) override {
    return told(FixedSum{}, [&](FixedSum* sum) { launch_sum(view, scale, sum, boundary_.stream); });
  }

  void sweep(Sweep const& sweep, SweepQueue queue) override {
    cuda::use_gpu(gpu_);
    Queue& at = queue == SweepQueue::boundary ? boundary_ : interior_;
    // From the first sweep since the last look to the end of the last one.
    if (!std::exchange(at.has_swept, true)) at.watch.start(at.stream);
    launch_(sweep, at.stream);
    at.watch.stop(at.stream);
  }

  void pack(std::span<FieldView const> views, Box const& box, double* to, HaloSide side) override {
    cuda::use_gpu(gpu_);
    auto const count = static_cast<std::size_t>(box.points());
    std::size_t const bytes = views.size() * count * sizeof(double);
    bool const is_copied = side == HaloSide::host && !is_reached(to, views.size() * count);
    auto* const packed = is_copied ? reinterpret_cast<double*>(out_.reserve(bytes)) : to;
    for (std::size_t field = 0; field < views.size(); ++field) {
      launch_pack(views[field], box, packed + field * count, boundary_.stream);
    }
    // For this queue alone: the interior goes on in the other one.
    while (!boundary_.stream.is_done()) {  // microseconds: no time to fall asleep
    }
    if (is_copied) std::memcpy(to, packed, bytes);
  }

  void unpack(double const* from, std::span<FieldView const> views, Box const& box,
              HaloSide side) override {
    cuda::use_gpu(gpu_);
    auto const count = static_cast<std::size_t>(box.points());
    double const* packed = from;
    if (side == HaloSide::host && !is_reached(from, views.size() * count)) {
      std::size_t const bytes = views.size() * count * sizeof(double);
      auto* const room = reinterpret_cast<double*>(pinned_room().reserve(bytes));
      std::memcpy(room, from, bytes);
      packed = room;
    }
    for (std::size_t field = 0; field < views.size(); ++field) {
      launch_unpack(packed + field * count, views[field], box, boundary_.stream);
    }
  }

  [[nodiscard]] std::shared_ptr<void> reach(std::span<double> memory) override {
    try {
      cuda::use_gpu(gpu_);
    } catch (cuda::CudaFailed const&) {
      return {};  // what fails next says it, on all images
    }
    auto token = cuda::pinned(std::as_writable_bytes(memory));
    std::erase_if(reached_, [](Reached const& each) { return each.token.expired(); });
    if (token) reached_.push_back({memory, token});
    return token;
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
      if (!cuda::enable_peer_access(gpu_, named.gpu)) return {};
      return {named.data, 1, [](double*) {}};
    }
    if (named.has_handle == 0) return {};
    cuda::use_gpu(gpu_);
    auto opened = std::make_shared<cuda::OpenedMemory>(cuda::open_memory(named.handle));
    if (*opened == nullptr) return {};
    auto* const data = reinterpret_cast<double*>(opened->get());
    // It is closed where it was opened: among several GPUs another may be the thread's by then.
    return {data, 1, [opened, gpu = gpu_](double*) mutable {
              auto const closed_at_the_end = std::move(opened);
              try {
                cuda::use_gpu(gpu);
              } catch (cuda::CudaFailed const&) {
                return;  // nothing of the GPU is left
              }
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

  // What kernels made of it.
  template <class Told, class Launch>
  [[nodiscard]] Told told(Told value, Launch const& launch) {
    cuda::use_gpu(gpu_);
    auto* const there = reinterpret_cast<Told*>(told_.reserve(sizeof(Told)));
    boundary_.stream.upload(there, &value, sizeof value);
    launch(there);
    boundary_.stream.download(&value, there, sizeof value);
    boundary_.stream.wait();
    return value;
  }

  [[nodiscard]] bool is_reached(double const* first, std::size_t count) const {
    return std::ranges::any_of(reached_, [&](Reached const& each) {
      double const* const begin = each.memory.data();
      return first >= begin && first + count <= begin + each.memory.size() && !each.token.expired();
    });
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
  std::vector<Reached> reached_{};
  cuda::Memory told_{cuda::MemorySpace::gpu};  // what kernels tell the host
  cuda::Memory out_{cuda::MemorySpace::pinned};
  std::vector<cuda::Memory> rooms_{};
  std::size_t rooms_used_{0};
};

}  // namespace

std::shared_ptr<Accelerator> cuda_accelerator(int gpu, LaunchSweep launch) {
  return std::make_shared<CudaAccelerator>(gpu, std::move(launch));
}

}  // namespace makespan::grid
