// SPDX-License-Identifier: Apache-2.0
// Goal: what cannot be simulated is refused with a message that says where. Method: one thing wrong
// at a time.
#include "makespan/sim/grids/detail/grid_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "makespan/base/error.hpp"
#include "sim/grids/small_jobs.hpp"

namespace makespan::sim {
namespace {

struct WrongJob {
  char const* says;
  std::function<void(GridJob&)> spoil;
};

TEST(GridCheck, names_what_is_wrong) {
  std::vector<WrongJob> const wrong{
      {"no images", [](GridJob& job) { job.images.clear(); }},
      {"image 1 without a device", [](GridJob& job) { job.images[1].devices.clear(); }},
      {"image 1: node = 3", [](GridJob& job) { job.images[1].node = 3; }},
      {"node of the first image = 1", [](GridJob& job) { job.images[0].node = 1; }},
      {"device 0: speed = 0", [](GridJob& job) { job.images[1].devices[0].speed = Speed{}; }},
      {"start = -1", [](GridJob& job) { job.images[0].devices[0].start = Seconds{-1.0}; }},
      {"bytes packed a second = 0",
       [](GridJob& job) { job.images[0].devices[0].pack_bandwidth = 0.0; }},
      {"factor of boundary layers = 0",
       [](GridJob& job) { job.images[0].devices[0].boundary_factor[1] = 0.0; }},
      {"link from its host: burst = -1",
       [](GridJob& job) { job.images[0].devices[0].to_device.burst = -1.0; }},
      {"network, into a node: bandwidth = nan",
       [](GridJob& job) { job.network.in.bandwidth = std::nan(""); }},
      {"bytes of a piece = 0", [](GridJob& job) { job.network.piece_bytes = 0; }},
      {"a grid of 0 x 10 x 80", [](GridJob& job) { job.box.end.x = 0; }},
      {"a grid of 2097152 x 2097152 x 80",
       [](GridJob& job) { job.box.end.x = job.box.end.y = 1 << 21; }},
      {"steps = 0", [](GridJob& job) { job.steps = 0; }},
      {"all fields = 1", [](GridJob& job) { job.fields = 2; }},
      {"width of a halo = 90", [](GridJob& job) { job.halo_width = 90, job.wraps.z = true; }},
      {"fields = 65537", [](GridJob& job) { job.fields = job.fields_all = 65'537; }},
      {"all fields = 65537", [](GridJob& job) { job.fields_all = 65'537; }},
      {"images along all axes = 3", [](GridJob& job) { job.images_along = {1, 1, 3}; }},
      // Their product is 2 in 64 bits.
      {"images along all axes = 1.84467e+19",
       [](GridJob& job) { job.images_along = {3, 0x5555'5555'5555'5556, 1}; }},
      {"device of a change = 2",
       [](GridJob& job) { job.changes = {{.device = 2, .at = Seconds{}, .factor = 1.0}}; }},
      {"factor of a change = 0",
       [](GridJob& job) { job.changes = {{.device = 1, .at = Seconds{}, .factor = 0.0}}; }},
  };
  EXPECT_NO_THROW(check(row_of(2)));
  for (WrongJob const& one : wrong) {
    GridJob job = row_of(2);
    one.spoil(job);

    EXPECT_THAT([&] { check(job); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr(one.says)))
        << one.says;
  }
}

}  // namespace
}  // namespace makespan::sim
