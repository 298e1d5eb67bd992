// SPDX-License-Identifier: Apache-2.0
#pragma once

// What decides where objects go: a pure function from a graph and places to a mapping.

#include <concepts>
#include <span>
#include <string_view>

#include "makespan/base/option_values.hpp"
#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

class Balancer {
 public:
  virtual ~Balancer() = default;

  // A place for each object; those that may not move stay. The same for the same graph, places and
  // options. `graph` is to fit `places` (expect_fits()). Callable from any thread, unless a
  // balancer says that it is not (metis.hpp).
  [[nodiscard]] virtual Mapping map(Graph const& graph, Places const& places) const = 0;

  // Whether the mapping depends on what objects send. Where it does not, a running program need not
  // measure that.
  [[nodiscard]] virtual bool reads_messages() const { return true; }
};

// What the registry asks of one.
template <class B>
concept RegisteredBalancer =
    std::derived_from<B, Balancer> && std::constructible_from<B, OptionValues const&> && requires {
      { B::name } -> std::convertible_to<std::string_view>;
      { B::summary } -> std::convertible_to<std::string_view>;
      { B::option_help() } -> std::same_as<std::span<OptionHelp const>>;
    };

}  // namespace makespan::graph
