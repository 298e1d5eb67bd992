// SPDX-License-Identifier: Apache-2.0
// makespan._core: the engine as Python sees it. Thin: columns in as numpy arrays without copies,
// columns out, no decisions.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings/entries.hpp"
#include "bindings/exit.hpp"
#include "bindings/graph.hpp"
#include "bindings/grid.hpp"
#include "bindings/grid_simulation.hpp"
#include "bindings/machine.hpp"
#include "bindings/melt.hpp"
#include "bindings/module.hpp"
#include "bindings/mpi.hpp"
#include "bindings/pricing.hpp"
#include "bindings/tasks.hpp"
#include "makespan/apps/asian/contract/option_key.hpp"
#include "makespan/apps/asian/kernel/kernels.hpp"
#include "makespan/apps/asian/run/pricing_settings.hpp"
#include "makespan/bag/dispatcher.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "makespan/base/configuration.hpp"
#include "makespan/cuda/gpu.hpp"
#include "makespan/pgas/options.hpp"
#include "makespan/trace/trace.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

nb::list span_kinds() {
  using makespan::trace::SpanKind;
  nb::list names;
  for (SpanKind const kind : {SpanKind::run, SpanKind::claim, SpanKind::steal, SpanKind::idle})
    names.append(nb::cast(makespan::trace::name_of(kind)));
  return names;
}

nb::list available_isas() {
  nb::list names;
  for (makespan::asian::Kernels const* kernels : makespan::asian::Kernels::available())
    names.append(nb::cast(kernels->isa));
  return names;
}

nb::dict build_info() {
  makespan::Configuration const& built = makespan::configuration();
  nb::dict info;
  info["version"] = nb::cast(built.version);
  info["git"] = nb::cast(built.git_commit);
  info["compiler"] = nb::cast(built.compiler);
  info["build_type"] = nb::cast(built.build_type);
  info["contracts"] = nb::cast(built.contracts);
  info["isas"] = available_isas();
  info["with"] = nb::str(MAKESPAN_BUILT_WITH).attr("split")();  // CMakeLists.txt beside this file
  info["heap_bytes"] = nb::cast(makespan::pgas::RuntimeOptions{}.heap_bytes);
  return info;
}

nb::dict gpus() {
  makespan::cuda::Discovery const& found = makespan::cuda::discover();
  nb::list names;
  for (makespan::cuda::Gpu const& gpu : found.gpus) names.append(nb::cast(gpu.name));
  nb::dict out;
  out["names"] = names;
  out["why_none"] = nb::cast(found.why_none);
  return out;
}

char const* name_of(makespan::bag::PolicyForm form) {
  switch (form) {
    case makespan::bag::PolicyForm::closed:
      return "closed";
    case makespan::bag::PolicyForm::memoryless:
      return "memoryless";
    case makespan::bag::PolicyForm::history:
      return "history";
  }
  return "";
}

nb::list policies() {
  nb::list all = bindings::named(makespan::bag::policies());
  std::size_t at = 0;
  for (makespan::bag::PolicyEntry const& entry : makespan::bag::policies()) {
    nb::cast<nb::dict>(all[at++])["form"] = name_of(entry.form);
  }
  return all;
}

using Bytes = nb::ndarray<std::uint8_t const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<std::int64_t const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::object option_keys(Bytes const& text, Offsets const& offsets) {
  return bindings::owned(
      makespan::asian::option_keys({text.data(), text.size()}, {offsets.data(), offsets.size()}));
}

}  // namespace

NB_MODULE(_core, module) {
  bindings::begin_module();
  module.doc() =
      "The makespan engine. Use the package makespan, which checks and explains its inputs.";
  module.def("version", [] { return std::string(makespan::configuration().version); });
  module.def("build_info", &build_info);
  module.def("gpus", &gpus, "Names of the GPUs that CUDA shows; if there are none, why.");
  module.def("available_isas", &available_isas,
             "Instruction sets of this build that this machine has, fastest first.");
  module.def("policies", &policies, "Chunk policies: name, summary, options and form.");
  module.def(
      "methods", [] { return bindings::named(makespan::asian::methods()); },
      "Estimators: name and summary.");
  module.def(
      "dispatchers", [] { return bindings::named(makespan::bag::dispatchers()); },
      "How items come to devices: name and summary.");
  module.def("span_kinds", &span_kinds, "What a span of a timeline can be.");
  module.def(
      "modes", [] { return bindings::named(makespan::bag::modes()); },
      "How options are laid on threads: name and summary.");
  module.def("option_keys", &option_keys, "text"_a, "offsets"_a,
             "64-bit keys of ids: id i is the UTF-8 text[offsets[i]:offsets[i + 1]].");
  bindings::bind_exit(module);
  bindings::bind_graph(module);
  bindings::bind_grid(module);
  bindings::bind_machine(module);
  bindings::bind_melt(module);
  bindings::bind_mpi(module);
  bindings::bind_grid_simulation(module);
  bindings::bind_pricing(module);
  bindings::bind_tasks(module);
}
