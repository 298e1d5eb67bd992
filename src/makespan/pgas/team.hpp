// SPDX-License-Identifier: Apache-2.0
#pragma once

// Images that do something together: all of them, those of one node, or any that choose the same
// color. Collective operations are those of a team.
//
// Every function here is collective over the team: all members call the same ones in the same
// order, with the same sizes, from the thread of endpoint 0, or of the endpoint that the team was
// made for (Runtime::teams_of_threads_all). Each blocks until its result can be used, drives
// progress of that endpoint, and helps; a lost member ends it with ImageFailed. WaitTimeout is
// final for the team, too: what has begun cannot be taken back, and a second call would be taken
// for the others' next one; with ULFM it ends by ImageFailed for them. After either, MPI may still
// read and write its memory, when the others come: a span of more than Team::copied_bytes_max that
// was passed must stay as it is until the process ends. Shorter ones go by memory that is the
// team's, and stays. Elements are plain data; those that are reduced are integers of 4 or 8 bytes,
// float and double.
//
// Reductions of floating-point numbers may round differently for other numbers of images. Where a
// result must not depend on them, gather and add in a fixed order.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/collectives.hpp"
#include "makespan/pgas/job/leak.hpp"
#include "makespan/pgas/memory/wire_type.hpp"
#include "makespan/pgas/operation/waiter.hpp"

namespace makespan::pgas {

template <class T>
concept Reducible =
    (std::integral<T> && !std::same_as<T, bool> && (sizeof(T) == 4 || sizeof(T) == 8)) ||
    std::same_as<T, float> || std::same_as<T, double>;

// The part of an array that is thread `part`'s of `parts`: they differ by an element at most.
template <class T>
[[nodiscard]] std::span<T> share_of(std::span<T> values, int part, int parts) {
  MAKESPAN_EXPECT(part >= 0 && part < parts);
  auto const begin_of = [&](int at) {
    return values.size() * static_cast<std::size_t>(at) / static_cast<std::size_t>(parts);
  };
  return values.subspan(begin_of(part), begin_of(part + 1) - begin_of(part));
}

class Team {
 public:
  // The longest span that is copied; see above.
  static constexpr std::size_t copied_bytes_max = std::size_t{1} << 16;

  // Made by the runtime, and by split functions.
  Team(std::unique_ptr<Collectives> collectives, Waiter& waiter);

  // This image's place among the members, from 0.
  [[nodiscard]] int rank() const { return collectives_->rank(); }
  [[nodiscard]] int size() const { return static_cast<int>(members().size()); }
  // By rank.
  [[nodiscard]] std::span<ImageId const> members() const { return collectives_->members(); }

  // Returns on no member before all have called it. Says nothing of puts that were not flushed.
  void barrier_all();

  // The root's values, on all members, which wait for it as long as `limit` says.
  template <WireType T>
  void broadcast_all(std::span<T> values, int root, WaitLimit limit = WaitLimit::option) {
    check_rank(root, "broadcast");
    broadcast_bytes_all(std::as_writable_bytes(values), root, limit);
  }
  template <WireType T>
  [[nodiscard]] T broadcast_all(T value, int root, WaitLimit limit = WaitLimit::option) {
    check_rank(root, "broadcast");
    static_assert(sizeof(T) <= copied_bytes_max, "longer ones are spans that the caller keeps");
    broadcast_bytes_all(std::as_writable_bytes(std::span(&value, 1)), root, limit);
    return value;
  }

  // Element by element over the members. `results` is filled at the root, and as long there.
  template <Reducible T>
  void reduce_all(ReduceOp op, std::span<T const> values, std::span<T> results, int root) {
    check_rank(root, "reduce");
    expect_bits(op, std::integral<T>);
    MAKESPAN_EXPECT(rank() != root || results.size() == values.size());
    auto const filled = rank() == root ? results : std::span<T>{};
    run_reduction(
        op, values, filled,
        [&](ElementType type, auto in, auto out) {
          return collectives_->reduce(type, op, in, out, root);
        },
        "reduce");
  }

  // As reduce_all, with the results on all members.
  template <Reducible T>
  void all_reduce_all(ReduceOp op, std::span<T const> values, std::span<T> results) {
    expect_bits(op, std::integral<T>);
    MAKESPAN_EXPECT(results.size() == values.size());
    run_reduction(
        op, values, results,
        [&](ElementType type, auto in, auto out) {
          return collectives_->all_reduce(type, op, in, out);
        },
        "all_reduce");
  }
  template <Reducible T>
  [[nodiscard]] T all_reduce_all(ReduceOp op, T value) {
    T result{};
    all_reduce_all(op, std::span<T const>(&value, 1), std::span(&result, 1));
    return result;
  }

  // Over the members of ranks 0 to this one's.
  template <Reducible T>
  void inclusive_scan_all(ReduceOp op, std::span<T const> values, std::span<T> results) {
    expect_bits(op, std::integral<T>);
    MAKESPAN_EXPECT(results.size() == values.size());
    run_reduction(
        op, values, results,
        [&](ElementType type, auto in, auto out) {
          return collectives_->inclusive_scan(type, op, in, out);
        },
        "inclusive_scan");
  }
  template <Reducible T>
  [[nodiscard]] T inclusive_scan_all(ReduceOp op, T value) {
    T result{};
    inclusive_scan_all(op, std::span<T const>(&value, 1), std::span(&result, 1));
    return result;
  }

