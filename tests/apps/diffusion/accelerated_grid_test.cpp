// SPDX-License-Identifier: Apache-2.0
// Goal: the same bits beside accelerators, whichever way their halos take. Method: accelerators on
// the host that do everything as late as they may, against the plainest program, on 1, 2, 3 and 5
// images; and how many halos were packed into another's memory.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grid_case.hpp"
#include "makespan/machine/affinity.hpp"

namespace makespan::diffusion {
namespace {

class AcceleratedGridTest : public DiffusionGridTest {};

TEST_F(AcceleratedGridTest, Same_bits_beside_accelerators) {
  for (auto const& accelerated :
       std::vector<std::vector<bool>>{{true}, {false, true}, {true, true, false}}) {
    for (grid::Schedule const schedule : {grid::Schedule::none, grid::Schedule::overlap}) {
      for (FaceKind const kind : {FaceKind::no_flux, FaceKind::value, FaceKind::periodic}) {
        for (grid::ImageCut const cut : {grid::ImageCut::stack, grid::ImageCut::boxes}) {
          if (schedule == grid::Schedule::none && cut == grid::ImageCut::boxes) continue;
          Case of{.faces = grid::faces_all(kind),
                  .speeds = std::vector<double>(accelerated.size(), 1.0),
                  .accelerated = accelerated};
          of.options.schedule = schedule;
          of.options.cut = cut;
          expect_plain(of, std::to_string(accelerated.size()) + " devices, face " +
                               std::to_string(static_cast<int>(kind)));
        }
      }
    }
  }
  EXPECT_GT(grid::LateAccelerator::late_reads(), 0) << "halos of the host are read where they lie";
}

TEST_F(AcceleratedGridTest, Same_bits_of_accelerators_beside_hosts_with_layers_and_relays) {
  for (grid::HostShare const share :
       {grid::HostShare::none, grid::HostShare::all, grid::HostShare::front_back}) {
    Case of{.speeds = {1, 2}, .accelerated = {false, true}};
    of.options.layers = {.share = share, .thickness = 2};
    of.options.route = grid::Route::relayed;
    expect_plain(of, "share " + std::to_string(static_cast<int>(share)));
  }
}

TEST_F(AcceleratedGridTest, Same_bits_of_accelerators_that_pack_into_each_other_s_memory) {
  bool const has_others = runtime_.images() > 1;
  for (FaceKind const kind : {FaceKind::no_flux, FaceKind::periodic}) {
    Case of{.faces = grid::faces_all(kind),
            .speeds = {1, 1},
            .accelerated = {true, true},
            .have_buffers = true};
    grid::HaloCounts const all = expect_plain(of, "all have buffers");
    if (!has_others || reaches_others()) {
      EXPECT_EQ(all.peer, all.messages);
    } else {
      EXPECT_LT(all.peer, all.messages);
    }
    EXPECT_GT(all.peer, 0);

    of.options.route = grid::Route::relayed;
    grid::HaloCounts const within = expect_plain(of, "hosts carry what goes to other images");
    EXPECT_EQ(within.peer < within.messages, has_others);
    EXPECT_GT(within.peer, 0);
    of.have_buffers = false;
    EXPECT_EQ(expect_plain(of, "none has buffers").peer, 0);
  }
}

TEST_F(AcceleratedGridTest, Same_bits_of_peers_beside_threads_while_planes_move) {
  Case of{
      .speeds = {1, 1, 1}, .accelerated = {true, false, true}, .have_buffers = true, .steps = 20};
  of.options.rebalance = {.steps = 3, .options = {.gain_min = 0}};
  for (grid::Schedule const schedule : {grid::Schedule::none, grid::Schedule::pipeline}) {
    of.options.schedule = schedule;
    expect_plain(of, "schedule " + std::to_string(static_cast<int>(schedule)));
  }
}

// Halos of 36,864 points, which the threads of a device pack together.
TEST_F(AcceleratedGridTest, Same_bits_of_large_halos_that_threads_pack) {
  std::vector<int> const cores = machine::allowed_cores();
  for (auto const& accelerated : std::vector<std::vector<bool>>{{false, false}, {false, true}}) {
    Case of{.size = {192, 192, 12},
            .speeds = {1, 1},
            .accelerated = accelerated,
            .cores = {cores.front(), cores.back(), cores.front()},
            .steps = 3};
    expect_plain(of, accelerated.back() ? "beside an accelerator" : "of threads");
  }
}

TEST_F(AcceleratedGridTest, Same_bits_while_planes_move_to_accelerators) {
  Case of{.speeds = {1, 1}, .accelerated = {false, true}, .steps = 20};
  of.options.rebalance = {.steps = 3, .options = {.gain_min = 0}};
  expect_plain(of, "rebalanced");
}

}  // namespace
}  // namespace makespan::diffusion
