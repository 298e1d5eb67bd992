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

// What a balancer knows of its earlier looks at one running program: its own to read and write, and
// empty before the first.
struct PastLooks {
  int in_vain{0};      // in a row, in which it found nothing better by dividing the graph anew
  int left_out{0};     // since the last of them, in which it did not try
  double talk_s{0.0};  // what messages were predicted to take of places in that last one
};

class Balancer {
 public:
  virtual ~Balancer() = default;

  // A place for each object; those that may not move stay. The same for the same graph, places and
  // options. `graph` is to fit `places` (expect_fits()). Callable from any thread, unless a
  // balancer says that it is not (metis.hpp).
  [[nodiscard]] virtual Mapping map(Graph const& graph, Places const& places) const = 0;

  // As map(), at a look that follows those of `past`: may leave out what was in vain then.
  [[nodiscard]] virtual Mapping map_again(Graph const& graph, Places const& places,
                                          PastLooks& past) const {
    static_cast<void>(past);
    return map(graph, places);
  }

  // Whether the mapping depends on what objects send. Where it does not, a running program need not
  // measure that.
  [[nodiscard]] virtual bool reads_messages() const { return true; }

  // Whether this build has the library that it needs; its constructor throws NotConfigured if not.
  [[nodiscard]] static bool is_built() { return true; }
};

// What the registry asks of one.
template <class B>
concept RegisteredBalancer =
    std::derived_from<B, Balancer> && std::constructible_from<B, OptionValues const&> && requires {
      { B::name } -> std::convertible_to<std::string_view>;
      { B::summary } -> std::convertible_to<std::string_view>;
      { B::option_help() } -> std::same_as<std::span<OptionHelp const>>;
      { B::is_built() } -> std::same_as<bool>;
    };

}  // namespace makespan::graph
