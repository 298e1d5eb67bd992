// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/message_cost_cache.hpp"

#include <unistd.h>

#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

#include "makespan/graph/object/machine_use.hpp"

namespace makespan::graph {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view first_line =
    "makespan message costs 1: latency, send, receive, byte [s]";

constexpr std::string_view last_word = "end";

// What a clock and a memory of this world may say.
bool is_cost(double value_s) {
  return value_s > 0.0 && value_s < 1e3;
}

}  // namespace

MessageCostCache::MessageCostCache(fs::path const& folder, std::uint64_t key) {
  if (folder.empty()) return;
  path_ = folder / ("message_costs_" + std::to_string(key) + ".txt");
}

std::optional<std::vector<MessageCost>> MessageCostCache::read(std::size_t pairs) const {
  std::error_code error;
  auto const written =
      path_.empty() ? fs::file_time_type::min() : fs::last_write_time(path_, error);
  if (path_.empty() || error) return std::nullopt;
  if (fs::file_time_type::clock::now() - written > std::chrono::days(kept_days)) {
    return std::nullopt;
  }
  std::ifstream file(path_);
  std::string line;
  if (!std::getline(file, line) || line != first_line) return std::nullopt;
  std::vector<MessageCost> costs;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    MessageCost cost;
    file >> cost.latency_s >> cost.send_s >> cost.receive_s >> cost.byte_s;
    if (!is_cost(cost.latency_s) || !is_cost(cost.send_s) || !is_cost(cost.receive_s) ||
        !is_cost(cost.byte_s)) {
      return std::nullopt;
    }
    costs.push_back(cost);
  }
  std::string last;
  file >> last;
  // A file that ends early, in the middle of a number maybe, does not end so.
  if (last != last_word) return std::nullopt;
  return costs;
}

void MessageCostCache::write(std::vector<MessageCost> const& costs) const {
  if (path_.empty()) return;
  std::error_code error;
  fs::create_directories(path_.parent_path(), error);
  if (error) return;
  // Another run may write at the same time.
  fs::path const draft = path_.string() + "." + std::to_string(::getpid());
  {
    std::ofstream file(draft);
    file.precision(std::numeric_limits<double>::max_digits10);
    file << first_line << '\n';
    for (MessageCost const& cost : costs) {
      file << cost.latency_s << ' ' << cost.send_s << ' ' << cost.receive_s << ' ' << cost.byte_s
           << '\n';
    }
    file << last_word << '\n';
    file.flush();
    if (!file) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) fs::rename(draft, path_, error);
  if (error) fs::remove(draft, error);
}

}  // namespace makespan::graph
