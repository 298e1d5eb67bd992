// SPDX-License-Identifier: Apache-2.0
// What one thread needs to price options: tables of the option at hand and the kernels' work space.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "makespan/apps/asian/contract/basket_law.hpp"
#include "makespan/apps/asian/contract/contract.hpp"
#include "makespan/apps/asian/contract/contract_law.hpp"
#include "makespan/apps/asian/contract/schedule.hpp"
#include "makespan/apps/asian/estimate/estimate.hpp"
#include "makespan/apps/asian/estimate/rare_floors.hpp"
#include "makespan/apps/asian/estimate/sampling.hpp"
#include "makespan/apps/asian/gpu/block_job.hpp"
#include "makespan/apps/asian/kernel/kernels.hpp"
#include "makespan/apps/asian/path/heston_steps.hpp"
#include "makespan/apps/asian/path/path_tables.hpp"
#include "makespan/apps/asian/recursion/solver.hpp"
#include "makespan/apps/asian/run/detail/option_estimate.hpp"
#include "makespan/apps/asian/run/pricing_settings.hpp"
#include "makespan/simd/aligned_buffer.hpp"

namespace makespan::asian {

// The precision of an option's paths. `automatic` is single unless single precision would show: a
// target error below 1e-6 of the spot, near what its paths are biased by (1e-7), or more than 2^24
// paths, 2^20 of a low-discrepancy method, whose error comes as near to that; a volatility to
// expiry below 0.005, where rounding is the same on all paths and no noise; above 5, or a growth
// above e^80, where factors leave its range; more than 4096 fixings, each of which would be a few
// last places of the sum.
Precision precision_for(Contract const& contract, PricingSettings const& settings);

// The same of a row's paths, which by the settings' method may be taken as a basket.
Precision precision_of_paths(Contract const& contract, PricingSettings const& settings);

// What is known of the controls of a payoff.
struct PayoffControl {
  Outputs mean;                  // of each output's own
  Outputs jump;                  // exercise_jump.hpp
  std::array<double, 2> linear;  // means of the two linear ones
  AverageScales average{};       // for outputs of which there is no mean
};

// Not thread-safe: one per thread. Allocates only when an option is larger than all before it.
class OptionWorker {
 public:
  // Both must outlive it.
  OptionWorker(PricingSettings const& settings, Kernels const& kernels);
  OptionWorker(PricingSettings&& settings, Kernels const& kernels) = delete;

  // Makes `contract` the option at hand; it and its times must outlive the next call.
  void prepare(Contract const& contract);
  void prepare(Contract&& contract) = delete;

  // The exact result, if the option needs no simulation.
  [[nodiscard]] std::optional<OptionResult> exact();

  // The result of the recursion, given that it has solved the option's law.
  [[nodiscard]] OptionResult solved(recursion::Solver const& solver) const;

  // Simulates one block; its moments, valid until the next call. Once `stop` is asked for it
  // returns early, and they are meaningless.
  std::span<double const> run(Block const& block, std::stop_token const& stop = {});

  // What the threads of a GPU need to make blocks of the option at hand, and one of them
  // (gpu/block_job.hpp). The option's spans are valid until the next prepare().
  [[nodiscard]] BlockOption block_option();
  [[nodiscard]] BlockItem block_item(Block const& block) const;

  // Whether an option is at hand that has had a block.
  [[nodiscard]] bool has_moments() const { return moments_ready_; }
  // What makes a result of the option's moments, now and when another option is at hand.
  [[nodiscard]] OptionEstimate estimator();
  // Of the paths of the option at hand.
  [[nodiscard]] Precision precision() const { return precision_; }
  [[nodiscard]] Sampling const& sampling() const { return sampling_; }

 private:
  using SimulateF64 = void (*)(PathJob const&, double*);

  [[nodiscard]] SimulateF64 simulate_f64() const;
  void prepare_normals(int steps);
  void prepare_sobol(std::span<double const> clock, int factors);
  void prepare_moments();
  [[nodiscard]] ContractLaw simulated_law() const;
  void prepare_estimate(ContractLaw const& simulated, PayoffControl const& control);
  void prepare_heston();
  void prepare_basket();
  [[nodiscard]] bool is_smoothed() const;
  void scramble(int replicate);
  [[nodiscard]] OptionResult noiseless(Outputs value, Outputs const& bound) const;
  [[nodiscard]] OptionEstimate estimate_so_far() const;
  template <class T>
  void run_slabs(Block const& block, std::stop_token const& stop,
                 void (*simulate)(PathJob const&, T*),
                 void (*add)(MomentJob const&, T const*, double*));

  PricingSettings const& settings_;
  Kernels const& kernels_;
  Method method_ = Method::mc;  // by which the option at hand is simulated
  Sampling sampling_{};
  Contract const* contract_ = nullptr;
  Precision precision_ = Precision::fp32;
  Schedule schedule_;
  ContractLaw law_{};  // of a basket, that in basket_law_
  BasketSchedule basket_schedule_;
  BasketLaw basket_law_{};
  Basket of_one_{};    // of a row without a basket, where the method wants one
  Contract on_one_{};  // and the row with it
  Outputs parity_{};   // what the contract's side has over the simulated one
  PathTableStore tables_;
  std::vector<HestonStep> heston_steps_;
  PathJob path_job_{};
  MomentJob moment_job_{};
  EstimateTerms estimate_terms_{};
  Outputs control_error_{};  // of the controls' means, 0 where they are known to rounding
  double bound_ = 0;
  std::array<bool, output_count> has_{};  // outputs that the option has; others are empty
  bool moments_ready_ = false;
  int scrambled_replicate_ = -1;
  std::vector<simd::PhiloxStep> philox_steps_;
  std::vector<BridgeStep> bridge_;
  std::vector<double> inverse_root_dt_;
  std::vector<std::uint32_t> scramble_;
  std::vector<std::uint32_t> sobol_base_;
  std::vector<double> work_;
  std::vector<double> moments_;
  simd::AlignedBuffer<std::byte> normals_;
  simd::AlignedBuffer<double> basket_state_;
  simd::AlignedBuffer<double> functionals_;
  simd::AlignedBuffer<double> strands_;
};

}  // namespace makespan::asian
