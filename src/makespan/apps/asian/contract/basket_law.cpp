// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/basket_law.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "makespan/apps/asian/contract/detail/basket_instants.hpp"
#include "makespan/apps/asian/contract/detail/local_slices.hpp"
#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

double square_of(double x) {
  return x * x;
}

// One of the two lognormals while it comes together.
struct Group {
  double total = 0;  // mean of its prices' sum
  double convexity = 0;
  double time = 0;
  double volatility_time = 0;
  std::vector<double> tail{};  // (steps, underlyings): p of this step's price and of all later ones
};

// Of a price at its forward, in the middle of the first step.
double time_slope(Surface const& surface, double dt) {
  double const h = 0.125 * dt;
  double const after = SurfaceSlice{surface, 0.5 * dt + h}.at(0);
  double const before = SurfaceSlice{surface, 0.5 * dt - h}.at(0);
  return (after - before) / (2 * h);
}

// A volatility by time, for a control.
struct Matched {
  std::vector<double> time{};
  std::vector<double> total{};
  std::vector<double> root_total{};
  Curve curve{};
};

// Of half the range of directions: the series of an exponential is then off by less than 1e-8 of
// the payoff's sum.
constexpr double smooth_half_max = 0.4;
// And of directions themselves: beyond, Newton's steps to the root need not come to an end.
constexpr double direction_max = 1;
// Of the widest price's deviation: below it the first-order sum does not move.
constexpr double still_share = 1e-3;
constexpr double tiny = 1e-300;

class Builder {
 public:
  Builder(Contract const& contract, BasketSchedule& schedule)
      : contract_{contract},
        basket_{*contract.basket},
        schedule_{schedule},
        instants_{instants_of(contract)},
        matched_(basket_.underlyings.size()) {
    for (std::size_t k = 0; k < count(); ++k) {
      Underlying const& one = basket_.underlyings[k];
      alone_.push_back(alone(contract, one));
      if (one.surface != nullptr && !instants_.empty()) match(*one.surface, k);
    }
  }

  BasketLaw build() {
    lay_steps();
    if (has_surface(basket_)) lay_slices(basket_, schedule_);
    double const constant = constant_of(contract_);
    // What is certain counts to the lognormal of its sign, so that G - H has the sum's mean.
    long_.total = std::max(constant, 0.0);
    short_.total = std::max(-constant, 0.0);
    BasketLaw out{};
    out.law.arithmetic.constant = constant;
    // Before weigh(), which divides by the totals.
    add_prices(out.law);
    weigh(long_, 1);
    weigh(short_, -1);
    fill_law(out);
    fill_drifts(out.law);
    fill_directions(out);
    return out;
  }

 private:
  [[nodiscard]] std::size_t count() const { return basket_.underlyings.size(); }
  [[nodiscard]] std::size_t steps() const { return schedule_.steps.size(); }
  [[nodiscard]] BasketTerm& term(std::size_t i, std::size_t k) {
    return schedule_.terms[i * count() + k];
  }

  // The volatility of a price that stays at its forward.
  void match(Surface const& surface, std::size_t k) {
    Matched& matched = matched_[k];
    double before = 0;
    double total = 0;
    double root_total = 0;
    for (Instant const& at : instants_) {
      double const dt = at.time - before;
      double const volatility = SurfaceSlice{surface, before + 0.5 * dt}.at(0);
      total += square_of(volatility) * dt;
      root_total += volatility * dt;
      matched.time.push_back(at.time);
      matched.total.push_back(total);
      matched.root_total.push_back(root_total);
      before = at.time;
    }
    matched.curve = {.kind = CurveKind::forward_volatility,
                     .time = matched.time,
                     .value = {},
                     .total = matched.total,
                     .root_total = matched.root_total};
    // It stays where it is: matched_ and alone_ end together, and matched_ never grows.
    alone_[k].volatility_curve = &matched.curve;
    alone_[k].volatility = std::sqrt(total / before);
  }

