// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/model/load_model.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "makespan/base/contracts.hpp"
#include "makespan/base/median.hpp"
#include "makespan/base/named_entry.hpp"

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 1> window_help{{
    {"phases", OptionKind::whole, 5.0, 1.0, 1000.0, "so many phases are looked at, the last ones"},
}};

std::span<double const> last_of(std::span<double const> past, std::int64_t count) {
  return past.last(std::min(past.size(), static_cast<std::size_t>(count)));
}

class LastPhase final : public LoadModel {
 public:
  static constexpr std::string_view name = "last";

  explicit LastPhase(OptionValues const& given) { expect_no_options(name, given); }
  [[nodiscard]] double next(std::span<double const> past) const override { return past.back(); }
  [[nodiscard]] std::int64_t phases() const override { return 1; }
};

class MedianOfPhases final : public LoadModel {
 public:
  static constexpr std::string_view name = "median";

  explicit MedianOfPhases(OptionValues const& given)
      : phases_{CheckedOptions(name, window_help, given).whole("phases")} {}
  [[nodiscard]] double next(std::span<double const> past) const override {
    auto const window = last_of(past, phases_);
    return median_or({window.begin(), window.end()}, 0.0);
  }
  [[nodiscard]] std::int64_t phases() const override { return phases_; }

 private:
  std::int64_t phases_;
};

class LinearOverPhases final : public LoadModel {
 public:
  static constexpr std::string_view name = "linear";

  explicit LinearOverPhases(OptionValues const& given)
      : phases_{CheckedOptions(name, window_help, given).whole("phases")} {}
  [[nodiscard]] double next(std::span<double const> past) const override {
    auto const window = last_of(past, phases_);
    auto const count = static_cast<double>(window.size());
    double mean = 0.0;
    for (double const value : window) mean += value / count;
    double const middle = (count - 1.0) / 2.0;
    double product = 0.0;
    double square = 0.0;
    for (std::size_t i = 0; i < window.size(); ++i) {
      double const off = static_cast<double>(i) - middle;
      product += off * window[i];
      square += off * off;
    }
    double const slope = square > 0.0 ? product / square : 0.0;
    return std::max(0.0, mean + slope * (count - middle));
  }
  [[nodiscard]] std::int64_t phases() const override { return phases_; }

 private:
  std::int64_t phases_;
};

template <class Model>
LoadModelEntry entry(std::string_view summary, std::span<OptionHelp const> options) {
  return {Model::name, summary, options,
          [](OptionValues const& given) -> std::unique_ptr<LoadModel> {
            return std::make_unique<Model>(given);
          }};
}

// What the model says, by object and kind; nothing where it did not run.
using Known = std::vector<std::optional<double>>;

Known known_work(std::span<MeasuredPhase const> phases, int objects, int kinds,
                 LoadModel const& model) {
  for (MeasuredPhase const& phase : phases) {
    MAKESPAN_EXPECT(std::ssize(phase.work) == objects && std::ssize(phase.kind) == objects);
  }
  auto const columns = static_cast<std::size_t>(kinds);
  Known known(static_cast<std::size_t>(objects) * columns);
  std::vector<std::vector<double>> past(columns);  // of one object, by kind
  for (std::size_t object = 0; object < static_cast<std::size_t>(objects); ++object) {
    for (auto& of_kind : past) of_kind.clear();
    for (MeasuredPhase const& phase : phases) {
      if (phase.work[object] < 0.0) continue;
      MAKESPAN_EXPECT(phase.kind[object] >= 0 && phase.kind[object] < kinds);
      past[static_cast<std::size_t>(phase.kind[object])].push_back(phase.work[object]);
    }
    for (std::size_t kind = 0; kind < columns; ++kind) {
      if (!past[kind].empty()) known[object * columns + kind] = model.next(past[kind]);
    }
  }
  return known;
}

// Work on `to` over that on `from`, of objects that ran on both.
double ratio_between(Known const& known, std::size_t kinds, std::size_t from, std::size_t to) {
  if (from == to) return 1.0;
  std::vector<double> ratios;
  for (std::size_t row = 0; row < known.size(); row += kinds) {
    auto const& first = known[row + from];
    auto const& second = known[row + to];
    if (first && second && *first > 0.0) ratios.push_back(*second / *first);
  }
  return median_or(std::move(ratios), 1.0);
}

// By kind: the median of what is known; of kinds without any, of all.
std::vector<double> usual_work(Known const& known, std::size_t kinds) {
  std::vector<double> all;
  std::vector<std::vector<double>> of_kind(kinds);
  for (std::size_t cell = 0; cell < known.size(); ++cell) {
    if (!known[cell]) continue;
    all.push_back(*known[cell]);
    of_kind[cell % kinds].push_back(*known[cell]);
  }
  double const of_all = median_or(std::move(all), 0.0);
  std::vector<double> usual;
  usual.reserve(kinds);
  for (auto& values : of_kind) usual.push_back(median_or(std::move(values), of_all));
  return usual;
}

}  // namespace

std::span<LoadModelEntry const> load_models() {
  static std::array const entries{
      entry<LastPhase>("as in the last phase", {}),
      entry<LinearOverPhases>("on the line through the last phases", window_help),
      entry<MedianOfPhases>("the median of the last phases", window_help),
  };
  return entries;
}

std::unique_ptr<LoadModel> make_load_model(std::string_view name, OptionValues const& given) {
  return entry_named("load model", load_models(), name).make(given);
}

std::vector<double> next_work(std::span<MeasuredPhase const> phases, int objects, int kinds,
                              LoadModel const& model) {
  MAKESPAN_EXPECT(objects >= 0 && kinds >= 1);
  auto const columns = static_cast<std::size_t>(kinds);
  Known const known = known_work(phases, objects, kinds, model);
  bool const are_all_known =
      std::ranges::all_of(known, [](auto const& each) { return each.has_value(); });
  std::vector<double> const usual =
      are_all_known ? std::vector<double>(columns) : usual_work(known, columns);
  std::vector<double> ratios;
  for (std::size_t from = 0; from < columns; ++from) {
    for (std::size_t to = 0; to < columns; ++to) {
      ratios.push_back(ratio_between(known, columns, from, to));
    }
  }
  std::vector<double> work(known.size());
  for (std::size_t row = 0; row < known.size(); row += columns) {
    std::size_t from = 0;
    while (from < columns && !known[row + from]) ++from;
    for (std::size_t to = 0; to < columns; ++to) {
      double const other =
          from < columns ? *known[row + from] * ratios[from * columns + to] : usual[to];
      work[row + to] = known[row + to].value_or(other);
    }
  }
  return work;
}

}  // namespace makespan::graph
