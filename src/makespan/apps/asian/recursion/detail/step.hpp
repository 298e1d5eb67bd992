// SPDX-License-Identifier: Apache-2.0
// What a kernel of the recursion is asked for: one step back in time on a grid of nodes. Plain
// data, the same for every instruction set.
#pragma once

#include <array>
#include <cstdint>

namespace makespan::asian::recursion {

// Points of the interpolation between nodes (Lagrange), and neighbours on either side that a
// derivative at a node is made of.
inline constexpr int interpolation_points = 12;
inline constexpr int derivative_radius = 5;
// Nodes beyond either end of the range that matters, so that these find neighbours there.
inline constexpr int margin_nodes = interpolation_points / 2 + derivative_radius;
// Nodes come in multiples of this, which the lanes of every instruction set divide; as many
// readable values lie before the first and behind the last.
inline constexpr int node_multiple = 8;

// The functions of the reduced strike that are stepped together.
enum ValueTable : int {
  value_table,           // u
  vega_table,            // its derivative to the volatility
  drift_table,           // to the drift
  last_weight_table,     // to the weight of the last price
  last_curvature_table,  // the second one to it
  table_count
};

// Below the range of its nodes a function is the straight line constant + slope · strike; above it
// is 0.
struct Line {
  double constant;
  double slope;
};

// Points on either side of a node, at the same distance: their weight, and where they lie in the
// points of a table for node 0.
struct SidePoints {
  double weight;
  std::int32_t after;
  std::int32_t before;
};

// u(z) = growth · E[U(e^(z - mean - deviation Z) - weight)] on nodes that are equally spaced in z,
// the logarithm of the strike. In two parts: U, known on nodes of its own, is interpolated at
// `phases` points for each new node, and these are added up with symmetric weights.
struct StepJob {
  int tables;                                    // the first so many are stepped
  int nodes;                                     // of both grids
  std::array<double const*, table_count> later;  // U on its nodes
  std::array<Line, table_count> line;            // and below them
  double later_first;                            // z of node 0
  double later_per_unit;                         // nodes for each unit of z
  double weight;                                 // of the price at the step's end
  double point_first;                            // z - mean of the first point
  double point_spacing;                          // in z
  int phases;                                    // points for each node
  int columns;                           // points of each phase, a multiple of node_multiple
  double* points;                        // work space of shape (tables, phases, columns)
  SidePoints const* convolution;         // (radius + 1): the middle, and either side
  int radius;                            // in points
  std::array<double*, table_count> now;  // u on the new nodes
  double per_unit;                       // new nodes for each unit of z
  double vega_rate;                      // half the derivative of the variance to the volatility
  double drift_rate;                     // derivative of the growth to the drift
  double drift_on_line;                  // drift_rate · u where the strike is 0
};

}  // namespace makespan::asian::recursion