  void lay_steps() {
    schedule_.steps.clear();
    schedule_.terms.assign(instants_.size() * count(), {});
    schedule_.grids.clear();
    forward_.assign(instants_.size() * count(), 0);
    double before = 0;
    for (std::size_t i = 0; i < instants_.size(); ++i) {
      Instant const& at = instants_[i];
      double const dt = at.time - before;
      schedule_.steps.push_back(
          {.dt = dt, .root_dt = std::sqrt(dt), .time = at.time, .has_price = at.has_price});
      for (std::size_t k = 0; k < count(); ++k) {
        Underlying const& one = basket_.underlyings[k];
        Contract const& own = alone_[k];
        // A difference of two totals of a curve may round to less than 0.
        double const variance = std::max(variance_between(own, before, at.time), 0.0);
        double const growth = growth_to(own, at.time);
        BasketTerm& it = term(i, k);
        it.deviation = std::sqrt(variance);
        // Of deviation · y to a shift of the volatility; without one, that of the shift alone.
        it.vega_root = it.deviation > 0 ? volatility_between(own, before, at.time) / it.deviation
                                        : std::sqrt(at.time - before);
        // With local volatility the steps of X take off what variance costs: basket_step-inl.hpp.
        it.log_growth = one.surface != nullptr ? growth : growth - 0.5 * variance_to(own, at.time);
        it.weight = at.weight * one.weight * one.spot / basket_.gross;
        it.volatility = volatility_to(own, at.time);
        forward_[i * count() + k] = it.weight * simd::portable_exp(growth);
      }
      before = at.time;
    }
  }

  void add_prices(ContractLaw& law) {
    law.forward.average = law.arithmetic.constant;
    for (std::size_t i = 0; i < steps(); ++i) {
      for (std::size_t k = 0; k < count(); ++k) {
        double const part = forward_[i * count() + k];
        (part > 0 ? long_ : short_).total += std::fabs(part);
        law.forward.average += part;
        law.forward.average_time += part * schedule_.steps[i].time;
        law.forward.growth_now += part * drift_now(alone_[k]);
      }
    }
    // With no time left S_T is part of the constant, and yet theta is the limit of ever less time.
    if (contract_.payoff != Payoff::average_strike || contract_.expiry > 0) return;
    for (std::size_t k = 0; k < count(); ++k) {
      Underlying const& one = basket_.underlyings[k];
      law.forward.growth_now += one.weight * one.spot / basket_.gross * drift_now(alone_[k]);
    }
  }

  // Of the prices whose weights have this sign.
  void weigh(Group& group, double sign) {
    group.tail.assign(steps() * count(), 0);
    if (group.total == 0) return;
    for (std::size_t k = 0; k < count(); ++k) {
      double tail = 0;
      for (std::size_t i = steps(); i-- > 0;) {
        double const part = sign * forward_[i * count() + k];
        double const p = part > 0 ? part / group.total : 0;
        double const time = schedule_.steps[i].time;
        tail += p;
        group.tail[i * count() + k] = tail;
        group.convexity += 0.5 * p * variance_to(alone_[k], time);
        group.time += p * time;
        group.volatility_time += p * term(i, k).volatility;
      }
    }
  }

  void fill_law(BasketLaw& out) {
    ContractLaw& law = out.law;
    double const level = level_of(contract_);
    bool const has_forwards = basket_.underlyings.front().forward_curve != nullptr;
    bool const is_free = !has_forwards && !contract_.drift_given;
    law.common = {.side = contract_.side,
                  .volatility = 0,
                  .volatility_now = 0,
                  .volatility_time = 0,
                  .rate = rate_now(contract_),
                  .drift = 0,
                  .expiry = contract_.expiry,
                  .payment = payment_time(contract_),
                  .rho_drift = is_free ? 1.0 : 0.0,
                  .multiplier = 1,
                  .has_own_theta = true,
                  .has_own_delta = has_surface(basket_)};
    law.discount = simd::portable_exp(-interest(contract_));
    law.forward.terminal = long_.total + short_.total;
    law.arithmetic.level = level;
    law.arithmetic.gamma_scale = square_of(level);
    law.arithmetic.terminal_scale = 1;
    law.log.strike = level;
    law.log.level = long_.total > 0 ? simd::portable_log(long_.total) - long_.convexity : 0;
    law.log.time = long_.time;
    law.log.volatility_time = long_.volatility_time;
    law.log.share = 1;
    law.log.share_pde = 1;
    law.log.gamma_scale = square_of(level);
    law.log.boundary_power = -1;
    law.log_convexity = long_.convexity;
    bool const has_short = short_.total > 0;
    out.short_part.is_there = has_short;
    out.short_part.level = has_short ? simd::portable_log(short_.total) - short_.convexity : 0;
    out.short_part.long_scale = has_short ? long_.total : 1;
    out.short_part.scale = has_short ? short_.total : 0;
  }

