// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/detail/single_collectives.hpp"

#include <cstring>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/job/element.hpp"

namespace makespan::pgas {

namespace {

class DoneOperation final : public CollectiveOperation {
 public:
  [[nodiscard]] bool test() override { return true; }
};

Collectives::Operation copy(std::span<std::byte const> in, std::span<std::byte> out) {
  MAKESPAN_EXPECT(out.size() == in.size());
  if (!in.empty()) std::memmove(out.data(), in.data(), in.size());  // they may be the same
  return std::make_unique<DoneOperation>();
}

}  // namespace

Collectives::Operation SingleCollectives::barrier() {
  return std::make_unique<DoneOperation>();
}

Collectives::Operation SingleCollectives::broadcast(std::span<std::byte> /*data*/, int root) {
  MAKESPAN_EXPECT(root == 0);
  return std::make_unique<DoneOperation>();
}

Collectives::Operation SingleCollectives::reduce(ElementType type, ReduceOp op,
                                                 std::span<std::byte const> in,
                                                 std::span<std::byte> out, int root) {
  MAKESPAN_EXPECT(root == 0);
  return all_reduce(type, op, in, out);
}

Collectives::Operation SingleCollectives::all_reduce(ElementType type, ReduceOp op,
                                                     std::span<std::byte const> in,
                                                     std::span<std::byte> out) {
  expect_reducible(type, op, in.size());
  return copy(in, out);
}

Collectives::Operation SingleCollectives::inclusive_scan(ElementType type, ReduceOp op,
                                                         std::span<std::byte const> in,
                                                         std::span<std::byte> out) {
  return all_reduce(type, op, in, out);
}

Collectives::Operation SingleCollectives::gather(std::span<std::byte const> in,
                                                 std::span<std::byte> out, int root) {
  MAKESPAN_EXPECT(root == 0);
  return copy(in, out);
}

Collectives::Operation SingleCollectives::all_gather(std::span<std::byte const> in,
                                                     std::span<std::byte> out) {
  return copy(in, out);
}

std::unique_ptr<Collectives> SingleCollectives::split_all(int color, int /*key*/) {
  if (color < 0) return nullptr;
  return std::make_unique<SingleCollectives>(members_.front());
}

std::unique_ptr<Collectives> SingleCollectives::split_by_node_all() {
  return shrink_all();
}

std::unique_ptr<Collectives> SingleCollectives::shrink_all() {
  return std::make_unique<SingleCollectives>(members_.front());
}

}  // namespace makespan::pgas
