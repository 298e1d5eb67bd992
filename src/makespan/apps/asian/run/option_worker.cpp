// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/option_worker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "makespan/apps/asian/contract/option_key.hpp"
#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/apps/asian/estimate/cash_greeks.hpp"
#include "makespan/apps/asian/estimate/exact_price.hpp"
#include "makespan/apps/asian/estimate/exercise_jump.hpp"
#include "makespan/apps/asian/estimate/log_payoff.hpp"
#include "makespan/apps/asian/estimate/lower_bound.hpp"
#include "makespan/apps/asian/estimate/moment_tree.hpp"
#include "makespan/apps/asian/path/bridge.hpp"
#include "makespan/apps/asian/path/sobol.hpp"
#include "makespan/apps/asian/recursion/reduced_option.hpp"
#include "makespan/apps/asian/run/detail/simulation_method.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

// Keys that keep the streams of one option apart.
constexpr std::uint64_t scramble_domain = 0x536372616d626c65;  // "Scramble"
constexpr std::uint64_t beyond_domain = 0x4265796f6e640000;    // "Beyond"

// What closed forms may be off by, as a share of the value and of the forward: the distribution
// function's 3e-13, and what a Greek makes of it.
constexpr double closed_form_rounding = 1e-11;

// Likewise an integral over a transform (estimate/heston_control.hpp).
constexpr double transform_rounding = 1e-9;

simd::PhiloxStream stream_of(Contract const& contract, std::uint64_t domain) {
  return {contract.seed ^ domain, static_cast<std::uint32_t>(contract.key),
          static_cast<std::uint32_t>(contract.key >> 32)};
}

// Mixed before replicates are counted on: otherwise seeds that differ in their last bits have the
// same keys, in another order of replicates.
simd::PhiloxStream replicate_stream(Contract const& contract, std::uint64_t domain, int replicate) {
  simd::PhiloxStream stream = stream_of(contract, 0);
  stream.key = mixed(contract.seed ^ domain) + static_cast<std::uint64_t>(replicate);
  return stream;
}

// rqmc_smooth integrates average prices of baskets: it takes a single asset as a basket of one.
bool is_taken_as_basket(Contract const& contract, Method method) {
  return method == Method::rqmc_smooth && contract.basket == nullptr &&
         contract.payoff == Payoff::average_price && contract.average == Average::arithmetic &&
         !contract.heston.is_given() && contract.cash_dividends.present_value == 0 &&
         !has_exact_price(contract, method);
}

}  // namespace

Precision precision_for(Contract const& contract, PricingSettings const& settings) {
  bool const has_model = contract.heston.is_given() || contract.basket != nullptr;
  if (!has_constant_volatility(contract) || has_model) return Precision::fp64;
  if (settings.precision != PrecisionChoice::automatic) {
    return settings.precision == PrecisionChoice::fp64 ? Precision::fp64 : Precision::fp32;
  }
  // Where each limit comes from is in the header; the largest float is e^88.7.
  double const deviation = contract.volatility * std::sqrt(contract.expiry);
  double const growth =
      std::fabs(growth_to(contract, contract.expiry)) + 0.5 * deviation * deviation;
  std::int64_t const many = is_low_discrepancy(settings.method) ? 1 << 20 : 1 << 24;
  bool const fine =
      contract.std_error > 0 ? contract.std_error < 1e-6 * contract.spot : contract.paths > many;
  bool const narrow = deviation < 5e-3;
  bool const wide = deviation > 5 || growth + 6 * deviation > 80;
  bool const long_sum = contract.fixings > 4096;
  return fine || narrow || wide || long_sum ? Precision::fp64 : Precision::fp32;
}

Precision precision_of_paths(Contract const& contract, PricingSettings const& settings) {
  if (is_taken_as_basket(contract, settings.method)) return Precision::fp64;
  return precision_for(contract, settings);
}

OptionWorker::OptionWorker(PricingSettings const& settings, Kernels const& kernels)
    : settings_{settings}, kernels_{kernels} {
  functionals_.reserve(functional_count * slab_samples);
  strands_.reserve(moment_count_max * strand_count);
}

