// SPDX-License-Identifier: Apache-2.0
// Goal: what no run of this input sends, or writes into a checkpoint, is refused by the object that
// gets it, and named. Method: objects of a small melt on a place of the test's own, which sends
// nothing; their methods are called with numbers that there are not, and their bytes are changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "apps/melt/objects/still_melt.hpp"
#include "makespan/base/error.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::melt {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

template <class Call>
void expect_refused(std::string const& text, Call const& call) {
  EXPECT_THAT(call, ThrowsMessage<InputError>(HasSubstr(text)));
}

constexpr std::int32_t far = 2'000'000'000;

ForceContribution contribution_of(std::vector<std::int32_t> clusters, std::size_t forces) {
  return {.clusters = std::move(clusters), .forces = std::vector<ClusterVectors>(forces)};
}

TEST(MeltRecorder, Refuses_cells_computes_and_atoms_that_there_are_not) {
  StillMelt melt;
  Recorder recorder;
  for (std::int32_t const number : {-1, 27, far}) {
    expect_refused("energies of cell " + std::to_string(number) + " (this run has 27)",
                   [&] { recorder.take_kinetic(melt.here, 0, number, 1.0); });
    expect_refused("a digest of cell " + std::to_string(number),
                   [&] { recorder.take_digest(melt.here, number, {}); });
  }
  for (std::int32_t const number : {-1, 378, far}) {
    expect_refused("energies of compute " + std::to_string(number) + " (this run has 378)",
                   [&] { recorder.take_pairs(melt.here, 0, number, {}); });
  }
  for (std::int64_t const id : {std::int64_t{-1}, std::int64_t{864}, std::int64_t{1} << 40}) {
    expect_refused("atom " + std::to_string(id) + " (this run has 864)",
                   [&] { recorder.take_atoms(melt.here, 0, {{.id = id}}); });
  }
  expect_refused("the share of object 405",
                 [&] { recorder.take_shares(melt.here, 1, {{.index = 405}}); });
  expect_refused("a share of place 1",
                 [&] { recorder.take_shares(melt.here, 1, {{.index = 404, .place = 1}}); });
}

// Each step that is open takes memory.
TEST(MeltRecorder, Refuses_steps_in_which_nothing_is_told) {
  StillMelt melt;
  Recorder recorder;
  for (std::int64_t const step : {-4, 3, 12}) {
    expect_refused("energies of step " + std::to_string(step),
                   [&] { recorder.take_kinetic(melt.here, step, 0, 1.0); });
    expect_refused("positions of step " + std::to_string(step),
                   [&] { recorder.take_atoms(melt.here, step, {}); });
  }
}

TEST(MeltRecorder, Refuses_sums_of_another_size_that_it_has_read) {
  StillMelt melt;
  StillMelt other({.lattice_cells = {8, 8, 8}, .cells = {4, 3, 3}, .steps = 10, .thermo_steps = 4});
  Recorder written;
  written.take_kinetic(other.here, 4, 0, 1.0);
  written.take_atoms(other.here, 4, {});
  auto recorder = pgas::unpacked<Recorder>(pgas::packed(written));
  expect_refused("sums of step 4, of 36 cells",
                 [&] { recorder.take_kinetic(melt.here, 4, 0, 1.0); });
  expect_refused("a frame of step 4 with 2048 positions",
                 [&] { recorder.take_atoms(melt.here, 4, {}); });
}

TEST(MeltCell, Refuses_atoms_from_where_no_neighbour_lies) {
  StillMelt melt;
  CellObject& cell = melt.cell(0);
  for (std::int32_t const direction : {-1, 13, 27, far}) {
    expect_refused("atoms from direction " + std::to_string(direction),
                   [&] { cell.take_arrivals(melt.here, direction, {}); });
  }
  for (int direction = 0; direction < direction_count; ++direction) {
    if (direction != direction_to_itself) cell.take_arrivals(melt.here, direction, {});
  }
  expect_refused("all its neighbours have sent theirs",
                 [&] { cell.take_arrivals(melt.here, 0, {}); });
}

