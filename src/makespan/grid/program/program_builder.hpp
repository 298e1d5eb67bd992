// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program made at run time from expressions.
//
//   ProgramBuilder of({"u"});
//   of.update(0, of.fused(of.constant(0.1), of.load(0, {-1}) + of.load(0, {1}),
//                         of.constant(0.8) * of.load(0)));
//   CheckedProgram const program(of.program());

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "makespan/grid/program/point_program.hpp"

namespace makespan::grid {

// Equal operations are made once. Tested by tests/grid/program/point_program_test.cpp.
class ProgramBuilder {
 public:
  // An operation of one builder, which outlives it.
  class Value {
   public:
    Value(ProgramBuilder& builder, std::int32_t node) : builder_{&builder}, node_{node} {}
    [[nodiscard]] std::int32_t node() const { return node_; }

    friend Value operator+(Value a, Value b) { return a.builder_->make(PointOp::add, {a, b}); }
    friend Value operator-(Value a, Value b) { return a.builder_->make(PointOp::subtract, {a, b}); }
    friend Value operator*(Value a, Value b) { return a.builder_->make(PointOp::multiply, {a, b}); }
    friend Value operator/(Value a, Value b) { return a.builder_->make(PointOp::divide, {a, b}); }

   private:
    ProgramBuilder* builder_;
    std::int32_t node_;
  };

  explicit ProgramBuilder(std::vector<std::string> fields, std::int32_t parameters = 0) {
    program_.updates.assign(fields.size(), -1);
    program_.fields = std::move(fields);
    program_.parameters = parameters;
  }
  ProgramBuilder(ProgramBuilder const&) = delete;
  ProgramBuilder& operator=(ProgramBuilder const&) = delete;
  ~ProgramBuilder() = default;

  [[nodiscard]] Value constant(double value) {
    return add({.op = PointOp::constant, .value = value});
  }
  [[nodiscard]] Value parameter(std::int32_t number) {
    return add({.op = PointOp::parameter, .field = number});
  }
  [[nodiscard]] Value load(std::int32_t field, Offset offset = {}) {
    return add({.op = PointOp::load, .field = field, .offset = offset});
  }
  [[nodiscard]] Value fused(Value a, Value b, Value c) { return make(PointOp::fused, {a, b, c}); }
  [[nodiscard]] Value make(PointOp op, std::vector<Value> const& operands = {}) {
    PointNode node{.op = op};
    for (std::size_t at = 0; at < operands.size(); ++at) node.operands[at] = operands[at].node();
    return add(node);
  }

  void update(std::int32_t field, Value value) {
    program_.updates[static_cast<std::size_t>(field)] = value.node();
  }
  [[nodiscard]] PointProgram const& program() const { return program_; }

 private:
  [[nodiscard]] Value add(PointNode const& node) {
    std::int32_t at = 0;
    for (; at < std::ssize(program_.nodes); ++at) {
      PointNode const& one = program_.nodes[static_cast<std::size_t>(at)];
      // 0.0 and -0.0 are equal, and not the same.
      if (one == node && std::signbit(one.value) == std::signbit(node.value)) return {*this, at};
    }
    program_.nodes.push_back(node);
    return {*this, at};
  }

  PointProgram program_{};
};

}  // namespace makespan::grid