void OptionWorker::prepare(Contract const& contract) {
  contract_ = &contract;
  if (is_taken_as_basket(contract, settings_.method)) {
    of_one_ = basket_of_one(contract);
    on_one_ = contract;
    on_one_.basket = &of_one_;
    contract_ = &on_one_;
  }
  precision_ = precision_for(*contract_, settings_);
  if (contract_->basket == nullptr) {
    lay_out(*contract_, kernels_.exp_all, schedule_);
    law_ = make_law(*contract_, schedule_);
  } else {
    basket_law_ = make_basket_law(*contract_, basket_schedule_);
    law_ = basket_law_.law;
  }
  BasketLaw const* const basket = contract_->basket == nullptr ? nullptr : &basket_law_;
  method_ = simulation_method(*contract_, settings_, basket);
  sampling_ = sampling_by(method_, settings_);
  // With the first block: prices that need no simulation need none of it.
  moments_ready_ = false;
  scrambled_replicate_ = -1;
}

std::optional<OptionResult> OptionWorker::exact() {
  auto const known = exact_outputs(*contract_, settings_.method, law_, schedule_);
  if (!known) return std::nullopt;
  Outputs bound{};
  double const rounding = contract_->heston.is_given() ? transform_rounding : closed_form_rounding;
  for (std::size_t k = 0; k < output_count; ++k) {
    double const size = std::fabs(known->value[k]) + law_.forward.terminal + 1;
    bound[k] = rounding * size + known->error[k];
  }
  OptionResult result = noiseless(known->value, bound);
  result.method_price = result.value[price];
  return result;
}

OptionResult OptionWorker::solved(recursion::Solver const& solver) const {
  recursion::ReducedPrice const price = recursion::price_of(*contract_, law_, solver);
  OptionResult result = noiseless(price.value, price.bound);
  if (!settings_.greeks) {
    for (std::size_t k = delta; k < output_count; ++k) {
      result.value[k] = std::numeric_limits<double>::quiet_NaN();
      result.error_bound[k] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return result;
}

OptionResult OptionWorker::noiseless(Outputs value, Outputs const& bound) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  // No payoff is below 0, so neither is the price, whatever its last digits say.
  if (value[price] <= 0) value[price] = 0;
  // A bound is scaled as an error is: by the size of the notional, without its sign.
  OptionResult result = estimate_so_far().scaled(value, bound);
  result.error_bound = std::exchange(result.std_error, {});
  result.control_beta = none;
  result.variance_reduction = none;
  result.method_price = none;
  return result;
}

void OptionWorker::prepare_normals(int steps) {
  path_job_.stream = stream_of(*contract_, 0);
  path_job_.round_keys = simd::philox_round_keys(path_job_.stream.key);
  path_job_.philox_rounds = settings_.philox_rounds;
  path_job_.normals = normals_.reserve(normals_bytes(path_job_.source, steps));
  // A counter of Philox gives four words of 32 bits: a normal takes one of them, or two in double.
  int const per_counter = precision_ == Precision::fp32 ? 4 : 2;
  philox_steps_.resize(static_cast<std::size_t>((steps + per_counter - 1) / per_counter));
  for (std::size_t i = 0; i < philox_steps_.size(); ++i) {
    philox_steps_[i] = simd::philox_step(path_job_.stream, static_cast<std::uint32_t>(i));
  }
  path_job_.philox_steps = philox_steps_;
}

void OptionWorker::prepare_sobol(std::span<double const> clock, int factors) {
  auto const steps = clock.size();
  lay_bridge(clock, bridge_);
  // The bridge gives the path itself; kernels want the increments, divided by their deviations.
  inverse_root_dt_.resize(steps);
  // By a curve's clock no time may pass between fixings that are an instant apart.
  double before = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    inverse_root_dt_[i] = clock[i] > before ? 1 / std::sqrt(clock[i] - before) : 0;
    before = clock[i];
  }
  scramble_.resize(steps * static_cast<std::size_t>(factors));
  sobol_base_.resize(scramble_.size());
  path_job_.sobol = {bridge_,
                     inverse_root_dt_,
                     scramble_,
                     sobol_directions(),
                     sobol_dimensions,
                     sobol_base_,
                     stream_of(*contract_, beyond_domain),
                     factors};
  path_job_.normals =
      normals_.reserve(normals_bytes(path_job_.source, static_cast<int>(steps), factors));
}

