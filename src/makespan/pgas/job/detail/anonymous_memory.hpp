// SPDX-License-Identifier: Apache-2.0
#pragma once

// Node memory of an image that is alone.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "makespan/pgas/job/node_memory.hpp"
#include "makespan/pgas/job/unique_handle.hpp"

namespace makespan::pgas {

// One private mapping: zeroed and page-aligned, and given its pages when they are first touched.
class AnonymousMemory final : public NodeMemory {
 public:
  // Throws InputError if the operating system has no room for `bytes` bytes.
  AnonymousMemory(ImageId image, std::int64_t bytes);

  [[nodiscard]] std::span<std::byte> segment(ImageId image) const override;
  void close_all() override { mapping_.reset(); }

 private:
  struct MappingTraits {
    using Handle = std::span<std::byte>;
    static Handle null() { return {}; }
    static bool is_null(Handle mapping) { return mapping.data() == nullptr; }
    static void release(Handle mapping) noexcept;
  };

  ImageId image_;
  UniqueHandle<MappingTraits> mapping_;
};

}  // namespace makespan::pgas
