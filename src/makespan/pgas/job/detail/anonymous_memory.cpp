// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/detail/anonymous_memory.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::pgas {

namespace {

std::span<std::byte> map_anonymous(std::int64_t bytes) {
  auto const size = static_cast<std::size_t>(bytes);
  void* const begin =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED) {
    throw InputError("memory of " + std::to_string(bytes) + " bytes",
                     "the operating system says: " + std::generic_category().message(errno),
                     "ask for a smaller heap");
  }
  return {static_cast<std::byte*>(begin), size};
}

}  // namespace

AnonymousMemory::AnonymousMemory(ImageId image, std::int64_t bytes) : image_{image} {
  MAKESPAN_EXPECT(bytes > 0);
  mapping_.reset(map_anonymous(bytes));
}

std::span<std::byte> AnonymousMemory::segment(ImageId image) const {
  if (image != image_) return {};
  return mapping_.get();
}

// Fails only for a mapping that is none, which the handle rules out.
void AnonymousMemory::MappingTraits::release(Handle mapping) noexcept {
  static_cast<void>(::munmap(mapping.data(), mapping.size()));
}

}  // namespace makespan::pgas
