// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/team_order.hpp"

#include <span>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::pgas {

namespace {

constexpr int giver = 0;

}  // namespace

void send_order_all(Team& team, std::vector<std::byte> order) {
  if (std::ssize(order) > order_bytes_max) {
    throw InputError("an order of " + std::to_string(order.size()) + " bytes to other images",
                     "they take at most " + std::to_string(order_bytes_max), "give shorter lists");
  }
  // The size first, by which the others make room.
  static_cast<void>(team.broadcast_all(std::ssize(order), giver));
  if (!order.empty()) team.broadcast_all(std::span(order), giver);
}

std::vector<std::byte> await_order_all(Team& team) {
  auto const size = team.broadcast_all(std::ptrdiff_t{0}, giver, WaitLimit::none);
  if (size < 0 || size > order_bytes_max) {
    throw BadMessage(team.members().front(), "an order of " + std::to_string(size) + " bytes");
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (!bytes.empty()) team.broadcast_all(std::span(bytes), giver);
  return bytes;
}

}  // namespace makespan::pgas
