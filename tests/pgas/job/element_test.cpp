// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/element.hpp"

#include <gtest/gtest.h>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {
namespace {

TEST(Element, Element_has_the_size_of_its_type) {
  EXPECT_EQ(element_bytes(ElementType::byte), 1U);
  EXPECT_EQ(element_bytes(ElementType::int32), sizeof(std::int32_t));
  EXPECT_EQ(element_bytes(ElementType::uint32), sizeof(std::uint32_t));
  EXPECT_EQ(element_bytes(ElementType::int64), sizeof(std::int64_t));
  EXPECT_EQ(element_bytes(ElementType::uint64), sizeof(std::uint64_t));
  EXPECT_EQ(element_bytes(ElementType::float32), sizeof(float));
  EXPECT_EQ(element_bytes(ElementType::float64), sizeof(double));
}

TEST(Element, Element_bits_are_of_integers_only) {
  EXPECT_NO_THROW(expect_reducible(ElementType::uint32, ReduceOp::bit_xor, 8));
  EXPECT_THROW(expect_reducible(ElementType::float64, ReduceOp::bit_and, 8), ContractViolated);
  EXPECT_THROW(expect_reducible(ElementType::float32, ReduceOp::bit_or, 8), ContractViolated);
}

TEST(Element, Element_is_reduced_as_a_whole) {
  EXPECT_THROW(expect_reducible(ElementType::int64, ReduceOp::sum, 12), ContractViolated);
}

}  // namespace
}  // namespace makespan::pgas
