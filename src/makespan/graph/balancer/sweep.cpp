// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/sweep.hpp"

#include <limits>

#include "makespan/graph/times/place_heap.hpp"

namespace makespan::graph {

namespace {

// A move saves at least this part of what the object costs its place.
constexpr double sweep_gain_min = 0.1;

class Sweep {
 public:
  Sweep(PhaseState& state, double cap_s) : state_{state}, cap_s_{cap_s}, heap_{state.places()} {
    for (int place = 0; place < state.places().count(); ++place) {
      heap_.set(place, state.time_s(place));
    }
  }

  bool visit(int object) {
    int const here = state_.place_of(object);
    bool const must_go = state_.time_s(here) > cap_s_;
    if (!state_.graph().may_move(object) || (!must_go && state_.is_inside(object))) return false;
    state_.look_at(object);
    int const best = best_place(object, here, must_go);
    if (best == here) return false;
    state_.move_to(best);
    heap_.set(here, state_.time_s(here));
    heap_.set(best, state_.time_s(best));
    // What it says to its friends comes from elsewhere now: their places' times have changed, too.
    for (Share const& share : state_.shares()) heap_.set(share.place, state_.time_s(share.place));
    return true;
  }

 private:
  int best_place(int object, int here, bool must_go) const {
    int best = here;
    // What must go goes at any price; else it has to save so much of what it costs here.
    double least =
        must_go ? std::numeric_limits<double>::infinity() : -sweep_gain_min * state_.own_s(here);
    auto const consider = [&](int place) {
      if (place == here || !state_.has_room(place) || state_.time_after_s(place) > cap_s_) return;
      double const change = state_.sum_change_s(place);
      if (!(change < least)) return;
      least = change;
      best = place;
    };
    for (Share const& share : state_.shares()) consider(share.place);
    if (must_go) consider(heap_.first_to_end(state_.graph(), object));
    return best;
  }

  PhaseState& state_;
  double cap_s_;
  PlaceHeap heap_;
};

}  // namespace

int sweep(PhaseState& state, double cap_s) {
  Sweep pass(state, cap_s);
  int moved = 0;
  for (int object = 0; object < state.graph().objects(); ++object) {
    if (pass.visit(object)) ++moved;
  }
  return moved;
}

}  // namespace makespan::graph
