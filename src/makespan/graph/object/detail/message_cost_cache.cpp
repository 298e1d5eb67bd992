// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/message_cost_cache.hpp"

#include <fstream>
#include <limits>
#include <sstream>
#include <system_error>
#include <utility>

#include "makespan/base/output_file.hpp"
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
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  text << first_line << '\n';
  for (MessageCost const& cost : costs) {
    text << cost.latency_s << ' ' << cost.send_s << ' ' << cost.receive_s << ' ' << cost.byte_s
         << '\n';
  }
  text << last_word << '\n';
  // What is not kept is measured anew.
  static_cast<void>(write_output(path_, {text.view()}));
}

}  // namespace makespan::graph
