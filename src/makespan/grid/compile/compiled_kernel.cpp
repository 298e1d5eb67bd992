// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/compile/compiled_kernel.hpp"

#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/grid/compile/detail/kernel_source.hpp"
#include "makespan/grid/program/interpreter.hpp"

namespace makespan::grid {

namespace {

class CompiledKernel final : public RowKernel {
 public:
  CompiledKernel(KernelLibrary library, int planes)
      : library_{std::move(library)},
        rows_{reinterpret_cast<Rows>(library_.symbol(kernel_symbol))},
        planes_{planes} {
    if (rows_ != nullptr) return;
    throw InputError("a compiled kernel", "it has no " + std::string(kernel_symbol),
                     "delete the folder kernels of makespan's cache");
  }

  [[nodiscard]] std::string_view name() const override { return "compiled"; }
  [[nodiscard]] int planes() const override { return planes_; }
  void compute(int planes, RowStoring storing, RowsJob const& job) const override {
    rows_(planes, storing == RowStoring::past_caches ? 1 : 0, &job);
  }
  // 0 planes: a fence behind what was stored past the caches.
  void finish() const override { rows_(0, 0, nullptr); }

 private:
  using Rows = void (*)(int planes, int past_caches, RowsJob const* job);

  KernelLibrary library_;
  Rows rows_;
  int planes_;
};

}  // namespace

std::unique_ptr<RowKernel> compiled_kernel(CheckedProgram const& program,
                                           CompilerOptions const& options) {
  return std::make_unique<CompiledKernel>(compiled(kernel_source(program), options),
                                          planes_at_once(program));
}

std::unique_ptr<RowKernel> row_kernel(CheckedProgram const& program, KernelChoice choice,
                                      CompilerOptions const& options) {
  bool const has_compiler = choice != KernelChoice::interpreted && !find_compiler(options).empty();
  if (choice == KernelChoice::interpreted || (choice == KernelChoice::automatic && !has_compiler)) {
    return std::make_unique<Interpreter>(program);
  }
  return compiled_kernel(program, options);
}

}  // namespace makespan::grid
