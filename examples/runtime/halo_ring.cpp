// SPDX-License-Identifier: Apache-2.0
// A ring of images that pass their edges on, step by step: mpiexec -n 3 halo_ring
//
// Each image smooths its cells, which needs the last cell of the image before it and the first of
// the one after it. Edges go by put_signal: data and the news of it in one, with no barrier
// anywhere.
//
// What to notice: an image may run one step ahead of a neighbour, never two, because it waits for
// that neighbour's edge. So two halos, used in turn, are enough; with one a fast image could
// overwrite what a slow one has not read yet. Each side has a word of its own: one that counted
// both would be high enough after two edges of a fast neighbour and none of a slow one.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <makespan/pgas.hpp>

namespace {

using namespace makespan::pgas;
using makespan::ImageId;

constexpr std::size_t cells_each = 100;
constexpr double parts_each = cells_each * (cells_each - 1) / 2;
constexpr int steps = 50;

// What an image has of its two neighbours, for even and odd steps.
enum Side : std::int64_t { before = 0, after = 1 };

std::vector<double> smoothed(std::vector<double> const& cells, double before, double after) {
  std::vector<double> next(cells.size());
  for (std::size_t at = 0; at < cells.size(); ++at) {
    double const left = at == 0 ? before : cells[at - 1];
    double const right = at + 1 == cells.size() ? after : cells[at + 1];
    next[at] = 0.5 * cells[at] + 0.25 * (left + right);
  }
  return next;
}

// An equal share of all heat for each image, and no two cells alike in it: an edge that is a step
// old would change the sum.
std::vector<double> first_cells(std::int64_t image, int images) {
  std::vector<double> cells(cells_each);
  for (std::size_t at = 0; at < cells_each; ++at) {
    // Each number below cells_each once.
    std::size_t const parts = (37 * at + 13 * static_cast<std::size_t>(image)) % cells_each;
    cells[at] = 1000.0 / images * static_cast<double>(parts) / parts_each;
  }
  return cells;
}

double run(Runtime& runtime) {
  auto const halos = runtime.allocate_all<double>(4, "halos");
  auto const arrivals = runtime.allocate_all<std::uint64_t>(2, "arrivals");
  Endpoint& here = runtime.endpoint(0);
  std::int64_t const me = runtime.image().value();
  ImageId const left{(me + runtime.images() - 1) % runtime.images()};
  ImageId const right{(me + 1) % runtime.images()};
  std::vector<double> cells = first_cells(me, runtime.images());
  for (int step = 0; step < steps; ++step) {
    std::int64_t const turn = 2 * (step % 2);
    here.put_signal(halos.at(left, turn + after), std::array{cells.front()},
                    arrivals.at(left, after));
    here.put_signal(halos.at(right, turn + before), std::array{cells.back()},
                    arrivals.at(right, before));
    for (Side const side : {before, after}) {
      here.wait_until_word(arrivals.at(runtime.image(), side), Comparison::at_least,
                           static_cast<std::uint64_t>(step + 1));
    }
    auto const halo = runtime.local(halos);
    cells = smoothed(cells, halo[static_cast<std::size_t>(turn + before)],
                     halo[static_cast<std::size_t>(turn + after)]);
  }
  return std::reduce(cells.begin(), cells.end());
}

}  // namespace

int main() {
  return run_job([] {
    Runtime runtime;
    double const heat = runtime.team().all_reduce_all(ReduceOp::sum, run(runtime));
    if (runtime.image().value() == 0) std::printf("heat after %d steps: %.6f\n", steps, heat);
    runtime.finish_all();
    return EXIT_SUCCESS;
  });
}
