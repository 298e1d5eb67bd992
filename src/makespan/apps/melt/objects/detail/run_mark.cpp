// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/objects/detail/run_mark.hpp"

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::melt {

namespace {

// As short as it can be read back.
template <class Number>
  requires std::integral<Number> || std::floating_point<Number>
std::string text_of(Number value) {
  std::array<char, 32> digits{};
  auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

std::string text_of(Counts3 const& counts) {
  std::string text("[");
  for (int const each : counts) text.append(text_of(each)).append(", ");
  text.replace(text.size() - 2, 2, "]");
  return text;
}

struct NamedText {
  std::string_view name;
  std::string text;
};

// What must be the same.
std::vector<NamedText> texts_of(RunMark const& mark) {
  MeltSettings const& settings = mark.settings;
  return {{"lattice_cells", text_of(settings.lattice_cells)},
          {"density", text_of(settings.density)},
          {"temperature", text_of(settings.temperature)},
          {"cutoff", text_of(settings.cutoff)},
          {"skin", text_of(settings.skin)},
          {"time_step", text_of(settings.time_step)},
          {"cells", text_of(settings.cells)},
          {"rebuild_steps", text_of(settings.rebuild_steps)},
          {"seed", text_of(settings.seed)},
          {"phase_steps", text_of(mark.phase_steps)}};
}

}  // namespace

void check_goes_on(RunMark const& saved, RunMark const& now, std::int64_t phase) {
  std::vector<NamedText> const before = texts_of(saved);
  std::vector<NamedText> const after = texts_of(now);
  for (std::size_t at = 0; at < before.size(); ++at) {
    // Texts that read back exactly differ where numbers do.
    if (before[at].text == after[at].text) continue;
    throw InputError(std::string(after[at].name) + " = " + after[at].text,
                     "the checkpoint is of a run with " + before[at].text,
                     "go on with the input that wrote it; steps and thermo_steps may be others");
  }
  if (now.settings.steps == saved.step) {
    throw InputError("steps = " + text_of(now.settings.steps),
                     "the checkpoint has done all of them: the run is at its end",
                     "raise steps to go on; files that the end did not write come again from the "
                     "checkpoint before it");
  }
  if (now.settings.steps < saved.step) {
    throw InputError("steps = " + text_of(now.settings.steps),
                     "the checkpoint has done " + text_of(saved.step) + " of them",
                     "give more to go on");
  }
  // By division, since a phase that a file names may be as great as numbers are.
  if (saved.step % saved.phase_steps != 0 || saved.step / saved.phase_steps != phase - 1) {
    throw InputError("the checkpoint of step " + text_of(saved.step),
                     "it was the end of a run, in the middle of a phase of " +
                         text_of(saved.phase_steps) + " steps",
                     "go on from the one before it");
  }
}

}  // namespace makespan::melt
