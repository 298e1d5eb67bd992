// SPDX-License-Identifier: Apache-2.0
// Two substances that spread and react, on a grid cut among the devices of all images. Soon one
// device of each image gets slower, and planes move to the others.
//
//   ./gray_scott                   one image, two devices
//   mpiexec -n 2 ./gray_scott      four devices on two images
//
// u and v follow u' = D_u lap(u) - u v^2 + F (1 - u) and v' = D_v lap(v) + u v^2 - (F + k) v (J. E.
// Pearson, "Complex patterns in a simple system", Science 261, 1993).
//
// What to notice: the program says what becomes of one point, and nothing of cuts, halos, threads
// or images; devices compute while halos travel; the sum is the same to the last bit for any number
// of images and devices, and whatever moved.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <span>
#include <vector>

#include <makespan/grid.hpp>

namespace grid = makespan::grid;

namespace {

constexpr grid::Box box{{0, 0, 0}, {48, 48, 64}};
constexpr std::int64_t steps = 240;
enum Field : int { u, v };

// One step, dt = h = 1.
std::array<double, 2> reacted(grid::Around const& at) {
  constexpr double spread_u = 0.1;
  constexpr double spread_v = 0.05;
  constexpr double feed = 0.04;
  constexpr double kill = 0.06;
  auto const laplacian = [&](Field of) {
    double const around = (at(of, -1, 0, 0) + at(of, 1, 0, 0)) +
                          (at(of, 0, -1, 0) + at(of, 0, 1, 0)) +
                          (at(of, 0, 0, -1) + at(of, 0, 0, 1));
    return around - 6 * at(of, 0, 0, 0);
  };
  double const of_u = at(u, 0, 0, 0);
  double const of_v = at(v, 0, 0, 0);
  double const reaction = of_u * of_v * of_v;
  return {of_u + (spread_u * laplacian(u) - reaction + feed * (1 - of_u)),
          of_v + (spread_v * laplacian(v) + reaction - (feed + kill) * of_v)};
}

// All u, but for a block in the middle.
double begun(int field, grid::Point at) {
  constexpr grid::Box block{{20, 20, 26}, {28, 28, 38}};
  if (field == u) return block.holds(at) ? 0.5 : 1.0;
  return block.holds(at) ? 0.25 : 0.0;
}

// By image 0; `times` of two devices of each image.
void print_report(grid::Grid const& all, std::span<grid::DeviceTimes const> times) {
  for (grid::DeviceStack const& stack : all.stacks()) {
    for (std::size_t i = 0; i < stack.devices.size(); ++i) {
      auto const [image, device] = stack.devices[i];
      auto const first = 2 * static_cast<std::size_t>(image);
      grid::DeviceTimes const& of = times[first + static_cast<std::size_t>(device)];
      // While halos travel a device computes its interior; then it waits, for slower ones too.
      std::printf("image %d, device %d: %2lld planes, computed %.2f s, %2.0f %% of waits hidden\n",
                  image, device, static_cast<long long>(stack.planes[i]),
                  (of.boundary + of.interior).value(),
                  100 * of.interior.value() / (of.interior + of.wait).value());
    }
  }
  std::printf("%d new cuts moved %lld planes\n", all.report().rebalances,
              static_cast<long long>(all.report().planes_moved));
}

int run() {
  auto const stencil = grid::point_stencil(
      {.fields = {grid::FieldRole::spreads, grid::FieldRole::spreads}, .halo = {.width = 1}},
      reacted);
  grid::GridProblem const problem{.box = box,
                                  .faces = grid::faces_all(grid::FaceKind::periodic),
                                  .values = std::vector<grid::FaceValues>(2)};
  grid::GridOptions const options{.rebalance = {.steps = 20}};
  makespan::pgas::Runtime runtime(
      {.threads = 2, .heap_bytes = grid::Grid::heap_bytes(problem, stencil.shape(), 2, options)});
  grid::Grid all(runtime, problem,
                 {{.stencil = &stencil},
                  {.stencil = &stencil, .slowdowns = {{.from = steps / 4, .factor = 3}}}},
                 options);
  all.fill(begun);
  all.run_all(steps);

  auto const mine = all.report().devices;
  auto const times = runtime.team().all_gather_all(std::span<grid::DeviceTimes const>(mine));
  std::vector<double> const values = all.gather_all(v, box);
  if (runtime.image().value() == 0) {
    print_report(all, times);
    std::printf("v adds up to %.17g\n", std::accumulate(values.begin(), values.end(), 0.0));
  }
  runtime.finish_all();
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  return makespan::pgas::run_job(run);
}