void OptionWorker::scramble(int replicate) {
  if (replicate == scrambled_replicate_) return;
  scrambled_replicate_ = replicate;
  simd::PhiloxStream const stream = replicate_stream(*contract_, scramble_domain, replicate);
  // A word for each dimension, four of a counter; the replicate is in the key, so that replicates
  // are scrambled independently of each other.
  for (std::size_t k = 0; k < scramble_.size(); k += 4) {
    simd::PhiloxCounter const words = simd::philox(
        {0, stream.word_1, static_cast<std::uint32_t>(k / 4), stream.word_3}, stream.key);
    for (std::size_t i = k; i < std::min(k + 4, scramble_.size()); ++i) scramble_[i] = words[i - k];
  }
  // Dimensions past those that have direction numbers are pseudo-random.
  path_job_.sobol.beyond.key = replicate_stream(*contract_, beyond_domain, replicate).key;
}

BlockOption OptionWorker::block_option() {
  MAKESPAN_EXPECT(contract_ != nullptr);
  if (!moments_ready_) prepare_moments();
  return {.path = path_job_, .moments = moment_job_};
}

BlockItem OptionWorker::block_item(Block const& block) const {
  MAKESPAN_EXPECT(contract_ != nullptr);
  return {.sample_first = block.sample_first,
          .samples = block.samples,
          .option = 0,
          .scramble_key = replicate_stream(*contract_, scramble_domain, block.replicate).key,
          .beyond_key = replicate_stream(*contract_, beyond_domain, block.replicate).key};
}

void OptionWorker::prepare_moments() {
  Contract const& contract = *contract_;
  bool const plain = method_ == Method::mc_plain;
  bool const sobol = is_low_discrepancy(method_);
  path_job_.source = sobol ? NormalSource::sobol : NormalSource::philox;
  path_job_.antithetic = !plain;
  path_job_.greeks = settings_.greeks;
  path_job_.logs = !plain || settings_.greeks || contract.average == Average::geometric;
  has_.fill(true);
  control_error_ = {};
  path_job_.model = PathModel::lognormal;
  path_job_.heston = {};
  path_job_.basket = {};
  if (contract.basket != nullptr) return prepare_basket();
  path_job_.tables = make_tables(contract, schedule_, precision_, kernels_.exp_all, tables_);
  law_.arithmetic.terminal_scale = terminal_scale(contract, precision_);
  if (contract.heston.is_given()) return prepare_heston();
  sobol ? prepare_sobol(schedule_.clock, 1) : prepare_normals(schedule_.steps());

  ContractLaw const simulated = simulated_law();
  double const g_mean = simd::portable_exp(law_.log.level + 0.5 * law_.log_variance);
  prepare_estimate(simulated, {.mean = log_outputs(simulated, contract.payoff),
                               .jump = exercise_jump(simulated, contract.payoff),
                               .linear = {law_.forward.average, g_mean}});
  // A linear control of which the others leave less than this is rounding of the paths, and is
  // left out (docs/explanation/estimators.md).
  if (precision_ == Precision::fp32) estimate_terms_.resolution = 2e-6;
  bool const on_price = contract.payoff == Payoff::average_price;
  if (!on_price || contract.average != Average::arithmetic) return;
  // Curran's bound, below which no price is: an estimate far under it has missed where the value
  // lies, and its error is then the distance (docs/explanation/estimators.md).
  bound_ = lower_bound(simulated, schedule_, kernels_, work_);
  estimate_terms_.price_min = bound_;
  double const seen = std::fabs(estimate_terms_.centre[price]);
  if (bound_ <= seen) return;
  estimate_terms_.floor[price] = bound_;
  // Greeks are missed with it, by as much; where the control is nothing, by something.
  double const times = bound_ / seen;
  for (std::size_t k = 1; k < output_count; ++k) {
    double const floor = estimate_terms_.floor[k] * times;
    estimate_terms_.floor[k] = std::isfinite(floor) ? floor : bound_;
  }
}

// The side that is out of the money, by parity (docs/decisions/0007).
ContractLaw OptionWorker::simulated_law() const {
  ContractLaw simulated = law_;
  bool const plain = method_ == Method::mc_plain;
  simulated.common.side =
      plain ? contract_->side : cheaper_side(law_, simulated_payoff(*contract_));
  return simulated;
}

