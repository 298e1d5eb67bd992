// SPDX-License-Identifier: Apache-2.0
#pragma once

// What carries out a program along rows: compiled code, or an interpreter.

#include <cstdint>
#include <string_view>

namespace makespan::grid {

// Rows at one y of some planes one above the other. Compiled kernels are given it through a C
// interface, so that all members are plain; kernel_source.cpp repeats it.
struct RowsJob {
  // By row slot: where x is 0. Of several planes, rows of one field at the same y lie equally far
  // from those at the points' own y.
  double const* const* in{};
  double* const* out{};          // by updated field, then plane: likewise
  double const* const* ahead{};  // by field, then plane: a row that is soon to be read
  double const* parameters{};
  double const* low_values{};  // by field: beyond the domain's ends, if these are values
  double const* high_values{};
  // Points to compute, from begin up to, but not at, end; of rows of `extent` points. What lies
  // behind a row's last point may be overwritten.
  std::int64_t begin{};
  std::int64_t end{};
  std::int64_t extent{};
  // The domain's ends, as points of the rows: 0 and extent where the rows end with it. They may be
  // less than a halo away, and the halo's points beyond them hold nothing.
  std::int64_t domain_begin{};
  std::int64_t domain_end{};
  std::int32_t low{};  // what lies beyond the domain's ends: Beyond's numbers
  std::int32_t high{};
  // The first plane's point at x = 0, in the grid's numbers.
  double x{};
  double y{};
  double z{};
  double step{};
};

enum class RowStoring : std::uint8_t {
  in_cache,
  past_caches,  // for fields larger than the caches, which need not be read to be written
};

class RowKernel {
 public:
  RowKernel() = default;
  RowKernel(RowKernel const&) = delete;
  RowKernel& operator=(RowKernel const&) = delete;
  virtual ~RowKernel() = default;

  // "compiled", "interpreted".
  [[nodiscard]] virtual std::string_view name() const = 0;
  // That it computes at once; it computes one, too.
  [[nodiscard]] virtual int planes() const = 0;
  // Called by several threads at once. `planes` is planes() or 1.
  virtual void compute(int planes, RowStoring storing, RowsJob const& job) const = 0;
  // After the last row of a thread's sweep: what it stored may be read by others.
  virtual void finish() const {}
};

}  // namespace makespan::grid
