// SPDX-License-Identifier: Apache-2.0
#include "makespan/simd/one_lane.hpp"
// (first: it says what the program is written in)
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "host_blocks.hpp"
#include "makespan/apps/asian/gpu/detail/block_program-inl.hpp"
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

template <class T, Estimator estimator, bool greeks>
std::vector<double> block_moments(BlockOption const& option, BlockItem const& item, Order order) {
  using Program = one_lane::BlockProgram<T, estimator, greeks>;
  auto const steps = static_cast<std::size_t>(option.path.tables.steps);
  std::vector<T> normals((steps + 1) * slab_samples, T{7});
  std::vector<std::uint32_t> base(steps, 7);
  std::vector<std::uint32_t> scramble(steps, 7);
  auto const memory = std::make_unique<typename Program::Memory>();
  std::memset(static_cast<void*>(memory.get()), 0xff, sizeof *memory);
  HostThreadTeam<typename Program::Thread> team(order);
  std::vector<double> moments(static_cast<std::size_t>(moment_count(estimator, greeks)));
  Program::Run(team, option, item, {normals.data(), base.data(), scramble.data()}, *memory,
               moments.data());
  return moments;
}

template <class T>
std::vector<double> block_moments(BlockOption const& option, BlockItem const& item, Order order) {
  constexpr auto plain = Estimator::plain;
  constexpr auto controlled = Estimator::controlled;
  bool const greeks = option.moments.greeks;
  if (option.moments.estimator == plain) {
    return greeks ? block_moments<T, plain, true>(option, item, order)
                  : block_moments<T, plain, false>(option, item, order);
  }
  return greeks ? block_moments<T, controlled, true>(option, item, order)
                : block_moments<T, controlled, false>(option, item, order);
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

std::vector<double> host_block_moments(Precision precision, BlockOption const& option,
                                       BlockItem const& item, Order order) {
  return precision == Precision::fp32 ? block_moments<float>(option, item, order)
                                      : block_moments<double>(option, item, order);
}

void HostBlockDevice::run(BlockLaunch const& launch, std::span<double> moments) {
  if (begin_launch_) begin_launch_(launch);
  std::vector<std::byte> const tables(launch.tables().begin(), launch.tables().end());
  std::vector<BlockOption> options(launch.options());
  launch.place_options(tables.data(), sobol_directions(), options);
  std::vector<std::vector<double>> of_items;
  for (BlockItem const& item : launch.items()) {
    of_items.push_back(host_block_moments(launch.kind().precision,
                                          options[static_cast<std::size_t>(item.option)], item,
                                          Order::rising));
  }
  auto* out = moments.data();
  for (BlockNode const& node : launch.nodes())
    out = std::ranges::copy(sum_of(node, of_items), out).out;
}

}  // namespace makespan::asian
