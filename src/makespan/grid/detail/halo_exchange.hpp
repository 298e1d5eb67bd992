// SPDX-License-Identifier: Apache-2.0
#pragma once

// How halos travel: packed, into memory that the receiving slab has for them on its image, by
// put-with-signal from the sending device's own endpoint.
//
// Each slab has room for the halos of two steps, and a word for each that counts the pieces that
// have come. A neighbour is never more than one step ahead, since it needs what this one sends; so
// two are enough, and no image asks whether there is room. Between accelerators that reach each
// other they are packed straight into the receiver's memory.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "makespan/grid/cut/exchange_plan.hpp"
#include "makespan/grid/cut/layout.hpp"
#include "makespan/grid/detail/halo_relay.hpp"
#include "makespan/grid/detail/peer_halos.hpp"
#include "makespan/grid/detail/slab.hpp"
#include "makespan/grid/grid_options.hpp"
#include "makespan/grid/phase_clock.hpp"
#include "makespan/grid/thread_team.hpp"
#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/memory/symmetric_array.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::grid {

// Doubles of halos that are under way to other images; must last until they are there.
class HaloSendBuffer {
 public:
  // Room for `count` doubles, until clear().
  [[nodiscard]] std::span<double> take(std::int64_t count);
  // Of puts from that room.
  [[nodiscard]] std::vector<pgas::Future<void>>& futures() { return futures_; }
  // Blocks until all is there; drives progress of the endpoint that sent.
  void clear();
  // Lets go of what is under way, which keeps its doubles: for a sender that gives up.
  void leave();

 private:
  std::vector<std::vector<double>> rooms_{};
  std::size_t used_{0};
  std::vector<pgas::Future<void>> futures_{};
};

// What halos go through between images, and between accelerators and the host.
struct HaloPath {
  Route route{};
  std::span<Accelerator* const> accelerators{};  // by slab, of this image's; null for all others
};

// Of all devices of an image. Tested through tests/grid/grid_test.cpp.
class HaloExchange {
 public:
  // Collective. `fields` spread. Throws on all images where the heap has no room, or an accelerator
  // fails.
  HaloExchange(pgas::Runtime& runtime, std::vector<SlabPlace> slabs, ExchangePlan plan,
               std::int64_t fields, HaloPath const& path);
  HaloExchange(HaloExchange const&) = delete;
  HaloExchange& operator=(HaloExchange const&) = delete;
  ~HaloExchange() = default;
  // Collective; no image uses it any more.
  void close_all();

  [[nodiscard]] ExchangePlan const& plan() const { return plan_; }

  // Who sends, at what moment: a step, and the number of the exchange that follows it, from 0.
  struct Sender {
    pgas::Endpoint& here;
    HaloSendBuffer& buffer;
    PhaseClock& clock;
    HaloCounts& counts;
    ThreadTeam& threads;  // of the device, which pack together what is large
    std::int64_t step{};
    std::int64_t exchange{};
  };
  // These messages of the slab's, from `views`. Puts at most begin; drives progress when there is
  // no room to.
  void send(Sender const& by, Slab const& slab, std::span<HaloMessage const> messages,
            std::span<FieldView const> views);
  // Blocks until all that the slab receives has come; returns pieces that came beyond that. Drives
  // progress. Throws GridStopped.
  std::int64_t wait(pgas::Endpoint& here, Slab const& slab, std::int64_t exchange);
  // Into the halo of `views`, by the device's threads where it is large.
  void unpack_all(ThreadTeam& threads, Slab const& slab, std::span<FieldView const> views,
                  std::int64_t exchange);

  // What hosts carry; nothing with the direct route.
  [[nodiscard]] HaloRelay* relay() { return relay_ ? &*relay_ : nullptr; }

  // Ends the waits of all slabs that this one sends to, in GridStopped; and this image's relay.
  void stop_neighbours(pgas::Endpoint& here, Slab const& slab);

 private:
  void reach_halos(HaloPath const& path);
  void open_relay_all();
  [[nodiscard]] std::int64_t doubles_of(HaloMessage const& message) const {
    return message.from.points() * fields_;
  }
  // Where in the receiver's heap.
  [[nodiscard]] pgas::GlobalPtr<double> destination(HaloMessage const& message,
                                                    std::int64_t exchange) const;
  [[nodiscard]] pgas::GlobalPtr<std::uint64_t> word(int slab, std::int64_t exchange) const;
  [[nodiscard]] ImageId image_of(int slab) const;
  void send_one(Sender const& by, Slab const& slab, HaloMessage const& message,
                std::span<FieldView const> views);

  pgas::Runtime& runtime_;
  std::vector<SlabPlace> slabs_;
  ExchangePlan plan_;
  std::int64_t fields_;
  std::vector<std::int64_t> first_point_{};    // by slab, among its image's
  std::vector<std::int64_t> pieces_due_{};     // by slab, of an exchange
  std::vector<std::int64_t> slab_of_image_{};  // by slab: its number among its image's
  std::int64_t points_max_{};                  // of an image's slabs together, most of all images
  pgas::SymmetricArray<double> memory_{};
  pgas::SymmetricArray<std::uint64_t> words_{};
  std::optional<PeerHalos> peers_{};
  std::vector<std::shared_ptr<void>> reached_{};  // by accelerators, of the heap
  std::optional<HaloRelay> relay_{};
  std::vector<int> relayed_{};  // by message: its number among those that hosts carry, or -1
};

}  // namespace makespan::grid
