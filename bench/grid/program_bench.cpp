// SPDX-License-Identifier: Apache-2.0
// Programs of points, compiled and interpreted, beside the kernels written by hand, in turn. "As by
// hand" are programs that have these kernels' operations.
//
//   program_bench PROBLEM X Y Z THREADS ROUNDS [NAME …]
//
// prints a line of JSON for each contestant and round: points_per_s, and copy_bytes_per_s, what a
// copy of a field that is not read first moved around the contestant's run. `share` is the bytes
// that a step reads and writes at least over that.
//
//   program_bench PROBLEM X Y Z THREADS check STEPS [NAME …]
//
// prints after so many steps, which all numbers of steps at once divide, what problems.hpp's sum
// is, and whether all bits are those of the first contestant with the same operations.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "makespan/apps/calcium/calcium_unit.hpp"
#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/base/digest.hpp"
#include "makespan/grid/compile/compiled_kernel.hpp"
#include "makespan/grid/field/box_rows.hpp"
#include "makespan/grid/program/program_stencil.hpp"
#include "problems.hpp"
#include "slab_bench.hpp"

namespace makespan::bench {
namespace {

struct Contestant {
  std::string name;
  std::shared_ptr<grid::Stencil> stencil;
  bool is_as_by_hand{};
  int steps{1};  // at once
};

struct Settings {
  GridBenchProblem problem;
  grid::Point size;
  int threads{};
  std::vector<std::string> names{};  // of contestants; none: all

  [[nodiscard]] bool asks_for(std::string const& name) const {
    return names.empty() || std::ranges::find(names, name) != names.end();
  }
};

std::string at_once(std::string const& name, int steps) {
  return steps == 1 ? name : name + ", " + std::to_string(steps) + " steps at once";
}

std::shared_ptr<grid::Stencil> program_stencil(grid::PointProgram const& of,
                                               grid::KernelChoice choice, int steps) {
  if (of.fields.empty()) return nullptr;
  grid::CheckedProgram const program(of, steps);
  return std::make_shared<grid::ProgramStencil>(program, grid::row_kernel(program, choice));
}

std::shared_ptr<grid::Stencil> by_hand(GridBenchProblem const& problem, grid::Point size,
                                       int steps) {
  if (problem.name == "diffusion") {
    return std::make_shared<diffusion::Diffusion>(diffusion::Lambdas{0.1, 0.1, 0.1},
                                                  diffusion::DiffusionOptions{.steps_max = steps});
  }
  if (problem.name == "calcium" && steps == 1) {
    return std::make_shared<calcium::CalciumUnit>(plain_calcium(size));
  }
  return nullptr;
}

std::vector<Contestant> contestants(Settings const& settings) {
  using Choice = grid::KernelChoice;
  GridBenchProblem const& problem = settings.problem;
  std::int64_t const radius = grid::CheckedProgram(problem.program).shape().halo.width;
  std::vector<Contestant> all;
  for (int const steps : {1, 2, 3, 4}) {
    if (steps * radius > grid::halo_width_max) break;
    auto const add = [&](std::string const& how, bool is_as_by_hand, auto const& make) {
      std::string const name = at_once(problem.name + " " + how, steps);
      if (!settings.asks_for(name)) return;
      if (std::shared_ptr<grid::Stencil> stencil = make()) {
        all.push_back({name, std::move(stencil), is_as_by_hand, steps});
      }
    };
    add("by hand", true, [&] { return by_hand(problem, settings.size, steps); });
    add("compiled as by hand", true,
        [&] { return program_stencil(problem.as_by_hand, Choice::compiled, steps); });
    add("compiled", false,
        [&] { return program_stencil(problem.program, Choice::compiled, steps); });
    if (steps > 1) continue;
    add("interpreted", false,
        [&] { return program_stencil(problem.program, Choice::interpreted, steps); });
  }
  return all;
}

// Made anew for the next contestant where its fields are other ones.
class Slabs {
 public:
  explicit Slabs(Settings const& settings) : settings_{settings} {}

  SlabBench& of(grid::Stencil const& stencil) {
    auto const roles = stencil.shape().fields;
    if (bench_ == nullptr || roles != roles_) {
      bench_ = nullptr;
      roles_ = roles;
      bench_ = std::make_unique<SlabBench>(settings_.size, roles, settings_.threads,
                                           settings_.problem.beyond);
    }
    return *bench_;
  }

 private:
  Settings const& settings_;
  std::unique_ptr<SlabBench> bench_{};
  std::vector<grid::FieldRole> roles_{};
};

void measure(Settings const& settings, int rounds) {
  auto const all = contestants(settings);
  Slabs slabs(settings);
  for (int round = 0; round <= rounds; ++round) {
    for (Contestant const& contestant : all) {
      SlabBench& bench = slabs.of(*contestant.stencil);
      auto const sweep = [&] { return bench.sweep(*contestant.stencil, contestant.steps); };
      // New memory is touched, and the caches are warm.
      static_cast<void>(sweep());
      if (round == 0) continue;
      auto const rate = bench.beside_copies(sweep);
      std::printf(
          "{\"contestant\": \"%s\", \"points_per_s\": %.6g, \"copy_bytes_per_s\": %.6g, "
          "\"share\": %.4f}\n",
          contestant.name.c_str(), rate.points_per_s, rate.copy_bytes_per_s,
          settings.problem.bytes * rate.points_per_s / rate.copy_bytes_per_s);
      std::fflush(stdout);
    }
  }
}

void check(Settings const& settings, int steps) {
  Slabs slabs(settings);
  std::map<bool, std::vector<Digest>> first;
  for (Contestant const& contestant : contestants(settings)) {
    SlabBench& bench = slabs.of(*contestant.stencil);
    grid::SlabFields& fields = bench.fields();
    grid::fill_box(fields.now(), fields.box(), settings.problem.first);
    for (int made = 0; made < steps; made += contestant.steps) {
      static_cast<void>(bench.sweep(*contestant.stencil, contestant.steps));
      fields.advance();
    }
    std::vector<Digest> planes(fields.now().size() * static_cast<std::size_t>(settings.size.z));
    grid::add_digests(fields.now(), fields.box(), planes);
    bool const is_same =
        first.try_emplace(contestant.is_as_by_hand, planes).first->second == planes;
    std::printf("{\"contestant\": \"%s\", \"sum\": %.17g, \"same_bits\": %d}\n",
                contestant.name.c_str(), weighted_sum(fields.now()), is_same ? 1 : 0);
  }
}

void run(std::vector<std::string> const& words) {
  grid::Point const size{std::stol(words[1]), std::stol(words[2]), std::stol(words[3])};
  bool const is_check = words[5] == "check";
  Settings const settings{.problem = problem_named(words[0], size),
                          .size = size,
                          .threads = std::stoi(words[4]),
                          .names = {words.begin() + (is_check ? 7 : 6), words.end()}};
  if (is_check) {
    check(settings, std::stoi(words[6]));
  } else {
    measure(settings, std::stoi(words[5]));
  }
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  std::vector<std::string> const words{argv + 1, argv + argc};
  if (words.size() < 6 || (words[5] == "check" && words.size() < 7)) {
    std::fprintf(stderr,
                 "usage: %s PROBLEM X Y Z THREADS ROUNDS [NAME ...]\n"
                 "       %s PROBLEM X Y Z THREADS check STEPS [NAME ...]\n",
                 argv[0], argv[0]);
    return 2;
  }
  try {
    makespan::bench::run(words);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}
