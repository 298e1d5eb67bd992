// SPDX-License-Identifier: Apache-2.0
// Goal: what a GPU packs and unpacks is what the host does. Method: boxes of all shapes on a GPU;
// skipped without one.
#include "makespan/grid/gpu/detail/field_kernels.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "makespan/cuda/gpu.hpp"
#include "makespan/cuda/shared_memory.hpp"
#include "makespan/grid/detail/slab.hpp"
#include "makespan/grid/field/slab_fields.hpp"

namespace makespan::grid {
namespace {

// Where host and GPU reach them.
SlabFields shared_fields(Box const& box) {
  SlabFields fields(
      {.box = box, .halo_width = 1, .roles = {FieldRole::spreads}, .values = {FaceValues{}}},
      [](std::int64_t doubles) {
        auto memory = cuda::allocate_shared(static_cast<std::size_t>(doubles) * 8);
        auto* const data = reinterpret_cast<double*>(memory.release());
        return FieldMemory(data, doubles, [](double* mine) {
          cuda::ReleaseShared{}(reinterpret_cast<std::byte*>(mine));
        });
      });
  fields.clear(fields.first_plane(), fields.last_plane());
  return fields;
}

TEST(FieldKernels, copy_what_the_host_does) {
  if (cuda::discover().gpus.empty()) GTEST_SKIP() << cuda::discover().why_none;
  cuda::use_gpu(0);
  Box const slab{{5, 6, 7}, {50, 40, 30}};
  SlabFields fields = shared_fields(slab);
  FieldView const& view = fields.now()[0];
  double next = 1;
  for (std::int64_t z = 0; z < 23; ++z) {
    for (std::int64_t y = 0; y < 34; ++y) {
      for (std::int64_t x = 0; x < 45; ++x) view.at(y, z)[x] = next++;
    }
  }
  cuda::Stream const stream;
  for (Box const& box : {slab, Box{{5, 6, 7}, {6, 40, 30}}, Box{{5, 39, 7}, {50, 40, 30}},
                         Box{{5, 6, 29}, {50, 40, 30}}, Box{{17, 20, 9}, {18, 21, 10}}}) {
    auto const count = static_cast<std::size_t>(box.points());
    cuda::SharedMemory const room = cuda::allocate_shared(count * sizeof(double));
    auto* const packed = reinterpret_cast<double*>(room.get());
    launch_pack(view, box, packed, stream);
    stream.wait();
    std::vector<double> expected(count);
    pack(fields.now(), box, expected.data());
    EXPECT_EQ(std::vector(packed, packed + count), expected) << count;

    for (std::size_t i = 0; i < count; ++i) packed[i] = -static_cast<double>(i);
    launch_unpack(packed, fields.next()[0], box, stream);
    stream.wait();
    pack(fields.next(), box, expected.data());
    EXPECT_EQ(std::vector(packed, packed + count), expected) << count;
  }
}

}  // namespace
}  // namespace makespan::grid
