// SPDX-License-Identifier: Apache-2.0
// Goal: what the threads of a GPU do for a block gives the moments that a CPU's vectors give, bit
// for bit. Method: the program on the host, one thread after the other in each phase, in rising and
// in falling order, against OptionWorker::run().
#include "makespan/simd/one_lane.hpp"
// (first: it says what the program is written in)
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "apps/asian/path_set.hpp"
#include "makespan/apps/asian/block_program-inl.hpp"
#include "makespan/apps/asian/option_worker.hpp"
#include "test_size.hpp"

namespace makespan::asian {
namespace {

enum class Order : bool { rising, falling };

// The threads of a block. A phase that depends on the order of its threads is wrong on a GPU.
template <class Thread>
class HostCrew {
 public:
  explicit HostCrew(Order order) : order_{order}, kept_(one_lane::block_threads) {}

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
  HostCrew<typename Program::Thread> crew(order);
  std::vector<double> moments(static_cast<std::size_t>(moment_count(estimator, greeks)));
  Program::Run(crew, option, item, {normals.data(), base.data(), scramble.data()}, *memory,
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

void expect_same_moments(PricingSettings const& settings, Contract const& contract,
                         Block const& block) {
  OptionWorker worker{settings, kernels_named("auto")};
  worker.prepare(contract);
  auto const moments = worker.run(block);
  std::vector<double> const expected{moments.begin(), moments.end()};
  BlockOption const option = worker.block_option();
  BlockItem const item = worker.block_item(block);
  for (Order const order : {Order::rising, Order::falling}) {
    auto const ours = worker.precision() == Precision::fp32
                          ? block_moments<float>(option, item, order)
                          : block_moments<double>(option, item, order);
    ASSERT_EQ(ours.size(), expected.size());
    EXPECT_EQ(std::memcmp(ours.data(), expected.data(), ours.size() * sizeof(double)), 0)
        << contract.fixings << " fixings, volatility " << contract.volatility << ", samples "
        << block.sample_first << " + " << block.samples;
  }
}

std::vector<Block> blocks() {
  return {{0, 0, 0, 1},
          {0, 1, block_samples, 255},
          {3, 0, 0, slab_samples + 1},
          {1, 5, 5 * block_samples, block_samples}};
}

struct Case {
  Method method;
  bool greeks;
  PrecisionChoice precision;
};

class BlockProgram : public testing::TestWithParam<Case> {
 protected:
  static PricingSettings settings(int rounds) {
    PricingSettings settings;
    settings.method = GetParam().method;
    settings.greeks = GetParam().greeks;
    settings.precision = GetParam().precision;
    settings.philox_rounds = rounds;
    return settings;
  }
};

TEST_P(BlockProgram, gives_the_moments_of_vectors_for_any_steps_and_samples) {
  for (std::int64_t const fixings : {1, 2, 3, 5, 63, 64, 65, 67, 200}) {
    if (is_small_build && fixings > 5 && fixings != 65) continue;
    for (Block const& block : blocks()) {
      expect_same_moments(settings(10), with_fixings(fixings), block);
    }
  }
}

TEST_P(BlockProgram, gives_the_moments_of_vectors_for_any_growth) {
  for (double const volatility : {0.002, 0.05, 0.2, 0.6, 2.0}) {
    expect_same_moments(settings(7), with_fixings(21, volatility), {0, 0, 0, block_samples});
  }
}

TEST_P(BlockProgram, gives_the_moments_of_vectors_for_any_payoff) {
  for (Contract const& contract :
       {put(with_start(seasoned(monthly_call()))), on_strike(monthly_call(), 0.95),
        geometric(monthly_call()), on_strike(geometric(seasoned(monthly_call())), 1.05)}) {
    expect_same_moments(settings(10), contract, {0, 0, 0, 777});
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryJob, BlockProgram, testing::ValuesIn([] {
      std::vector<Case> all;
      for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
        for (bool const greeks : {false, true}) {
          for (auto const precision : {PrecisionChoice::fp32, PrecisionChoice::fp64}) {
            all.push_back({method, greeks, precision});
          }
        }
      }
      return all;
    }()),
    [](testing::TestParamInfo<Case> const& tested) {
      auto const entry = std::ranges::find(methods(), tested.param.method, &MethodEntry::method);
      std::string name{entry->name};
      name += tested.param.greeks ? "_with_Greeks" : "";
      return name + (tested.param.precision == PrecisionChoice::fp32 ? "_single" : "_double");
    });

TEST(BlockProgramOfSobolPoints, goes_on_beyond_the_direction_numbers_and_far_out) {
  PricingSettings settings;
  settings.method = Method::rqmc;
  expect_same_moments(settings, with_fixings(sobol_dimensions + 3), {2, 0, 0, 3});
  expect_same_moments(settings, with_fixings(12), {1, 0, (std::int64_t{1} << 32) - 1024, 1024});
}

}  // namespace
}  // namespace makespan::asian
