// SPDX-License-Identifier: Apache-2.0
// Launches on GPUs by CUDA: one upload, two kernels and one download each, on the launch's stream.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "makespan/apps/asian/gpu/block_device.hpp"
#include "makespan/apps/asian/gpu/detail/block_kernels.hpp"
#include "makespan/apps/asian/gpu/detail/scratch_blocks.hpp"
#include "makespan/apps/asian/path/sobol.hpp"
#include "makespan/bag/device_failed.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/cuda/error.hpp"
#include "makespan/cuda/gpu.hpp"
#include "makespan/cuda/memory.hpp"
#include "makespan/cuda/stream.hpp"

namespace makespan::asian {

namespace {

// Instructions that a path-step takes, about (docs/explanation/gpus.md): what a GPU is taken to do
// until it has shown what it does.
constexpr double slots_per_step = 30;

// Blocks of threads at once on a multiprocessor, for prices.
constexpr int blocks_for_prices = 4;

// The parts of an upload, one behind the other.
struct Upload {
  std::size_t options{0};
  std::size_t items;
  std::size_t nodes;
  std::size_t taken;
  std::size_t tables;
  std::size_t end;

  explicit Upload(BlockLaunch const& launch)
      : items{after(options, launch.options() * sizeof(BlockOption))},
        nodes{after(items, launch.items().size_bytes())},
        taken{after(nodes, launch.nodes().size_bytes())},
        tables{after(taken, sizeof(int))},
        end{after(tables, launch.tables().size())} {}

 private:
  static std::size_t after(std::size_t begin, std::size_t bytes) {
    constexpr std::size_t alignment = BlockLaunch::table_alignment;
    return (begin + bytes + alignment - 1) / alignment * alignment;
  }
};

// Direction numbers on the GPU, and where each bit's begin.
class DeviceDirections {
 public:
  explicit DeviceDirections(cuda::Stream const& stream) {
    auto const directions = sobol_directions();
    std::size_t const row = std::size_t{sobol_dimensions} * sizeof(std::uint32_t);
    std::size_t const rows = directions.size() * row;
    std::byte* const base = memory_.reserve(rows + directions.size() * sizeof(std::uint32_t*));
    std::vector<std::uint32_t const*> bits;
    for (std::size_t bit = 0; bit < directions.size(); ++bit) {
      std::byte* const at = base + bit * row;
      stream.upload(at, directions[bit], row);
      bits.push_back(reinterpret_cast<std::uint32_t const*>(at));
    }
    stream.upload(base + rows, static_cast<void const*>(bits.data()),
                  bits.size() * sizeof(std::uint32_t*));
    // `bits` is this function's, and must be there until it has been copied.
    stream.wait();
    bits_ = {reinterpret_cast<std::uint32_t const* const*>(base + rows), directions.size()};
  }

  [[nodiscard]] std::span<std::uint32_t const* const> bits() const { return bits_; }

 private:
  cuda::Memory memory_{cuda::MemorySpace::gpu};
  std::span<std::uint32_t const* const> bits_;
};

// What a thread needs on its GPU.
class Workplace {
 public:
  explicit Workplace(cuda::Gpu const& gpu) : gpu_{gpu} {}

