// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/detail/heartbeat_ring.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

namespace {

std::int32_t number_of(ImageId image) {
  return checked_cast<std::int32_t>(image.value());
}

}  // namespace

HeartbeatRing::HeartbeatRing(ImageId self, std::span<ImageId const> order,
                             HeartbeatTimes const& times, Seconds now)
    : times_{times}, places_(order.size(), order.size()), now_{now}, next_beat_{now} {
  MAKESPAN_EXPECT(times.period > Seconds{0.0});
  MAKESPAN_EXPECT(times.silence_limit > times.period);
  for (ImageId const image : order) {
    MAKESPAN_EXPECT(image.value() >= 0);
    MAKESPAN_EXPECT(image.value() < std::ssize(order));
    places_[static_cast<std::size_t>(image.value())] = members_.size();
    members_.push_back({.image = image, .heard_at = now});
  }
  MAKESPAN_EXPECT(std::ranges::count(places_, order.size()) == 0);
  self_ = place_of(self);
  watched_ = neighbours(Direction::back);
}

HeartbeatActions HeartbeatRing::step(HeartbeatEvent const& event, Seconds now) {
  MAKESPAN_EXPECT(now >= now_);
  // An image that slept has heard no beats, and cannot conclude that others are lost.
  // Half of it: ticks come at least twice in a period, which is shorter than the limit.
  bool const has_slept = now - now_ > times_.silence_limit * 0.5;
  now_ = now;
  if (has_slept) {
    for (std::size_t const place : watched_) members_[place].heard_at = now;
  }
  HeartbeatActions actions;
  std::visit([&](auto const& what) { on(what, actions); }, event);
  return actions;
}

void HeartbeatRing::on(HeartbeatHeard const& heard, HeartbeatActions& actions) {
  Member& from = members_[place_of(heard.from)];
  HeartbeatMessage const& message = heard.message;
  if (!can_be(message)) return;
  if (from.state == State::lost) {
    // It does not know yet. Only beats are answered, or two who have given each other up would go
    // on telling each other.
    if (message.kind == HeartbeatKind::beat && !is_cut_off()) {
      actions.sends.push_back(
          {from.image,
           {HeartbeatKind::loss, from.cause, number_of(from.image), number_of(from.witness)}});
    }
    return;
  }
  // Whatever it says, it is alive.
  from.heard_at = now_;
  from.was_heard = true;
  if (message.kind == HeartbeatKind::leave) from.state = State::left;
  if (message.kind == HeartbeatKind::loss) {
    lose(place_of(ImageId{message.lost}), message.cause, ImageId{message.witness}, actions);
  }
}

// An image may be of another build, or its message damaged (docs/decisions/0090).
bool HeartbeatRing::can_be(HeartbeatMessage const& message) const {
  if (message.kind != HeartbeatKind::loss) return message.kind <= HeartbeatKind::leave;
  auto const is_image = [this](std::int32_t number) {
    return 0 <= number && number < std::ssize(places_);
  };
  return message.cause <= LossCause::unreachable && is_image(message.lost) &&
         is_image(message.witness);
}

void HeartbeatRing::on(HeartbeatSuspect const& suspect, HeartbeatActions& actions) {
  lose(place_of(suspect.image), suspect.cause, self(), actions);
}

void HeartbeatRing::on(HeartbeatLeave const& /*leave*/, HeartbeatActions& actions) {
  if (leaving_ || is_cut_off()) return;
  leaving_ = true;
  for (std::size_t const place : neighbours(Direction::forth)) {
    actions.sends.push_back({members_[place].image, {.kind = HeartbeatKind::leave}});
  }
}

void HeartbeatRing::on(HeartbeatTick const& /*tick*/, HeartbeatActions& actions) {
  if (is_cut_off()) return;
  judge(actions);
  if (!leaving_ && now_ >= next_beat_) beat(actions);
}

