// SPDX-License-Identifier: Apache-2.0
#pragma once

// A node without MPI: its images are threads of the test, or processes that it forks. What they
// share is one mapping that was there before.

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/job/node_memory.hpp"

namespace makespan::pgas::fake {

class FakeNode {
 public:
  static constexpr int images_max = 8;
  static constexpr std::size_t exchange_bytes_max = 256;

  FakeNode(int images, std::int64_t segment_bytes)
      : images_{images}, segment_bytes_{static_cast<std::size_t>((segment_bytes + 4095) & ~4095)} {
    for (int image = 0; image < images; ++image) ids_.emplace_back(image);
    void* const mapping = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MAKESPAN_ASSERT(mapping != MAP_FAILED);
    base_ = static_cast<std::byte*>(mapping);
  }
  FakeNode(FakeNode const&) = delete;
  FakeNode& operator=(FakeNode const&) = delete;
  ~FakeNode() { ::munmap(base_, bytes()); }

  [[nodiscard]] std::span<ImageId const> ids() const { return ids_; }
  [[nodiscard]] std::span<std::byte> segment(int image) const {
    return {base_ + table_bytes + static_cast<std::size_t>(image) * segment_bytes_, segment_bytes_};
  }

  // Maps everything once more, elsewhere: as another process sees it.
  void map_elsewhere() {
    void* const mapping = ::mremap(base_, 0, bytes(), MREMAP_MAYMOVE);
    MAKESPAN_ASSERT(mapping != MAP_FAILED);
    MAKESPAN_ASSERT(mapping != base_);
    base_ = static_cast<std::byte*>(mapping);
  }

  // Blocks until all images have called it.
  std::vector<std::vector<std::byte>> exchange_all(int image, std::span<std::byte const> mine) {
    MAKESPAN_EXPECT(mine.size() <= exchange_bytes_max);
    Table& table = *reinterpret_cast<Table*>(base_);
    table.lengths[image] = static_cast<std::uint32_t>(mine.size());
    if (!mine.empty()) std::memcpy(table.bytes[image], mine.data(), mine.size());
    wait_for_all(table);
    std::vector<std::vector<std::byte>> all;
    for (int from = 0; from < images_; ++from) {
      all.emplace_back(table.bytes[from], table.bytes[from] + table.lengths[from]);
    }
    wait_for_all(table);
    return all;
  }

 private:
  // In shared memory that is all 0 at first.
  struct Table {
    std::uint32_t arrived;
    std::uint32_t rounds;
    std::uint32_t lengths[images_max];
    std::byte bytes[images_max][exchange_bytes_max];
  };
  static constexpr std::size_t table_bytes = (sizeof(Table) + 4095) & ~std::size_t{4095};

  void wait_for_all(Table& table) const {
    std::atomic_ref<std::uint32_t> const rounds(table.rounds);
    std::uint32_t const round = rounds.load();
    if (std::atomic_ref(table.arrived).fetch_add(1) + 1 == static_cast<std::uint32_t>(images_)) {
      std::atomic_ref(table.arrived).store(0);
      rounds.fetch_add(1);
    }
    while (rounds.load() == round) std::this_thread::yield();
  }

  [[nodiscard]] std::size_t bytes() const {
    return table_bytes + static_cast<std::size_t>(images_) * segment_bytes_;
  }

  int images_;
  std::size_t segment_bytes_;
  std::vector<ImageId> ids_;
  std::byte* base_{};
};

class FakeNodeMemory final : public NodeMemory {
 public:
  explicit FakeNodeMemory(FakeNode const& node) : node_{node} {}

  std::span<std::byte> segment(ImageId image) const override {
    return node_.segment(static_cast<int>(image.value()));
  }
  void close_all() override {}

 private:
  FakeNode const& node_;
};

// One image's view of the node.
class FakeJob : public Job {
 public:
  FakeJob(FakeNode& node, int image) : node_{node}, image_{image} {}

  ImageId image() const override { return ImageId{image_}; }
  int images() const override { return static_cast<int>(node_.ids().size()); }
  std::span<ImageId const> node_images() const override { return node_.ids(); }
  int nodes() const override { return 1; }
  std::string const& host(ImageId) const override { return name_; }
  std::string const& launcher() const override { return name_; }
  std::vector<std::vector<std::byte>> exchange_all(std::span<std::byte const> mine) override {
    return node_.exchange_all(image_, mine);
  }
  std::unique_ptr<NodeMemory> allocate_node_memory_all(std::int64_t) override {
    return std::make_unique<FakeNodeMemory>(node_);
  }
  std::unique_ptr<Collectives> world_collectives_all() override { return nullptr; }
  std::string loss_of(ImageId) const override { return {}; }
  int lost_images() const override { return 0; }
  void report_loss(ImageId, std::string const&) override {}
  void finish_all() override {}

 private:
  FakeNode& node_;
  int image_;
  std::string name_{"fake"};
};

}  // namespace makespan::pgas::fake