  // The values of all images, by rank: at the root; empty elsewhere.
  template <WireType T>
  [[nodiscard]] std::vector<T> gather_all(std::span<T const> values, int root) {
    check_rank(root, "gather");
    auto kept = exchange_of(values, rank() == root ? members().size() : 0);
    run_with(
        kept, [&] { return collectives_->gather(kept->bytes_in(), kept->bytes_out(), root); },
        "gather");
    return std::move(kept->out);
  }
  // As gather_all, on all members.
  template <WireType T>
  [[nodiscard]] std::vector<T> all_gather_all(std::span<T const> values) {
    auto kept = exchange_of(values, members().size());
    run_with(
        kept, [&] { return collectives_->all_gather(kept->bytes_in(), kept->bytes_out()); },
        "all_gather");
    return std::move(kept->out);
  }

  // The team of those that gave the same color, ordered by key and then by rank. Nothing for those
  // that gave a negative color. When all members are here it blocks without driving progress.
  [[nodiscard]] std::optional<Team> split_all(int color, int key = 0);
  // The team of this node's members; as split_all.
  [[nodiscard]] Team split_by_node_all();
  // Collective over those members that are left: a team without the lost ones. Drives no progress:
  // none of them may wait for what another serves before it comes. Throws NotConfigured
  // where the MPI cannot go on after a loss (it needs user-level failure mitigation: Open MPI 5,
  // started with --with-ft ulfm); WaitTimeout where a member that is not lost does not answer
  // within 5 s.
  [[nodiscard]] Team shrink_all();

 private:
  // What goes in and comes out, of a function whose caller has not given memory for it.
  template <class T>
  struct Exchange {
    std::vector<T> in;
    std::vector<T> out;

    [[nodiscard]] std::span<std::byte const> bytes_in() const {
      return std::as_bytes(std::span(in));
    }
    [[nodiscard]] std::span<std::byte> bytes_out() {
      return std::as_writable_bytes(std::span(out));
    }
  };
  template <class T>
  static std::unique_ptr<Exchange<T>> exchange_of(std::span<T const> values, std::size_t parts) {
    return std::make_unique<Exchange<T>>(Exchange<T>{std::vector<T>(values.begin(), values.end()),
                                                     std::vector<T>(parts * values.size())});
  }

  template <Reducible T>
  static constexpr ElementType type_of() {
    if constexpr (std::same_as<T, float>) {
      return ElementType::float32;
    } else if constexpr (std::same_as<T, double>) {
      return ElementType::float64;
    } else if constexpr (sizeof(T) == 4) {
      return std::is_signed_v<T> ? ElementType::int32 : ElementType::uint32;
    } else {
      return std::is_signed_v<T> ? ElementType::int64 : ElementType::uint64;
    }
  }
  // Operations on bits are for integers.
  static void expect_bits(ReduceOp op, bool is_integer);
  void check_rank(int root, std::string_view call) const;
  void broadcast_bytes_all(std::span<std::byte> data, int root, WaitLimit limit);
  // Begins a reduction, of which the type is told, and waits for it. Some MPIs compare unsigned
  // numbers as if they were signed (MPICH 4.0 and later: pmodels/mpich#6083, #7507; Open MPI 4.1:
  // open-mpi/ompi#10648): for the least and the most they go as signed ones of the same order, with
  // the first bit turned over.
  template <Reducible T, class Begin>
  void run_reduction(ReduceOp op, std::span<T const> values, std::span<T> results,
                     Begin const& begin, std::string_view call) {
    if constexpr (std::unsigned_integral<T>) {
      if (op == ReduceOp::min || op == ReduceOp::max) {
        using Signed = std::make_signed_t<T>;
        constexpr T first_bit = T{1} << (8 * sizeof(T) - 1);
        auto kept = std::make_unique<Exchange<Signed>>();
        for (T const value : values) kept->in.push_back(static_cast<Signed>(value ^ first_bit));
        kept->out.resize(results.size());
        run_with(
            kept, [&] { return begin(type_of<Signed>(), kept->bytes_in(), kept->bytes_out()); },
            call);
        std::ranges::transform(kept->out, results.begin(), [](Signed value) {
          return static_cast<T>(static_cast<T>(value) ^ first_bit);
        });
        return;
      }
    }
    run_between(
        std::as_bytes(values), std::as_writable_bytes(results),
        [&](auto in, auto out) { return begin(type_of<T>(), in, out); }, call);
  }
  // Begins an operation on `in` and `out`, or on copies of them, and waits for it.
  template <class Begin>
  void run_between(std::span<std::byte const> in, std::span<std::byte> out, Begin const& begin,
                   std::string_view call) {
    if (in.size() > copied_bytes_max) {
      run([&] { return begin(in, out); }, call);
      return;
    }
    auto kept = exchange_of(in, 0);
    kept->out.resize(out.size());
    run_with(kept, [&] { return begin(kept->bytes_in(), kept->bytes_out()); }, call);
    std::ranges::copy(kept->out, out.begin());
  }
  // Begins an operation and waits for it.
  template <class Begin>
  void run(Begin const& begin, std::string_view call, WaitLimit limit = WaitLimit::option) {
    try {
      wait_for(*begin(), call, limit);
    } catch (ImageFailed const& failure) {
      name_the_lost(failure, call);
      throw;
    }
  }
  void meet(std::string_view call);
  // With memory of its own, which it never frees where the operation does not end: MPI may still
  // write there.
  template <class Memory, class Begin>
  void run_with(std::unique_ptr<Memory>& memory, Begin const& begin, std::string_view call,
                WaitLimit limit = WaitLimit::option) {
    try {
      run(begin, call, limit);
    } catch (InputError const&) {
      throw;  // it has not begun
    } catch (...) {
      leak(std::move(memory));
      throw;
    }
  }
  void wait_for(CollectiveOperation& operation, std::string_view call, WaitLimit limit);
  void name_the_lost(ImageFailed const& failure, std::string_view call);

  std::unique_ptr<Collectives> collectives_;
  Waiter* waiter_;
};

}  // namespace makespan::pgas