void HeartbeatRing::lose(std::size_t place, LossCause cause, ImageId witness,
                         HeartbeatActions& actions) {
  Member& member = members_[place];
  // A loss is final. One that is given up itself concludes nothing more about others.
  if (member.state == State::lost || is_cut_off()) return;
  member.state = State::lost;
  member.cause = cause;
  member.witness = witness;
  HeartbeatLoss const loss{member.image, cause, witness};
  actions.losses.push_back(loss);
  if (is_cut_off()) return;
  tell(loss, actions);
  close_gaps();
}

void HeartbeatRing::tell(HeartbeatLoss const& loss, HeartbeatActions& actions) const {
  HeartbeatMessage const message{HeartbeatKind::loss, loss.cause, number_of(loss.image),
                                 number_of(loss.witness)};
  bool const is_witness = loss.witness == self();
  std::size_t const reach = is_witness ? members_.size() : static_cast<std::size_t>(watchers);
  std::size_t told = 0;
  for (std::size_t step = 1; step < members_.size() && told < reach; ++step) {
    Member const& member = members_[(self_ + step) % members_.size()];
    // One that has left waits for no image any more.
    if (member.state != State::well) continue;
    actions.sends.push_back({member.image, message});
    ++told;
  }
}

// Those that are watched from now on had no reason to send beats here before.
void HeartbeatRing::close_gaps() {
  auto const before = std::exchange(watched_, neighbours(Direction::back));
  for (std::size_t const place : watched_) {
    if (std::ranges::find(before, place) != before.end()) continue;
    members_[place].heard_at = now_;
    members_[place].was_heard = true;  // by the images that watched it until now
  }
  // At once: others watch this image from now on, too, and have heard nothing of it.
  next_beat_ = now_;
}

void HeartbeatRing::judge(HeartbeatActions& actions) {
  // A copy, since losses change the list.
  for (std::size_t const place : std::vector(watched_)) {
    Member const& member = members_[place];
    Seconds const limit = member.was_heard ? times_.silence_limit
                                           : std::max(times_.first_limit, times_.silence_limit);
    if (member.state == State::well && now_ - member.heard_at > limit) {
      lose(place, LossCause::silent, self(), actions);
    }
  }
}

// To those too that have said that they leave: they wait for this one's, and watch it until then.
void HeartbeatRing::beat(HeartbeatActions& actions) {
  for (std::size_t const place : neighbours(Direction::forth)) {
    actions.sends.push_back({members_[place].image, {.kind = HeartbeatKind::beat}});
  }
  next_beat_ = now_ + times_.period;
}

bool HeartbeatRing::has_left() const {
  return leaving_ && std::ranges::all_of(watched_, [this](std::size_t place) {
           return members_[place].state == State::left;
         });
}

// The next few that are not lost, nearest first, this one not among them.
std::vector<std::size_t> HeartbeatRing::neighbours(Direction direction) const {
  std::size_t const size = members_.size();
  std::vector<std::size_t> found;
  for (std::size_t step = 1; step < size && std::ssize(found) < watchers; ++step) {
    std::size_t const away = direction == Direction::forth ? step : size - step;
    std::size_t const place = (self_ + away) % size;
    if (members_[place].state != State::lost) found.push_back(place);
  }
  return found;
}

std::size_t HeartbeatRing::place_of(ImageId image) const {
  MAKESPAN_EXPECT(image.value() >= 0);
  MAKESPAN_EXPECT(image.value() < std::ssize(places_));
  return places_[static_cast<std::size_t>(image.value())];
}

std::vector<ImageId> spread_over_nodes(std::span<int const> nodes) {
  std::map<int, int> taken;               // by node, how many of its images have a seat
  std::vector<std::array<int, 3>> seats;  // how many of the node come before, node, image
  seats.reserve(nodes.size());
  for (std::size_t image = 0; image < nodes.size(); ++image) {
    seats.push_back({taken[nodes[image]]++, nodes[image], checked_cast<int>(image)});
  }
  // The first image of each node, then the second of each, and so on.
  std::ranges::sort(seats);
  std::vector<ImageId> order;
  order.reserve(seats.size());
  for (auto const& seat : seats) order.emplace_back(seat[2]);
  return order;
}

}  // namespace makespan::pgas
