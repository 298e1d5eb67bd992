// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <list>
#include <utility>
#include <vector>

#include "makespan/apps/calcium/gpu/detail/column_kernel.hpp"
#include "makespan/apps/calcium/gpu/gpu_calcium.hpp"
#include "makespan/cuda/check_gpu.hpp"
#include "makespan/cuda/error.hpp"
#include "makespan/cuda/memory.hpp"
#include "makespan/grid/gpu/cuda_accelerator.hpp"

namespace makespan::calcium {

namespace {

// A slab's tables on the GPU, for the sources that were there when they were made.
struct Uploaded {
  grid::Box box;
  std::int64_t sources_set;
  cuda::Memory memory{cuda::MemorySpace::gpu};
  SlabTables tables{};
};

// Tables by slab, made when a slab is swept for the first time. A GPU has few slabs at once.
class TablesOfSlabs {
 public:
  explicit TablesOfSlabs(CalciumUnit const& unit) : unit_{unit} {}

  SlabTables const& of(grid::Box const& box, cuda::Stream const& stream) {
    auto const known = std::ranges::find(uploaded_, box, &Uploaded::box);
    if (known != uploaded_.end() && known->sources_set == unit_.sources_set()) {
      return known->tables;
    }
    if (known != uploaded_.end()) uploaded_.erase(known);
    if (uploaded_.size() == slabs_max) uploaded_.pop_front();
    try {
      return uploaded_.emplace_back(made(box, stream)).tables;
    } catch (cuda::CudaFailed const&) {
      // Others may be of slabs that are there no longer; those that are make theirs anew.
      if (uploaded_.empty()) throw;
      uploaded_.clear();
    }
    return uploaded_.emplace_back(made(box, stream)).tables;
  }

 private:
  static constexpr std::size_t slabs_max = 8;

  // Known when it is there: one that the GPU has no memory for is made anew by the next sweep.
  Uploaded made(grid::Box const& box, cuda::Stream const& stream) const {
    Uploaded fresh{.box = box, .sources_set = unit_.sources_set()};
    upload(fresh, stream);
    return fresh;
  }

  void upload(Uploaded& slab, cuda::Stream const& stream) const {
    std::vector<Source> sources;
    std::ranges::copy_if(unit_.sources().all(), std::back_inserter(sources),
                         [&](Source const& source) { return slab.box.holds(source.voxel); });
    // Codes, of two bytes each, come last: what is before them stays aligned.
    std::size_t const sources_at = sizeof(Factors);
    std::size_t const codes_at = sources_at + sources.size() * sizeof(Source);
    std::vector<std::byte> bytes(codes_at);
    std::memcpy(bytes.data(), &unit_.factors(), sizeof(Factors));
    if (!sources.empty()) {
      std::memcpy(bytes.data() + sources_at, sources.data(), sources.size() * sizeof(Source));
    }
    std::byte* const there = slab.memory.reserve_exactly(
        codes_at + static_cast<std::size_t>(slab.box.points()) * sizeof(PointCode));
    stream.upload(there, bytes.data(), bytes.size());
    // `bytes` is this function's, and must be there until it has been copied.
    stream.wait();
    slab.tables = {.factors = reinterpret_cast<Factors const*>(there),
                   .has_pumps = unit_.factors().has_pumps,
                   .codes = reinterpret_cast<PointCode const*>(there + codes_at),
                   .sources = reinterpret_cast<Source const*>(there + sources_at),
                   .source_count = static_cast<int>(sources.size())};
    upload_codes(slab, reinterpret_cast<PointCode*>(there + codes_at), stream);
  }

  // When planes have moved most are those of a slab that was there before: to find codes takes the
  // host longer than many steps take the GPU.
  void upload_codes(Uploaded const& slab, PointCode* there, cuda::Stream const& stream) const {
    std::int64_t const plane = slab.box.extent().x * slab.box.extent().y;
    grid::Box common{};
    for (Uploaded const& other : uploaded_) {
      grid::Box const met = grid::intersection(slab.box, other.box);
      bool const is_alike = other.sources_set == slab.sources_set &&
                            met.points() == plane * met.extent().z &&
                            other.box.extent().x * other.box.extent().y == plane;
      if (!is_alike || met.points() <= common.points()) continue;
      common = met;
      stream.copy(there + (met.begin.z - slab.box.begin.z) * plane,
                  other.tables.codes + (met.begin.z - other.box.begin.z) * plane,
                  static_cast<std::size_t>(met.points()) * sizeof(PointCode));
    }
    grid::Box below = slab.box;
    grid::Box above = slab.box;
    below.end.z = common.is_empty() ? below.end.z : common.begin.z;
    above.begin.z = common.is_empty() ? above.end.z : common.end.z;
    for (grid::Box const& part : {below, above}) {
      if (part.is_empty()) continue;
      auto const codes = point_codes(unit_.map(), unit_.factors(), unit_.sources(), part);
      stream.upload(there + (part.begin.z - slab.box.begin.z) * plane, codes.data(),
                    codes.size() * sizeof(PointCode));
      stream.wait();
    }
    stream.wait();
  }

  CalciumUnit const& unit_;
  std::list<Uploaded> uploaded_{};  // the oldest first
};

}  // namespace

std::shared_ptr<grid::Accelerator> gpu_calcium(CalciumUnit const& unit, int gpu) {
  cuda::check_gpu(gpu);
  auto const tables = std::make_shared<TablesOfSlabs>(unit);
  return grid::cuda_accelerator(
      gpu, [tables](grid::Sweep const& sweep, cuda::Stream const& stream) {
        launch_columns(column_job_of(sweep, tables->of(sweep.now[0].box, stream)), stream);
      });
}

}  // namespace makespan::calcium
