// SPDX-License-Identifier: Apache-2.0
#pragma once

// A grid of a diffusion on any devices, beside the plainest program.

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include <memory>
#include <string>
#include <vector>

#include "gpu/host_columns.hpp"
#include "grid/late_accelerator.hpp"
#include "grid/peer_accelerator.hpp"
#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/runtime.hpp"
#include "plain_field.hpp"

namespace makespan::diffusion {

using grid::Box;
using grid::FaceKind;
using grid::Faces;
using grid::Grid;
using grid::GridDevice;
using grid::GridOptions;
using grid::GridProblem;
using grid::Point;

inline constexpr Lambdas uneven{0.15, 0.05, 0.2};
inline constexpr grid::FaceValues face_values{0.25, -1, 2, 0.5, 3, -0.125};

struct Case {
  Point size{21, 10, 17};
  Faces faces{grid::faces_all(FaceKind::no_flux)};
  std::vector<double> speeds{1.0};  // of each image's devices
  std::vector<bool> accelerated{};  // likewise; none where there is nothing
  bool have_buffers{false};         // for halos of each other
  std::vector<int> cores{};         // of the threads of each that is no accelerator
  GridOptions options{};
  int steps{7};
};

// Within the grid at both ends of all axes that have room for it.
inline Box inner_box(Point size) {
  Box box{{}, size};
  for (std::int64_t Point::* const axis : {&Point::x, &Point::y, &Point::z}) {
    if (size.*axis < 3) continue;
    ++(box.begin.*axis);
    --(box.end.*axis);
  }
  return box;
}

inline std::vector<double> plain(Case const& of) {
  PlainField field(of.size, of.faces, face_values);
  std::size_t i = 0;
  for (std::int64_t z = 0; z < of.size.z; ++z) {
    for (std::int64_t y = 0; y < of.size.y; ++y) {
      for (std::int64_t x = 0; x < of.size.x; ++x) field.values()[i++] = drawn_at({x, y, z});
    }
  }
  for (int step = 0; step < of.steps; ++step) field.step(factors_of(uneven));
  return field.values();
}

class DiffusionGridTest : public testing::Test {
 protected:
  // Devices take turns with the instruction sets that there are. The first image's are twice as
  // fast.
  std::vector<GridDevice> devices_of(Case const& of, pgas::Runtime const& runtime) {
    stencils_.clear();
    std::vector<GridDevice> devices;
    auto const tables = Kernels::available();
    for (std::size_t i = 0; i < of.speeds.size(); ++i) {
      auto const image = static_cast<std::size_t>(runtime.image().value());
      DiffusionOptions const options{.isa = tables[(i + image) % tables.size()]->isa,
                                     .steps_max = of.options.steps_at_once};
      stencils_.push_back(std::make_unique<Diffusion>(uneven, options));
      devices.push_back(
          {.stencil = stencils_.back().get(), .speed = Speed{of.speeds[i] * (image == 0 ? 2 : 1)}});
      devices.back().cores = of.cores;
      if (i < of.accelerated.size() && of.accelerated[i]) {
        devices.back().cores = {};
        auto const launch = [](grid::Sweep const& sweep) {
          compute_columns(sweep, factors_of(uneven), 5);
        };
        if (of.have_buffers) {
          devices.back().accelerator = std::make_shared<grid::PeerAccelerator>(launch);
        } else {
          devices.back().accelerator = std::make_shared<grid::LateAccelerator>(launch);
        }
      }
    }
    return devices;
  }

  // Returns what this image's devices sent.
  grid::HaloCounts expect_plain(Case const& of, std::string const& what) {
    grid::HaloCounts sum;
    GridProblem const problem{.box = {{}, of.size}, .faces = of.faces, .values = {face_values}};
    {
      Grid grid(runtime_, problem, devices_of(of, runtime_), of.options);
      grid.fill([](int, Point at) { return drawn_at(at); });
      // In two parts, the second of which has halos already.
      grid.run_all(of.steps / 2);
      grid.run_all(of.steps - of.steps / 2);
      std::vector<double> const values = grid.gather_all(0, problem.box);
      if (runtime_.image() == ImageId{0}) {
        EXPECT_EQ(values, plain(of)) << what;
      }
      EXPECT_FALSE(grid.find_bad_value_all()) << what;
      expect_summary_of_all(grid, problem.box, what);
      expect_summary_of_all(grid, inner_box(of.size), what + ", within");
      for (grid::HaloCounts const& one : grid.report().halos) {
        sum.messages += one.messages;
        sum.peer += one.peer;
      }
      grid.close_all();
    }
    return sum;
  }

  // Of a box, beside the values that are gathered from it.
  void expect_summary_of_all(Grid& grid, Box const& box, std::string const& what) {
    std::vector<double> const values = grid.gather_all(0, box);
    grid::FieldSummary const summary = grid.summary_all(0, box);
    if (runtime_.image() != ImageId{0}) return;
    EXPECT_EQ(summary.least, *std::ranges::min_element(values)) << what;
    EXPECT_EQ(summary.most, *std::ranges::max_element(values)) << what;
    grid::FixedSum sum;
    for (double const value : values) sum.add(std::ldexp(value, summary.scale));
    EXPECT_EQ(summary.sum, sum) << what;
  }

  // Whether stores reach the other images.
  [[nodiscard]] bool reaches_others() {
    auto const words = runtime_.allocate_all<std::uint64_t>(1, "words");
    auto const next = ImageId{(runtime_.image().value() + 1) % runtime_.images()};
    bool const does = runtime_.endpoint(0).direct(words.at(next, 0)) != nullptr;
    runtime_.free_all(words);
    return does;
  }

  void TearDown() override { runtime_.finish_all(); }

  pgas::Runtime runtime_{{.threads = 3, .heap_bytes = 8 << 20}};
  std::vector<std::unique_ptr<Diffusion>> stencils_{};
};

}  // namespace makespan::diffusion