  void fill_drifts(ContractLaw& law) {
    schedule_.drifts.assign(count(), {});
    if (steps() == 0) return;
    for (std::size_t k = 0; k < count(); ++k) {
      double const deviation = term(0, k).deviation;
      double const variance = square_of(volatility_now(alone_[k]));
      BasketDrift& drift = schedule_.drifts[k];
      drift.growth = drift_now(alone_[k]);
      drift.convexity = -0.5 * variance;
      // d(sigma sqrt(dt)) / d(dt) = sigma^2 / (2 sigma sqrt(dt)).
      drift.slope = deviation > 0 ? 0.5 * variance / deviation : 0;
      drift.log_weight = long_.tail[k];
      Surface const* const surface = basket_.underlyings[k].surface;
      if (surface != nullptr) drift.volatility_slope = time_slope(*surface, schedule_.steps[0].dt);
      law.log.theta_constant += drift.log_weight * (drift.growth + drift.convexity);
    }
  }

  // Correlations times a vector over underlyings.
  void correlate(std::span<double const> x, std::vector<double>& out) const {
    out.assign(count(), 0);
    for (std::size_t k = 0; k < count(); ++k) {
      for (std::size_t l = 0; l < count(); ++l) {
        out[k] += basket_.correlation[k * count() + l] * x[l];
      }
    }
  }

