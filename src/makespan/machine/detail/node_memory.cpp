// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/detail/node_memory.hpp"

#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/machine/detail/hwloc_handle.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace makespan::machine {

namespace {

// A random access to small pages measures their tables, too. Refused where the system has no huge
// pages, which costs no more than that.
void prefer_huge_pages(std::span<std::byte> bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  static_cast<void>(madvise(bytes.data(), bytes.size(), MADV_HUGEPAGE));
#else
  static_cast<void>(bytes);
#endif
}

}  // namespace

std::optional<NodeMemory> NodeMemory::on(Machine const& machine, int place, std::size_t bytes) {
  Machine::Handle& handle = machine.handle();
  hwloc_obj_t const node = handle.objects.at(static_cast<std::size_t>(place));
  MAKESPAN_EXPECT(node->type == HWLOC_OBJ_NUMANODE);
  bool const is_only_one = places_of(machine.topology(), PlaceKind::numa_node).size() == 1;
  // Of a single node all memory is, and no binding is needed, which containers often refuse.
  // Strict: rather nothing than memory of another node, whose costs would be told as those of this
  // one.
  void* memory =
      is_only_one ? hwloc_alloc(handle.topology, bytes)
                  : hwloc_alloc_membind(handle.topology, bytes, node->nodeset, HWLOC_MEMBIND_BIND,
                                        HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_STRICT);
  if (memory == nullptr) return std::nullopt;
  std::span const all(static_cast<std::byte*>(memory), bytes);
  prefer_huge_pages(all);
  return NodeMemory(handle, all);
}

NodeMemory::NodeMemory(NodeMemory&& other) noexcept
    : handle_{other.handle_}, bytes_{std::exchange(other.bytes_, {})} {
}

NodeMemory& NodeMemory::operator=(NodeMemory&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

NodeMemory::~NodeMemory() {
  // A failure to give memory back leaves it with the process, whose end takes it.
  if (!bytes_.empty()) {
    static_cast<void>(hwloc_free(handle_->topology, bytes_.data(), bytes_.size()));
  }
}

}  // namespace makespan::machine
