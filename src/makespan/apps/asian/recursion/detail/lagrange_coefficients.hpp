// SPDX-License-Identifier: Apache-2.0
// Exact coefficients of polynomials through equally spaced nodes, as fractions of whole numbers.
#pragma once

#include "makespan/apps/asian/recursion/detail/step.hpp"

namespace makespan::asian::recursion {

// 1 over the product of a node's distances from the eleven others.
inline constexpr double lagrange_scale[interpolation_points] = {
    -1.0 / 39916800, 1.0 / 3628800, -1.0 / 725760, 1.0 / 241920, -1.0 / 120960,  1.0 / 86400,
    -1.0 / 86400,    1.0 / 120960,  -1.0 / 241920, 1.0 / 725760, -1.0 / 3628800, 1.0 / 39916800};

// Derivatives at the middle of eleven nodes, in units of the spacing: weights of the values j nodes
// after it, less (first) or plus (second) those j before it.
inline constexpr double first_derivative[derivative_radius + 1] = {
    0, 5.0 / 6, -5.0 / 21, 5.0 / 84, -5.0 / 504, 1.0 / 1260};
inline constexpr double second_derivative[derivative_radius + 1] = {
    -5269.0 / 1800, 5.0 / 3, -5.0 / 21, 5.0 / 126, -5.0 / 1008, 1.0 / 3150};

// E[f(sqrt(v) Z)], Z standard normal, of the polynomial through eleven nodes: the weight of the
// values j nodes from the middle is a polynomial in the variance v, here its coefficients from v^0
// to v^5.
inline constexpr double heat_weights[derivative_radius + 1][derivative_radius + 1] = {
    {1, -5269.0 / 3600, 1529.0 / 960, -341.0 / 320, 77.0 / 192, -21.0 / 320},
    {0, 5.0 / 6, -1669.0 / 1440, 323.0 / 384, -21.0 / 64, 7.0 / 128},
    {0, -5.0 / 42, 4369.0 / 10080, -13.0 / 32, 17.0 / 96, -1.0 / 32},
    {0, 5.0 / 252, -541.0 / 6720, 29.0 / 256, -23.0 / 384, 3.0 / 256},
    {0, -5.0 / 2016, 1261.0 / 120960, -19.0 / 1152, 13.0 / 1152, -1.0 / 384},
    {0, 1.0 / 6300, -41.0 / 60480, 13.0 / 11520, -1.0 / 1152, 1.0 / 3840}};

}  // namespace makespan::asian::recursion
