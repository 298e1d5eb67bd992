// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an object will take in the next phase, from what it took in those before.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/base/option_values.hpp"

namespace makespan::graph {

// Tested by tests/graph/model/load_model_test.cpp.
class LoadModel {
 public:
  virtual ~LoadModel() = default;

  // Work of the next phase from that of past ones, the oldest first, at least one. Never negative.
  [[nodiscard]] virtual double next(std::span<double const> past) const = 0;
  // How many of them it looks at, the last ones.
  [[nodiscard]] virtual std::int64_t phases() const = 0;
};

// What the registry knows of one. The texts live as long as the program.
struct LoadModelEntry {
  std::string_view name;
  std::string_view summary;
  std::span<OptionHelp const> options;
  std::unique_ptr<LoadModel> (*make)(OptionValues const& given);
};

// All models, the default first:
//
//   last     as in the last phase
//   median   the median of the last `phases`; of an even number the mean of the middle two
//   linear   on the line of least squares through the last `phases`
[[nodiscard]] std::span<LoadModelEntry const> load_models();

// Throws InputError on an unknown name or option and on a value out of range.
[[nodiscard]] std::unique_ptr<LoadModel> make_load_model(std::string_view name,
                                                         OptionValues const& given);

// Of one phase, by object: measured time times the speed of its place; below 0: not measured.
using MeasuredWork = std::vector<double>;

// Work of the next phase, by object, from phases of which the last is the latest: what the model
// says of those that it was measured in. An object that was in none has the median of all that
// were, or 0.
[[nodiscard]] std::vector<double> next_work(std::span<MeasuredWork const> phases, int objects,
                                            LoadModel const& model);

}  // namespace makespan::graph