  // Weights of the logarithms, their covariances, and the direction along which the sum varies
  // most.
  void fill_directions(BasketLaw& out) {
    std::size_t const n = count();
    std::vector<double> exercise(n);
    std::vector<double> slope(n);
    std::vector<double> of_exercise;
    std::vector<double> of_long;
    std::vector<double> of_short;
    std::vector<double> both(2 * n);
    std::vector<double> with(n);  // covariance of ln S with the exercise variable
    double variance = 0;
    double variance_long = 0;
    double variance_short = 0;
    for (std::size_t i = 0; i < steps(); ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        BasketTerm& it = term(i, k);
        it.log_weight = long_.tail[i * n + k] * it.deviation;
        it.log_weight_short = short_.tail[i * n + k] * it.deviation;
        it.vega_log_weight = long_.tail[i * n + k] * it.vega_root;
        both[k] = it.log_weight;
        both[n + k] = it.log_weight_short;
        exercise[k] =
            out.short_part.long_scale * it.log_weight - out.short_part.scale * it.log_weight_short;
        slope[k] = i == 0 ? schedule_.drifts[k].log_weight * schedule_.drifts[k].slope : 0;
      }
      // Normals of different steps are independent: covariances add up over steps.
      correlate(exercise, of_exercise);
      correlate(std::span{both}.first(n), of_long);
      correlate(std::span{both}.last(n), of_short);
      for (std::size_t k = 0; k < n; ++k) {
        BasketTerm& it = term(i, k);
        variance += exercise[k] * of_exercise[k];
        variance_long += it.log_weight * of_long[k];
        variance_short += it.log_weight_short * of_short[k];
        out.pair.covariance += it.log_weight * of_short[k];
        out.law.vega.logs += it.vega_log_weight * of_long[k];
        out.law.log_theta_covariance += slope[k] * of_long[k];
        with[k] += it.deviation * of_exercise[k];
        it.direction = with[k];
      }
    }
    double const deviation = std::sqrt(std::max(variance, 0.0));
    out.law.log.deviation = deviation;
    out.law.log_variance = std::max(variance_long, 0.0);
    out.pair.level = out.law.log.level;
    out.pair.level_short = out.short_part.level;
    out.pair.deviation = std::sqrt(out.law.log_variance);
    out.pair.deviation_short = std::sqrt(std::max(variance_short, 0.0));
    fill_smooth(out, deviation);
  }

  [[nodiscard]] double widest_deviation() const {
    double widest = 0;
    for (std::size_t k = 0; k < count(); ++k) {
      widest = std::max(widest, deviation_of(schedule_, count(), k));
    }
    return widest;
  }

  // Prices that move against one another leave a control that does not move: as a difference, of
  // which nothing is taken off, it needs no variance.
  static void make_certain(BasketLaw& out) {
    if (out.short_part.is_there) return;
    constexpr double nothing = -700;  // the logarithm
    out.short_part.is_there = true;
    out.short_part.level = nothing;
    out.pair.level_short = nothing;
  }

  // Directions of prices in the payoff's sum.
  void fill_smooth(BasketLaw& out, double deviation) {
    bool const is_still = deviation <= still_share * widest_deviation() * out.short_part.long_scale;
    if (is_still) make_certain(out);
    out.has_gamma = schedule_.grids.empty() && !is_still;
    double low = 0;
    double high = 0;
    bool is_first = true;
    for (BasketTerm& it : schedule_.terms) {
      it.direction = deviation > 0 ? it.direction / deviation : 0;
      out.has_gamma = out.has_gamma && it.weight * it.direction >= 0;
      if (it.weight == 0) continue;
      low = is_first ? it.direction : std::min(low, it.direction);
      high = is_first ? it.direction : std::max(high, it.direction);
      is_first = false;
    }
    SmoothTerms& smooth = out.smooth;
    smooth.centre = 0.5 * (low + high);
    smooth.half = 0.5 * (high - low);
    bool const is_near = std::fabs(smooth.centre) + smooth.half <= direction_max;
    smooth.is_there = out.has_gamma && is_near && smooth.half <= smooth_half_max;
    for (BasketTerm& it : schedule_.terms) {
      bool const counts = it.weight != 0 && smooth.half > 0;
      it.place = counts ? (it.direction - smooth.centre) / smooth.half : 0;
    }
    ContractLaw const& law = out.law;
    // Where the control is exercised; a difference of two lognormals to first order.
    double const start =
        out.short_part.is_there
            ? (law.arithmetic.level - law.forward.average) / deviation
            : (simd::portable_log(std::max(law.arithmetic.level, tiny)) - law.log.level) /
                  deviation;
    smooth.start = smooth.is_there ? std::clamp(start, -8.0, 8.0) : 0;
  }

  Contract const& contract_;
  Basket const& basket_;
  BasketSchedule& schedule_;
  std::vector<Instant> instants_;
  std::vector<Matched> matched_;  // of local volatilities
  std::vector<Contract> alone_;
  std::vector<double> forward_;  // (steps, underlyings): mean of the price's part of the sum
  Group long_;
  Group short_;
};

}  // namespace

BasketLaw make_basket_law(Contract const& contract, BasketSchedule& schedule) {
  return Builder{contract, schedule}.build();
}

bool basket_is_certain(Contract const& contract) {
  std::vector<Instant> const instants = instants_of(contract);
  auto const& underlyings = contract.basket->underlyings;
  auto const has = [&](double sign) {
    return std::ranges::any_of(instants, [&](Instant const& at) {
      return std::ranges::any_of(
          underlyings, [&](Underlying const& one) { return sign * at.weight * one.weight > 0; });
    });
  };
  double const left = level_of(contract) - constant_of(contract);
  bool const is_above = left <= 0 && !has(-1);
  bool const is_below = left >= 0 && !has(1);
  return is_above || is_below || basket_stands_still(contract);
}

std::int64_t basket_step_count(Contract const& contract) {
  return static_cast<std::int64_t>(instants_of(contract).size());
}

}  // namespace makespan::asian
