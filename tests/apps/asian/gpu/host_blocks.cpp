// SPDX-License-Identifier: Apache-2.0
#include "makespan/simd/one_lane.hpp"
// (first: it says what the program is written in)
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "host_blocks.hpp"
#include "makespan/apps/asian/gpu/detail/block_program-inl.hpp"
#include "makespan/apps/asian/gpu/detail/model_program-inl.hpp"
#include "makespan/apps/asian/path/sobol.hpp"

namespace makespan::asian {

namespace {

template <class Thread>
class HostThreadTeam {
 public:
  explicit HostThreadTeam(Order order) : order_{order}, kept_(one_lane::block_threads) {}

  template <class Part>
  void phase(Part part) {
    for (int at = 0; at < one_lane::block_threads; ++at) {
      int const thread = order_ == Order::rising ? at : one_lane::block_threads - 1 - at;
      part(thread, kept_[static_cast<std::size_t>(thread)]);
    }
  }

 private:
  Order order_;
  std::vector<Thread> kept_;
};

template <PathModel model, class T, Estimator estimator, bool greeks>
struct ProgramOf {
  using type = one_lane::ModelProgram<model, estimator, greeks>;
};
template <class T, Estimator estimator, bool greeks>
struct ProgramOf<PathModel::lognormal, T, estimator, greeks> {
  using type = one_lane::BlockProgram<T, estimator, greeks>;
};

// Each of the right size, so that sanitizers see what goes beyond.
template <class T>
class HostScratch {
 public:
  explicit HostScratch(ScratchShape const& shape)
      : normals_(rows(shape.normals), T{7}),
        functionals_(rows(shape.functionals), std::numeric_limits<T>::quiet_NaN()),
        state_(rows(shape.state), T{7}),
        base_(static_cast<std::size_t>(shape.dimensions), 7),
        scramble_(base_) {}

  BlockScratch<T> get() {
    return {normals_.data(), base_.data(), scramble_.data(), functionals_.data(), state_.data()};
  }

 private:
  static std::size_t rows(int count) { return static_cast<std::size_t>(count) * slab_samples; }

  std::vector<T> normals_;
  std::vector<T> functionals_;
  std::vector<T> state_;
  std::vector<std::uint32_t> base_;
  std::vector<std::uint32_t> scramble_;
};

template <PathModel model, class T, Estimator estimator, bool greeks>
std::vector<double> block_moments(BlockOption const& option, BlockItem const& item,
                                  ScratchShape const& shape, Order order) {
  using Program = typename ProgramOf<model, T, estimator, greeks>::type;
  HostScratch<T> scratch(shape);
  auto const memory = std::make_unique<typename Program::Memory>();
  std::memset(static_cast<void*>(memory.get()), 0xff, sizeof *memory);
  HostThreadTeam<typename Program::Thread> team(order);
  std::vector<double> moments(static_cast<std::size_t>(moment_count(estimator, greeks)));
  Program::Run(team, option, item, scratch.get(), *memory, moments.data());
  return moments;
}

template <PathModel model, class T>
std::vector<double> block_moments(BlockOption const& option, BlockItem const& item,
                                  ScratchShape const& shape, Order order) {
  constexpr auto plain = Estimator::plain;
  constexpr auto controlled = Estimator::controlled;
  bool const greeks = option.moments.greeks;
  if (option.moments.estimator == plain) {
    return greeks ? block_moments<model, T, plain, true>(option, item, shape, order)
                  : block_moments<model, T, plain, false>(option, item, shape, order);
  }
  return greeks ? block_moments<model, T, controlled, true>(option, item, shape, order)
                : block_moments<model, T, controlled, false>(option, item, shape, order);
}

// The moments of the node's blocks, as `moments` of all items has them.
std::vector<double> sum_of(BlockNode const& node, std::vector<std::vector<double>> const& moments) {
  auto const begin = moments.begin() + node.first;
  std::vector<std::vector<double>> level(begin, begin + node.blocks);
  while (level.size() > 1) {
    for (std::size_t i = 0; i < level.size() / 2; ++i) {
      for (std::size_t m = 0; m < level[i].size(); ++m)
        level[i][m] = level[2 * i][m] + level[2 * i + 1][m];
    }
    level.resize(level.size() / 2);
  }
  return level.front();
}

}  // namespace

std::vector<double> host_block_moments(BlockKind kind, BlockOption const& option,
                                       BlockItem const& item, ScratchShape const& shape,
                                       Order order) {
  switch (kind.model) {
    case PathModel::heston:
      return block_moments<PathModel::heston, double>(option, item, shape, order);
    case PathModel::basket:
      return block_moments<PathModel::basket, double>(option, item, shape, order);
    case PathModel::lognormal:
      break;
  }
  return kind.precision == Precision::fp32
             ? block_moments<PathModel::lognormal, float>(option, item, shape, order)
             : block_moments<PathModel::lognormal, double>(option, item, shape, order);
}

void HostBlockDevice::run(BlockLaunch const& launch, std::span<double> moments) {
  if (begin_launch_) begin_launch_(launch);
  std::vector<std::byte> const tables(launch.tables().begin(), launch.tables().end());
  std::vector<BlockOption> options(launch.options());
  launch.place_options(tables.data(), sobol_directions(), options);
  std::vector<std::vector<double>> of_items;
  for (BlockItem const& item : launch.items()) {
    of_items.push_back(host_block_moments(launch.kind(),
                                          options[static_cast<std::size_t>(item.option)], item,
                                          launch.scratch(), Order::rising));
  }
  auto* out = moments.data();
  for (BlockNode const& node : launch.nodes())
    out = std::ranges::copy(sum_of(node, of_items), out).out;
}

}  // namespace makespan::asian