void OptionWorker::prepare_estimate(ContractLaw const& simulated, PayoffControl const& control) {
  Payoff const payoff = simulated_payoff(*contract_);
  Outputs const forward = forward_outputs(law_, payoff);
  double const over =
      0.5 * (contract_->side - simulated.common.side);  // a call is a put and the forward
  for (std::size_t k = 0; k < output_count; ++k) parity_[k] = over * forward[k];
  bool const plain = method_ == Method::mc_plain;
  moment_job_ = {.estimator = plain ? Estimator::plain : Estimator::controlled,
                 .payoff = payoff,
                 .average = contract_->average,
                 .greeks = settings_.greeks,
                 .is_of_model = contract_->heston.is_given() || contract_->basket != nullptr,
                 .has_own_twin = false,
                 .common = simulated.common,
                 .arithmetic = simulated.arithmetic,
                 .log = simulated.log,
                 .short_part = {},
                 .smooth = {},
                 .parity = over,
                 .own_centre = control.mean[price] + over * forward[price],
                 .centre = control.mean,
                 .control_mean = control.mean,
                 .linear_mean = control.linear,
                 .samples = 0};
  bound_ = control.mean[price];
  Outputs const floors = rare_floors(control.mean, simulated.common, control.average);
  estimate_terms_ = {
      .estimator = moment_job_.estimator,
      .greeks = settings_.greeks,
      .centre = control.mean,
      .jump = control.jump,
      .floor = floors,
      .floor_over_price = {},
      .price_min = 0,
      .resolution = 1e-12,
      .rho_over_price = simulated.common.rho_drift == 0 ? -simulated.common.payment : 0};
  for (std::size_t k = 0; k < output_count; ++k) {
    bool const is_known = control.mean[k] != 0 || !(floors[price] > 0);
    if (!is_known) estimate_terms_.floor_over_price[k] = floors[k] / floors[price];
  }
  moments_.resize(static_cast<std::size_t>(moment_count(moment_job_.estimator, settings_.greeks)));
  moments_ready_ = true;
}

OptionWorker::SimulateF64 OptionWorker::simulate_f64() const {
  if (path_job_.model == PathModel::heston) return kernels_.simulate_heston;
  return path_job_.model == PathModel::basket ? kernels_.simulate_basket : kernels_.simulate_f64;
}

template <class T>
void OptionWorker::run_slabs(Block const& block, std::stop_token const& stop,
                             void (*simulate)(PathJob const&, T*),
                             void (*add)(MomentJob const&, T const*, double*)) {
  auto* const values =
      reinterpret_cast<T*>(functionals_.data());  // raw memory, large enough for doubles
  for (int done = 0; done < block.samples && !stop.stop_requested(); done += slab_samples) {
    path_job_.sample_first = static_cast<std::uint64_t>(block.sample_first + done);
    path_job_.samples = std::min(slab_samples, block.samples - done);
    moment_job_.samples = path_job_.samples;
    simulate(path_job_, values);
    add(moment_job_, values, strands_.data());
  }
}

std::span<double const> OptionWorker::run(Block const& block, std::stop_token const& stop) {
  MAKESPAN_EXPECT(contract_ != nullptr);
  if (!moments_ready_) prepare_moments();
  if (path_job_.source == NormalSource::sobol) scramble(block.replicate);
  // A block's sums are 16 strands, added in a fixed tree: the same bits with vectors of any length
  // (docs/explanation/kernels.md).
  std::fill_n(strands_.data(), moments_.size() * strand_count, 0.0);
  if (precision_ == Precision::fp32) {
    run_slabs<float>(block, stop, kernels_.simulate_f32, kernels_.add_moments_f32);
  } else {
    run_slabs<double>(block, stop, simulate_f64(), kernels_.add_moments_f64);
  }
  add_up_strands({strands_.data(), moments_.size() * strand_count}, moments_);
  return moments_;
}

OptionEstimate OptionWorker::estimator() {
  MAKESPAN_EXPECT(contract_ != nullptr);
  if (!moments_ready_) prepare_moments();
  return estimate_so_far();
}

OptionEstimate OptionWorker::estimate_so_far() const {
  // Without what a worker keeps of one that is taken as a basket.
  Contract contract = *contract_;
  if (contract.basket == &of_one_) contract.basket = nullptr;
  return {.contract = contract,
          .law = law_,
          .sampling = sampling_,
          .terms = estimate_terms_,
          .parity = parity_,
          .control_error = control_error_,
          .bound = bound_,
          .has = has_,
          .is_smoothed = is_smoothed()};
}

}  // namespace makespan::asian
