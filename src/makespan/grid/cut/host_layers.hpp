// SPDX-License-Identifier: Apache-2.0
#pragma once

// Layers of an image's part that its host computes beside the other devices, and how thick they may
// be without making a step longer (X. Dong et al., "Communication-hiding programming for clusters
// with multi-coprocessor nodes", CCPE 27, 2015, section 4.3.2 and table IV,
// https://doi.org/10.1002/cpe.3507).

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/grid/cut/layout.hpp"
#include "makespan/grid/cut/plane_weights.hpp"
#include "makespan/grid/cut/slab_cut.hpp"

namespace makespan::grid {

// All but the image's first device. Throws InputError where there is no other.
[[nodiscard]] std::span<SlabDevice const> beside_host(std::span<SlabDevice const> devices);

// The stack of an image whose host has so thick layers beside the other devices; as in stacks_of().
// Throws as that does. Tested by tests/grid/cut/host_layers_test.cpp.
[[nodiscard]] DeviceStack stack_beside_host(Box const& part, int image,
                                            std::span<SlabDevice const> devices,
                                            HostLayers const& layers,
                                            PlaneWeights const& weights = {});
// Throws InputError for layers of less than 0 points, and for free ones across x with several steps
// at once, whose rows would end in the midst of a halo.
void check_layers(HostLayers const& layers, int steps_at_once);
// Throws InputError where the grid would end in the halo of a slab with layers across x, so many
// points wide. For grids that do not wrap along x.
void check_row_ends(Box const& domain, std::span<DeviceStack const> stacks,
                    std::int64_t halo_width);
// Layers across z that it has.
[[nodiscard]] std::int64_t host_layers(HostShare share, std::int64_t devices);
// Planes of the domain that the memories of an image hold: its other devices', as small as they are
// beside the host's layers, and these. A host with free layers has as much as its own memory holds.
[[nodiscard]] std::int64_t planes_beside_host(Box const& domain,
                                              std::span<SlabDevice const> devices,
                                              HostLayers const& layers);

// With the layers that are asked for as thick as costs nothing: the host is just kept busy. Of
// thicknesses that are as good, the largest; 0 where it ends last with any. Thicker where the
// memories of the others hold no more. With speeds s_h of the
// host and s_d of the others together, layers across z alone have N s_h / (s_h + s_d) of N planes,
// less what the host's start is worth. Others' slabs keep a plane each, and a point along y and x.
[[nodiscard]] HostLayers free_layers(Box const& part, int image,
                                     std::span<SlabDevice const> devices, HostLayers const& layers,
                                     PlaneWeights const& weights = {});

// What each of the image's devices has of its stack, in planes of weight 1.
[[nodiscard]] std::vector<double> planes_worth(DeviceStack const& stack, std::size_t devices,
                                               PlaneWeights const& weights = {});
// Of the stack of one image, whose devices these are: of the one that ends last.
[[nodiscard]] Seconds longest_step(DeviceStack const& stack, std::span<SlabDevice const> devices,
                                   PlaneWeights const& weights = {});

}  // namespace makespan::grid
