// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations on the memory of an image that computes and does not call the library: whether they
// finish, how long they take, and what they take away from the computation.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "computation.hpp"
#include "contestant.hpp"

namespace makespan::bench {

struct PassiveShape {
  double compute_s;   // how long the passive image computes
  double per_second;  // operations that the active image begins, if those before are done
};

// One library's way. The first two are the active image's, the others the passive one's.
struct PassiveWay {
  std::function<void()> operate;
  std::function<void()> tell_end;
  std::function<void()> begin;         // before it computes
  std::function<void()> serve_to_end;  // when it has computed, until the end is told
};

// Operations begin a little after the computation does, and end a little before.
constexpr double head_start_s = 0.01;
constexpr double share_of_computation = 0.9;

// Figures: "seconds" of an operation, the median; "finished", how many were done while the passive
// image computed, and how many that is "per_second".
inline Figures operate_for_a_while(PassiveShape const& shape, PassiveWay const& way) {
  double const begin_s = now_s();
  double const end_s = begin_s + share_of_computation * shape.compute_s;
  while (now_s() < begin_s + head_start_s) nap_us(100);
  std::vector<double> seconds;
  int finished = 0;
  for (double next_s = now_s(); next_s < end_s; next_s += 1.0 / shape.per_second) {
    while (now_s() < next_s) {
    }
    double const operation_begin_s = now_s();
    way.operate();
    double const operation_end_s = now_s();
    seconds.push_back(operation_end_s - operation_begin_s);
    finished += operation_end_s < end_s ? 1 : 0;
    next_s = std::max(next_s, operation_end_s - 1.0 / shape.per_second);
  }
  return {{"seconds", median(std::move(seconds))},
          {"finished", static_cast<double>(finished)},
          {"per_second", finished / (end_s - begin_s - head_start_s)}};
}

// One more figure: "compute_per_second", units of work of the passive image.
inline Figures passive_block(MpiSession const& session, PassiveShape const& shape,
                             PassiveWay const& way) {
  double units_per_second = 0.0;
  Figures figures;
  if (session.is_active()) {
    figures = operate_for_a_while(shape, way);
    way.tell_end();
  } else {
    way.begin();
    units_per_second = compute_for(shape.compute_s);
    way.serve_to_end();
  }
  figures.push_back({"compute_per_second", session.exchanged(units_per_second)});
  return figures;
}

inline void add_passive(std::vector<Contestant>& contestants, MpiSession const& session,
                        PassiveShape const& shape, std::string const& name, PassiveWay way) {
  contestants.push_back(
      {name, [=, &session, way = std::move(way)] { return passive_block(session, shape, way); }});
}

}  // namespace makespan::bench
