// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/ucx_port_key.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>

#include "makespan/base/error.hpp"

namespace makespan::pgas {

UcxPortKey draw_port_key() {
  std::random_device system;
  return (UcxPortKey{system()} << 32U) | system();
}

std::vector<std::byte> bytes_of(UcxPortCard const& card) {
  std::vector<std::byte> bytes(sizeof card.key + card.address.size());
  std::memcpy(bytes.data(), &card.key, sizeof card.key);
  std::ranges::copy(card.address, std::next(bytes.begin(), sizeof card.key));
  return bytes;
}

UcxPortCard port_card_of(std::vector<std::byte> const& bytes) {
  UcxPortCard card;
  if (bytes.size() <= sizeof card.key) {
    throw InputError("the UCX address of an image",
                     "it has " + std::to_string(bytes.size()) + " bytes",
                     "start the same executable on all images");
  }
  std::memcpy(&card.key, bytes.data(), sizeof card.key);
  card.address.assign(std::next(bytes.begin(), sizeof card.key), bytes.end());
  return card;
}

}  // namespace makespan::pgas
