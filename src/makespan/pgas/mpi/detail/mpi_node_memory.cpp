// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/detail/mpi_node_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/pgas/job/unique_handle.hpp"
#include "makespan/pgas/mpi/mpi_error.hpp"

namespace makespan::pgas {

namespace {

struct InfoTraits {
  using Handle = MPI_Info;
  static Handle null() { return MPI_INFO_NULL; }
  static bool is_null(Handle info) { return info == MPI_INFO_NULL; }
  // Fails only for an info that is none.
  static void release(Handle info) noexcept { static_cast<void>(MPI_Info_free(&info)); }
};

// Each segment in pages of its own: a node's memory is then where its owner first touched it.
UniqueHandle<InfoTraits> apart_info(ImageId image) {
  UniqueHandle<InfoTraits> info;
  check_mpi(MPI_Info_create(info.out()), "MPI_Info_create", image);
  check_mpi(MPI_Info_set(info.get(), "alloc_shared_noncontig", "true"), "MPI_Info_set", image);
  return info;
}

}  // namespace

MpiNodeMemory::MpiNodeMemory(MpiCollectives& node, CollectiveWait const& wait, std::int64_t bytes)
    : node_{node}, wait_{wait} {
  MAKESPAN_EXPECT(bytes > 0);
  auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  auto const size = static_cast<std::size_t>(bytes);
  auto const info = apart_info(self());
  void* begin = nullptr;
  wait.meet_all(node, "MPI_Win_allocate_shared");
  // One page more, since MPI need not begin where a page does; a node of one gets plain memory.
  check_mpi(MPI_Win_allocate_shared(checked_cast<MPI_Aint>(size + page), 1, info.get(),
                                    node.communicator(), static_cast<void*>(&begin), &window_),
            "MPI_Win_allocate_shared", self());
  check_mpi(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler", self());
  find_segments(size, page);
  // By its owner: so its pages are near the owner's core.
  auto const mine = segment(self());
  std::memset(mine.data(), 0, mine.size());
  // No image writes before the owner has zeroed the memory.
  wait.meet_all(node, "MPI_Win_allocate_shared");
}

void MpiNodeMemory::find_segments(std::size_t bytes, std::size_t page) {
  for (std::size_t rank = 0; rank < node_.members().size(); ++rank) {
    MPI_Aint size = 0;
    int unit = 0;
    void* begin = nullptr;
    check_mpi(MPI_Win_shared_query(window_, checked_cast<int>(rank), &size, &unit,
                                   static_cast<void*>(&begin)),
              "MPI_Win_shared_query", self());
    auto space = checked_cast<std::size_t>(size);
    // The same byte in every process, since mappings begin where pages do.
    begin = std::align(page, bytes, begin, space);
    MAKESPAN_ASSERT(begin != nullptr);
    segments_.emplace_back(static_cast<std::byte*>(begin), bytes);
  }
}

ImageId MpiNodeMemory::self() const {
  return node_.members()[static_cast<std::size_t>(node_.rank())];
}

std::span<std::byte> MpiNodeMemory::segment(ImageId image) const {
  auto const members = node_.members();
  auto const at = std::ranges::lower_bound(members, image);
  if (segments_.empty() || at == members.end() || *at != image) return {};
  return segments_[static_cast<std::size_t>(at - members.begin())];
}

void MpiNodeMemory::close_all() {
  if (window_ == MPI_WIN_NULL) return;
  wait_.meet_all(node_, "MPI_Win_free");
  segments_.clear();
  check_mpi(MPI_Win_free(&window_), "MPI_Win_free", self());
}

}  // namespace makespan::pgas