// Atoms are sorted by positions: what is no number has no place in an order.
TEST(MeltCell, Refuses_atoms_that_are_elsewhere_or_nowhere) {
  StillMelt melt;
  CellObject& cell = melt.cell(0);
  expect_refused("atom 1 for cell 0 (it is at x = nan", [&] {
    cell.take_arrivals(melt.here, 0,
                       {{.id = 1, .position = {std::numeric_limits<double>::quiet_NaN(), 1, 1}}});
  });
  expect_refused("not in that cell",
                 [&] { cell.take_arrivals(melt.here, 0, {{.id = 1, .position = {9, 1, 1}}}); });
  expect_refused("atom 1099511627776", [&] {
    cell.take_arrivals(melt.here, 0, {{.id = std::int64_t{1} << 40, .position = {1, 1, 1}}});
  });
}

TEST(MeltCell, Refuses_forces_of_other_computes_empty_ones_and_a_second_time) {
  StillMelt melt;
  CellObject& cell = melt.cell(0);
  SharedContribution const none(ForceContribution{});
  int const of_cell_5 = 5 * computes_per_cell;
  for (std::int32_t const compute : {-1, of_cell_5, far}) {
    expect_refused("forces of compute " + std::to_string(compute) + " on cell 0",
                   [&] { cell.take_forces(melt.here, compute, none); });
  }
  expect_refused("there are none in the message", [&] { cell.take_forces(melt.here, 0, {}); });
  cell.take_forces(melt.here, 0, none);
  expect_refused("it has had them in this step", [&] { cell.take_forces(melt.here, 0, none); });
}

TEST(MeltCell, Refuses_forces_on_clusters_that_it_has_not) {
  for (ForceContribution const& bad :
       {contribution_of({1'000'000}, 0), contribution_of({1'000'000}, 1), contribution_of({-1}, 1),
        contribution_of({1, 0}, 2), contribution_of({0}, 2), contribution_of({0, 0}, 2)}) {
    StillMelt melt;
    CellObject& cell = melt.cell(0);
    expect_refused("forces on ", [&] {
      for (Feed const& feed : melt.common().grid.feeds(0)) {
        cell.take_forces(melt.here, feed.compute, SharedContribution(bad));
      }
    });
  }
}

TEST(MeltCell, Refuses_to_go_on_beyond_the_run) {
  StillMelt melt;
  for (std::int64_t const last : {std::int64_t{-1}, std::int64_t{11}, steps_max}) {
    expect_refused("a cell that is to go on to step " + std::to_string(last),
                   [&] { melt.cell(0).go_on(melt.here, last); });
  }
}

TEST(MeltCell, Refuses_what_was_read_and_cannot_be) {
  StillMelt melt;
  std::vector<std::byte> const whole = pgas::packed(melt.cell(3));
  // The cell of the object comes first: its number, its sides, and the count of its ids.
  auto const with = [&](std::size_t place, auto number) {
    std::vector<std::byte> bytes = whole;
    std::memcpy(bytes.data() + place, &number, sizeof number);
    return bytes;
  };
  EXPECT_NO_THROW(melt.put_cell(3, pgas::unpacked<CellObject>(with(0, 3))).go_on(melt.here, 0));
  for (std::int32_t const number : {-1, 4, 27, far}) {
    CellObject& cell = melt.put_cell(3, pgas::unpacked<CellObject>(with(0, number)));
    expect_refused("a cell that says that it is number " + std::to_string(number),
                   [&] { cell.go_on(melt.here, 1); });
  }
  CellObject& thick = melt.put_cell(3, pgas::unpacked<CellObject>(with(4, 1e300)));
  expect_refused("cell 3, 1e+300 thick along x", [&] { thick.go_on(melt.here, 10); });
  // Ids of fewer atoms than there are: the last is taken out.
  std::uint64_t ids = 0;
  std::vector<std::byte> bytes = whole;
  std::size_t const place = sizeof(std::int32_t) + sizeof(Vector3);
  std::memcpy(&ids, bytes.data() + place, sizeof ids);
  bytes = with(place, ids - 1);
  bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(place + sizeof ids),
              bytes.begin() + static_cast<std::ptrdiff_t>(place + 2 * sizeof ids));
  expect_refused("a cell of 32 atoms with 31 ids",
                 [&] { static_cast<void>(pgas::unpacked<CellObject>(bytes)); });
}

