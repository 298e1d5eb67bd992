// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/team_order.hpp"

#include <span>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/pgas/announced_bytes.hpp"

namespace makespan::pgas {

namespace {

constexpr int giver = 0;
constexpr Announced order_size{.what = "an order", .bytes_max = order_bytes_max};

}  // namespace

void send_order_all(Team& team, std::vector<std::byte> order) {
  if (std::ssize(order) > order_bytes_max) {
    throw InputError("an order of " + std::to_string(order.size()) + " bytes to other images",
                     "they take at most " + std::to_string(order_bytes_max), "give shorter lists");
  }
  // The size first, by which the others make room.
  static_cast<void>(announced_bytes_all(team, order_size, std::ssize(order), giver));
  if (!order.empty()) team.broadcast_all(std::span(order), giver);
}

std::vector<std::byte> await_order_all(Team& team) {
  Announced patient = order_size;
  patient.limit = WaitLimit::none;
  std::int64_t const size = announced_bytes_all(team, patient, 0, giver);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (!bytes.empty()) team.broadcast_all(std::span(bytes), giver);
  return bytes;
}

}  // namespace makespan::pgas
