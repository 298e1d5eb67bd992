// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/element.hpp"

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

std::size_t element_bytes(ElementType type) {
  switch (type) {
    case ElementType::byte:
      return 1;
    case ElementType::int32:
    case ElementType::uint32:
    case ElementType::float32:
      return 4;
    case ElementType::int64:
    case ElementType::uint64:
    case ElementType::float64:
      return 8;
  }
  MAKESPAN_ASSERT(false);  // a type that is none
  return 1;
}

void expect_reducible(ElementType type, ReduceOp op, std::size_t bytes) {
  bool const is_real = type == ElementType::float32 || type == ElementType::float64;
  bool const is_bitwise =
      op == ReduceOp::bit_and || op == ReduceOp::bit_or || op == ReduceOp::bit_xor;
  MAKESPAN_EXPECT(!(is_real && is_bitwise));
  MAKESPAN_EXPECT(bytes % element_bytes(type) == 0);
}

}  // namespace makespan::pgas
