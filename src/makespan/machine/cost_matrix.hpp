// SPDX-License-Identifier: Apache-2.0
#pragma once

// Costs between places of a machine: one measured number for each pair, in a named table.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace makespan::machine {

enum class CostKind {
  latency,    // in seconds where we measured it; small is near
  bandwidth,  // in bytes per second where we measured it; large is near
  other,
};

// `values` holds a row for each place of `from`, with a column for each of `to`; 0 is a pair that
// was not measured. Places are numbers in the topology that holds the matrix, and no place is in a
// list twice. Either both lists are the same, or the places of one are of other types than those of
// the other.
struct CostMatrix {
  std::string name{};
  CostKind kind{CostKind::other};
  std::vector<int> from{};
  std::vector<int> to{};
  std::vector<double> values{};

  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    return values[row * to.size() + column];
  }

  friend bool operator==(CostMatrix const&, CostMatrix const&) = default;
};

// The matrices that measure.hpp makes. Others come from the operating system ("NUMALatency",
// without a unit) or from another program. A matrix whose name begins with `measured_prefix` is in
// SI units.
inline constexpr std::string_view measured_prefix = "makespan:";
inline constexpr std::string_view core_latency_name = "makespan:core_latency";
inline constexpr std::string_view memory_latency_name = "makespan:memory_latency";
inline constexpr std::string_view memory_copy_name = "makespan:memory_copy_bandwidth";
inline constexpr std::string_view memory_triad_name = "makespan:memory_triad_bandwidth";
// Of messages between objects at two threads of one process (graph/message_matrices.hpp).
inline constexpr std::string_view message_latency_name = "makespan:message_latency";
inline constexpr std::string_view message_send_name = "makespan:message_send";
inline constexpr std::string_view message_receive_name = "makespan:message_receive";
inline constexpr std::string_view message_bandwidth_name = "makespan:message_bandwidth";
inline constexpr std::string_view gpu_latency_name = "makespan:gpu_latency";
inline constexpr std::string_view gpu_upload_name = "makespan:gpu_upload_bandwidth";
inline constexpr std::string_view gpu_download_name = "makespan:gpu_download_bandwidth";

// Throws InputError where it is no matrix over some of `places` places as the above says: by the
// number of its values, a place that is not there, is in a list twice or in both of two lists that
// differ, or a value that is negative or no number.
void check(CostMatrix const& matrix, std::size_t places);

// Whether the values are in seconds, or bytes per second.
[[nodiscard]] bool has_unit(CostMatrix const& matrix);

// "latency", "bandwidth", "other".
[[nodiscard]] std::string_view name_of(CostKind kind);

}  // namespace makespan::machine