  // `threads` share the GPU.
  void run(BlockLaunch const& launch, int threads, std::span<double> moments) {
    BlockArguments arguments = upload(launch);
    auto const per_block = static_cast<std::size_t>(launch.moments());
    std::size_t const block_bytes = launch.items().size() * per_block * sizeof(double);
    std::byte* const results = results_.reserve(block_bytes + moments.size_bytes());
    auto* const sums = reinterpret_cast<double*>(results + block_bytes);
    arguments.moments = reinterpret_cast<double*>(results);
    auto blocks = std::min(launch.items().size(), blocks_at_once(launch.kind()));
    if (!launch.scratch().is_empty()) {
      std::size_t const each = scratch_bytes(launch.kind().precision, launch.scratch());
      blocks = scratch_blocks(static_cast<std::size_t>(gpu_.memory_bytes), threads, each, blocks);
      std::size_t const wanted = std::clamp<std::size_t>(scratch_bytes_max_ / each, 1, blocks);
      // No more than the share: it is a large part of the memory.
      blocks = reserved_blocks(wanted, [&](std::size_t count) {
        arguments.scratch = scratch_.reserve_exactly(count * each);
      });
      // To ask for more in each launch would free what there is each time.
      if (blocks < wanted) scratch_bytes_max_ = blocks * each;
    }
    // All in one stream, so that each waits for the one before; the host waits once, at the end.
    launch_blocks(launch.kind(), arguments, static_cast<int>(blocks), stream_);
    launch_nodes(nodes_, static_cast<int>(launch.nodes().size()), launch.moments(),
                 arguments.moments, sums, stream_);
    std::byte* const pinned = download_.reserve(moments.size_bytes());
    stream_.download(pinned, sums, moments.size_bytes());
    stream_.wait();
    std::memcpy(moments.data(), pinned, moments.size_bytes());
  }

  // Gives back what is large.
  void drop_scratch() {
    scratch_ = cuda::Memory(cuda::MemorySpace::gpu);
    scratch_bytes_max_ = std::numeric_limits<std::size_t>::max();
  }

 private:
  BlockArguments upload(BlockLaunch const& launch) {
    if (launch.uses_sobol() && !directions_) directions_.emplace(stream_);
    Upload const at(launch);
    std::byte* const there = job_.reserve(at.end);
    std::byte* const here = upload_.reserve(at.end);
    // The spans of these copies are addresses of the GPU, which nothing on the host may follow.
    launch.place_options(
        there + at.tables,
        directions_ ? directions_->bits() : std::span<std::uint32_t const* const>{},
        {reinterpret_cast<BlockOption*>(here + at.options), launch.options()});
    std::memcpy(here + at.items, launch.items().data(), launch.items().size_bytes());
    std::memcpy(here + at.nodes, launch.nodes().data(), launch.nodes().size_bytes());
    // The counter by which blocks of threads take items.
    std::memset(here + at.taken, 0, sizeof(int));
    if (!launch.tables().empty())
      std::memcpy(here + at.tables, launch.tables().data(), launch.tables().size());
    stream_.upload(there, here, at.end);
    nodes_ = reinterpret_cast<BlockNode const*>(there + at.nodes);
    return {.options = reinterpret_cast<BlockOption const*>(there + at.options),
            .items = reinterpret_cast<BlockItem const*>(there + at.items),
            .count = static_cast<int>(launch.items().size()),
            .taken = reinterpret_cast<int*>(there + at.taken),
            .scratch = nullptr,
            .shape = launch.scratch(),
            .moments = nullptr};
  }

  std::size_t blocks_at_once(BlockKind kind) {
    auto known = std::ranges::find(resident_, kind, &Resident::kind);
    if (known == resident_.end()) {
      known = resident_.insert(known, {kind, blocks_per_multiprocessor(kind)});
    }
    MAKESPAN_ENSURE(known->blocks > 0);
    return static_cast<std::size_t>(known->blocks) * static_cast<std::size_t>(gpu_.multiprocessors);
  }

  struct Resident {
    BlockKind kind;
    int blocks;  // on a multiprocessor
  };

  cuda::Gpu const& gpu_;
  cuda::Stream stream_;
  cuda::Memory upload_{cuda::MemorySpace::pinned};
  cuda::Memory download_{cuda::MemorySpace::pinned};
  cuda::Memory job_{cuda::MemorySpace::gpu};      // what was uploaded
  cuda::Memory scratch_{cuda::MemorySpace::gpu};  // of Sobol points and of models
  std::size_t scratch_bytes_max_{std::numeric_limits<std::size_t>::max()};  // that was granted
  cuda::Memory results_{cuda::MemorySpace::gpu};
  std::optional<DeviceDirections> directions_;
  BlockNode const* nodes_{};  // on the GPU, of the launch at hand
  std::vector<Resident> resident_;
};

// Unused workplaces of one GPU, without work space: pinned memory takes milliseconds to get.
// Callable from any thread.
class FreeWorkplaces {
 public:
  std::unique_ptr<Workplace> take() {
    std::scoped_lock const lock(mutex_);
    if (free_.empty()) return nullptr;
    auto last = std::move(free_.back());
    free_.pop_back();
    return last;
  }