TEST(MeltCompute, Refuses_what_other_cells_tell_and_what_is_empty) {
  StillMelt melt;
  ComputeObject& compute = melt.compute(1);
  SharedClusters const clusters(melt.cell(0).cell().clusters());
  SharedPositions const positions(std::vector<ClusterVectors>(4));
  for (std::int32_t const cell : {-1, 5, far}) {
    expect_refused("what cell " + std::to_string(cell) + " tells compute 1",
                   [&] { compute.take_clusters(melt.here, cell, 0, clusters); });
    expect_refused("what cell " + std::to_string(cell) + " tells compute 1",
                   [&] { compute.take_positions(melt.here, cell, 0, positions); });
  }
  expect_refused("clusters of cell 0", [&] { compute.take_clusters(melt.here, 0, 0, {}); });
  expect_refused("positions of cell 0", [&] { compute.take_positions(melt.here, 0, 0, {}); });
}

TEST(MeltCompute, Refuses_clusters_without_boxes_and_too_many) {
  StillMelt melt;
  ComputeObject& compute = melt.compute(1);
  ClusterSet const whole = melt.cell(0).cell().clusters();
  ClusterSet bad = whole;
  bad.low.clear();
  bad.high.clear();
  auto const take = [&](ClusterSet const& set) {
    compute.take_clusters(melt.here, 0, 0, SharedClusters(set));
  };
  expect_refused("4 clusters of 32 atoms, with 0 and 0 groups", [&] { take(bad); });
  for (std::int64_t const atoms : {std::int64_t{-1}, std::int64_t{24}, std::int64_t{33},
                                   std::numeric_limits<std::int64_t>::max()}) {
    bad = whole;
    bad.atoms = atoms;
    expect_refused("clusters of " + std::to_string(atoms) + " atoms", [&] { take(bad); });
  }
  // So many with so many would take 7.5 GB.
  constexpr std::size_t clusters = 25'000;
  bad.atoms = 8 * clusters;
  bad.positions.assign(clusters, ClusterVectors::filled(1));
  bad.low.assign(clusters / 8, ClusterVectors::filled(1));
  bad.high.assign(clusters / 8, ClusterVectors::filled(1));
  expect_refused("clusters of 200000 atoms of a cell (at most", [&] { take(bad); });
}

TEST(MeltCompute, Refuses_positions_of_fewer_clusters_than_its_list_has) {
  StillMelt melt;
  ComputeObject& compute = melt.compute(0);
  compute.take_clusters(melt.here, 0, 0, SharedClusters(melt.cell(0).cell().clusters()));
  expect_refused("positions of 3 clusters (the list of pairs has cluster 3)", [&] {
    compute.take_positions(melt.here, 0, 1, SharedPositions(std::vector<ClusterVectors>(3)));
  });
}

TEST(MeltCompute, Refuses_another_number_and_other_cells_that_it_has_read) {
  StillMelt melt;
  SharedPositions const positions(std::vector<ClusterVectors>(4));
  ComputeObject& one = melt.put_compute(1, ComputeObject(melt.common().grid, melt.settings(), 2));
  expect_refused("a compute that says that it is number 2",
                 [&] { one.take_positions(melt.here, 0, 0, positions); });
  std::vector<std::byte> bytes =
      pgas::packed(ComputeObject(melt.common().grid, melt.settings(), 1));
  std::memcpy(bytes.data(), &far, sizeof far);  // its first cell
  ComputeObject& other = melt.put_compute(1, pgas::unpacked<ComputeObject>(bytes));
  expect_refused("compute 1 of cells 2000000000 and ",
                 [&] { other.take_positions(melt.here, far, 0, positions); });
}

}  // namespace
}  // namespace makespan::melt
