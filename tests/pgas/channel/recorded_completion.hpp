// SPDX-License-Identifier: Apache-2.0
#pragma once

// A Completion that remembers what it was told.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/transport/completion.hpp"

namespace makespan::pgas::fake {

class RecordedCompletion final : public Completion {
 public:
  void complete(std::span<std::byte const> bytes) noexcept override {
    answer.assign(bytes.begin(), bytes.end());
    ++completed;
  }
  void refuse(std::string_view text) noexcept override {
    refusal = text;
    ++refused;
  }
  void fail(ImageId image) noexcept override {
    lost = image;
    ++failed;
  }

  [[nodiscard]] int calls() const { return completed + refused + failed; }

  // The answer of an atomic.
  [[nodiscard]] std::uint64_t word() const {
    std::uint64_t value = 0;
    std::memcpy(&value, answer.data(), answer.size());
    return value;
  }

  std::vector<std::byte> answer{};
  std::string refusal{};
  ImageId lost{};
  int completed{0};
  int refused{0};
  int failed{0};
};

}  // namespace makespan::pgas::fake
