// SPDX-License-Identifier: Apache-2.0
// Objects of a melt and the mark of its run, as a checkpoint or another image has them.
#include <utility>

#include "fuzz/fuzz_input.hpp"
#include "fuzz/typed_seed.hpp"
#include "makespan/apps/melt/lattice.hpp"
#include "makespan/apps/melt/objects/detail/cell_object.hpp"
#include "makespan/apps/melt/objects/detail/compute_object.hpp"
#include "makespan/apps/melt/objects/detail/run_mark.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::fuzz::melt_objects_target {
namespace {

template <class T>
void read_as(std::span<std::byte const> bytes) {
  static_cast<void>(pgas::packed(pgas::unpacked<T>(bytes)));
}

void read_mark(std::span<std::byte const> bytes) {
  auto const mark = pgas::unpacked<melt::RunMark>(bytes);
  melt::check_goes_on(mark, {.settings = {}, .phase_steps = 20}, 2);
}

void read(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  int const type = input.small(2);
  if (type == 0) return read_mark(input.rest());
  if (type == 1) return read_as<melt::CellObject>(input.rest());
  read_as<melt::ComputeObject>(input.rest());
}

std::vector<Bytes> seeds() {
  melt::MeltSettings const settings{.lattice_cells = {6, 6, 6}, .cells = {3, 3, 3}};
  melt::CellGrid const grid(settings);
  std::vector<melt::Atom> const atoms{{.id = 1}, {.id = 2}};
  return {typed_seed(0, melt::RunMark{.settings = {}, .phase_steps = 20, .step = 20}),
          typed_seed(1, melt::CellObject(melt::Cell(grid, 0, atoms))),
          typed_seed(2, melt::ComputeObject(grid, settings, 0))};
}

FuzzTarget const target("melt_objects", &read, &seeds);

}  // namespace
}  // namespace makespan::fuzz::melt_objects_target