  void keep(std::unique_ptr<Workplace> workplace) {
    workplace->drop_scratch();
    std::scoped_lock const lock(mutex_);
    free_.push_back(std::move(workplace));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workplace>> free_;
};

class CudaBlockDevice final : public BlockDevice {
 public:
  CudaBlockDevice(int gpu, int threads, FreeWorkplaces& free)
      : gpu_{gpu}, threads_{threads}, free_{free} {}
  CudaBlockDevice(CudaBlockDevice const&) = delete;
  CudaBlockDevice& operator=(CudaBlockDevice const&) = delete;
  ~CudaBlockDevice() override {
    // What has failed is not handed on to another run.
    if (workplace_ && !has_failed_) free_.keep(std::move(workplace_));
  }

  void run(BlockLaunch const& launch, std::span<double> moments) override {
    MAKESPAN_EXPECT(moments.size() ==
                    launch.nodes().size() * static_cast<std::size_t>(launch.moments()));
    try {
      // The runtime keeps the GPU by thread, and the caller's may have been another one.
      cuda::use_gpu(gpu_);
      if (!workplace_) workplace_ = free_.take();
      if (!workplace_) {
        cuda::Gpu const& gpu = cuda::discover().gpus[static_cast<std::size_t>(gpu_)];
        workplace_ = std::make_unique<Workplace>(gpu);
      }
      workplace_->run(launch, threads_, moments);
    } catch (cuda::CudaFailed const& error) {
      has_failed_ = true;
      throw bag::DeviceFailed("cuda:" + std::to_string(gpu_) + ": " + error.what());
    }
  }

 private:
  int gpu_;
  int threads_;
  FreeWorkplaces& free_;
  std::unique_ptr<Workplace> workplace_;
  bool has_failed_{};
};

class CudaGpus final : public BlockGpus {
 public:
  CudaGpus() {
    for (cuda::Gpu const& gpu : cuda::discover().gpus) {
      double const speed = gpu.lanes * gpu.clock_hz / slots_per_step;
      list_.push_back({.name = gpu.name,
                       .blocks_at_once = blocks_for_prices * gpu.multiprocessors,
                       .nominal_speed = Speed{speed}});
      free_.push_back(std::make_unique<FreeWorkplaces>());
    }
  }

  [[nodiscard]] std::vector<BlockGpu> const& list() const override { return list_; }
  [[nodiscard]] std::string why_none() const override { return cuda::discover().why_none; }
  [[nodiscard]] std::unique_ptr<BlockDevice> open(int gpu, int threads) const override {
    MAKESPAN_EXPECT(threads > 0);
    return std::make_unique<CudaBlockDevice>(gpu, threads, *free_[static_cast<std::size_t>(gpu)]);
  }

 private:
  std::vector<BlockGpu> list_;
  std::vector<std::unique_ptr<FreeWorkplaces>> free_;  // by GPU
};

// Looks for GPUs when they are asked for, not before. What it has found stays until the process
// is gone: by the end of main() the CUDA runtime may be, too.
class GpusWhenAsked final : public BlockGpus {
 public:
  [[nodiscard]] std::vector<BlockGpu> const& list() const override { return gpus().list(); }
  [[nodiscard]] std::string why_none() const override { return gpus().why_none(); }
  [[nodiscard]] std::unique_ptr<BlockDevice> open(int gpu, int threads) const override {
    return gpus().open(gpu, threads);
  }

 private:
  static CudaGpus const& gpus() {
    static CudaGpus const* const found = new CudaGpus;
    return *found;
  }
};

}  // namespace

BlockGpus const& cuda_gpus() {
  static GpusWhenAsked const gpus;
  return gpus;
}

}  // namespace makespan::asian
