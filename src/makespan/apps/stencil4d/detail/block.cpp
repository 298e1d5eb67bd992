// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/stencil4d/detail/block.hpp"

#include <utility>

#include "makespan/apps/stencil4d/detail/sweep.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::stencil4d {

namespace {

// A step goes from a block's values into these, which then change places: one array for all blocks
// of a thread, where each would have two.
std::vector<double>& scratch(std::size_t points) {
  thread_local std::vector<double> values;
  if (values.size() != points) values.assign(points, 0.0);
  return values;
}

int neighbour(BlockPlan const& plan, Direction direction) {
  Point at = coordinates_of(plan.index, plan.grid);
  int& coordinate = at[static_cast<std::size_t>(direction.axis)];
  coordinate = (coordinate + (direction.end == 0 ? plan.grid - 1 : 1)) % plan.grid;
  return index_of(at, plan.grid);
}

}  // namespace

void free_scratch() {
  scratch(0).shrink_to_fit();
}

Block::Block(BlockPlan const& plan, std::vector<double> halo)
    : plan_(plan), halo_(std::move(halo)) {
  MAKESPAN_EXPECT(std::ssize(halo_) == halo_points(plan.side));
}

void Block::start(graph::ObjectPlace& here, std::int64_t steps) {
  MAKESPAN_EXPECT(left_ == 0);
  MAKESPAN_EXPECT(steps > 0);
  left_ = steps;
  send_faces(here);
  go_on(here);
}

void Block::face(graph::ObjectPlace& here, std::int64_t step, int number,
                 std::vector<double> const& values) {
  ++faces_;
  if (step != step_) {
    MAKESPAN_EXPECT(step == step_ + 1);
    early_.push_back({number, values});
    return;
  }
  put_face(halo_, plan_.side, Direction::of(number), values);
  ++arrived_;
  go_on(here);
}

void Block::send_faces(graph::ObjectPlace& here) const {
  for (int number = 0; number < directions; ++number) {
    Direction const direction = Direction::of(number);
    here.send<&Block::face>(plan_.all, neighbour(plan_, direction), step_,
                            direction.opposite().number(), face_of(halo_, plan_.side, direction));
  }
}

// Messages overtake each other, so all faces of the next step may have come before the last one of
// this step.
void Block::go_on(graph::ObjectPlace& here) {
  while (left_ > 0 && arrived_ == directions) {
    step();
    if (left_ > 0) send_faces(here);
  }
}

void Block::step() {
  std::vector<double>& next = scratch(halo_.size());
  // From the same values each time: what differs between blocks is the time, not the result.
  for (int time = 0; time < plan_.work; ++time) sweep(halo_, next, plan_.side);
  std::swap(halo_, next);
  if (plan_.low_faces == LowFaces::reset) reset_low_faces(halo_, plan_.side);
  ++step_;
  --left_;
  // The layer around is left from another block's step: all eight faces are put in again, those
  // that came early at once.
  arrived_ = static_cast<int>(early_.size());
  for (EarlyFace const& early : std::exchange(early_, {})) {
    put_face(halo_, plan_.side, Direction::of(early.number), early.values);
  }
}

}  // namespace makespan::stencil4d
