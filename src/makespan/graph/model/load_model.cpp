// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/model/load_model.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

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
    // Counted from the middle, phases add up to 0: the line of least squares has the mean there.
    double const middle = (count - 1.0) / 2.0;
    double product = 0.0;
    double square = 0.0;
    for (std::size_t i = 0; i < window.size(); ++i) {
      double const off = static_cast<double>(i) - middle;
      product += off * window[i];
      square += off * off;
    }
    double const slope = square > 0.0 ? product / square : 0.0;
    // The phase that comes is number `count`. A line that falls may end below 0, no work does.
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

std::vector<double> next_work(std::span<MeasuredWork const> phases, int objects,
                              LoadModel const& model) {
  MAKESPAN_EXPECT(objects >= 0);
  for (MeasuredWork const& phase : phases) MAKESPAN_EXPECT(std::ssize(phase) == objects);
  constexpr double not_measured = -1.0;
  std::vector<double> work(static_cast<std::size_t>(objects), not_measured);
  std::vector<double> past;  // of one object
  std::vector<double> known;
  for (std::size_t object = 0; object < work.size(); ++object) {
    past.clear();
    for (MeasuredWork const& phase : phases) {
      if (phase[object] >= 0.0) past.push_back(phase[object]);
    }
    if (past.empty()) continue;
    work[object] = model.next(past);
    known.push_back(work[object]);
  }
  if (known.size() == work.size()) return work;
  double const usual = median_or(std::move(known), 0.0);
  std::ranges::replace(work, not_measured, usual);
  return work;
}

}  // namespace makespan::graph
