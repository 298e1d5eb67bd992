// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/pricing_team.hpp"

#include <cstring>
#include <optional>
#include <sstream>
#include <utility>

#include "makespan/apps/asian/book_piece.hpp"
#include "makespan/apps/asian/book_wire.hpp"
#include "makespan/apps/asian/book_work.hpp"
#include "makespan/bag/image/node_place.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/node_share.hpp"

namespace makespan::asian {

namespace {

PricingSettings with_own_devices(PricingSettings settings) {
  settings.devices = machine::share_of_node(devices_of(settings), bag::node_place(),
                                            machine::allowed_cores(), machine::cores_online());
  return settings;
}

// One line for each device; no name has a tab in it.
std::string text_of(std::vector<PricingDevice> const& devices) {
  std::ostringstream text;
  for (PricingDevice const& device : devices) {
    text << device.name << '\t' << device.isa << '\t' << device.mode << '\t' << device.threads
         << '\t' << device.remembered << '\n';
  }
  return text.str();
}

std::vector<PricingDevice> devices_from(std::string const& text, int image) {
  std::vector<PricingDevice> devices;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    PricingDevice device;
    device.image = image;
    std::string threads;
    std::getline(fields, device.name, '\t');
    std::getline(fields, device.isa, '\t');
    std::getline(fields, device.mode, '\t');
    std::getline(fields, threads, '\t');
    device.threads = std::stoi(threads);
    fields >> device.remembered;
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace

std::vector<PricingDevice> pricing_devices(std::vector<machine::DeviceSpec> const& specs,
                                           bag::DeviceTeam& team, int image) {
  bag::TeamLayout const& layout = team.layout();
  std::vector<PricingDevice> devices;
  devices.reserve(specs.size());
  for (machine::DeviceSpec const& spec : specs) {
    devices.push_back({.name = spec.text,
                       .isa = std::string(kernels_named(spec.isa).isa),
                       .mode = spec.mode,
                       .image = image,
                       .threads = layout.threads_of(static_cast<int>(devices.size())),
                       .remembered = true});
  }
  for (int worker = 0; worker < layout.workers(); ++worker) {
    auto const device =
        static_cast<std::size_t>(layout.place(layout.claiming_thread(worker)).device);
    if (!team.state().speeds.measured(worker)) devices[device].remembered = false;
  }
  return devices;
}

std::vector<Kernels const*> kernels_by_thread(std::vector<PricingDevice> const& devices,
                                              int image) {
  std::vector<Kernels const*> kernels;
  for (PricingDevice const& device : devices) {
    if (device.image != image) continue;
    kernels.insert(kernels.end(), static_cast<std::size_t>(device.threads),
                   &kernels_named(device.isa));
  }
  return kernels;
}

// Runs blocks of image 0's book, and keeps what came of them until it is sent.
class PricingTeam::Servant final : public bag::ImageServant, public bag::TravellingRunner {
 public:
  explicit Servant(std::vector<Kernels const*> kernels)
      : kernels_{std::move(kernels)}, pieces_(kernels_.size()) {}

  void receive(std::span<std::byte const> message) override {
    work_.reset();
    book_.emplace(message);
    work_.emplace(book_->book(), book_->settings(), kernels_);
  }

  bag::Bag begin(std::span<std::byte const> order) override {
    MAKESPAN_EXPECT(work_.has_value() && order.size() % sizeof(BookRound) == 0);
    std::vector<BookRound> rounds(order.size() / sizeof(BookRound));
    std::memcpy(rounds.data(), order.data(), order.size());
    for (auto& pieces : pieces_) pieces.clear();  // of a run that was stopped
    return work_->begin(rounds);
  }

  bag::TravellingRunner& runner() override { return *this; }

  void run(int thread, TaskId task, std::int64_t item_begin, std::int64_t item_end) override {
    BookPiece piece = work_->run(thread, task.value(), item_begin, item_end, {});
    auto& mine = pieces_[static_cast<std::size_t>(thread)];
    if (!mine.empty() && mine.back().row == piece.row) {
      mine.back().add(std::move(piece));
    } else {
      mine.push_back(std::move(piece));
    }
  }

  void pack(int thread, std::vector<std::byte>& bytes) override {
    auto& mine = pieces_[static_cast<std::size_t>(thread)];
    for (BookPiece const& piece : mine) append(piece, bytes);
    mine.clear();
  }

  void unpack(std::span<std::byte const> /*bytes*/) override { MAKESPAN_ASSERT(false); }

 private:
  std::vector<Kernels const*> kernels_;  // by thread
  std::optional<ReceivedBook> book_;
  std::optional<BookWork> work_;
  std::vector<std::vector<BookPiece>> pieces_;  // by thread: not sent yet
};

PricingTeam::PricingTeam(PricingSettings const& settings)
    : PricingTeam(std::in_place, with_own_devices(settings)) {
}

PricingTeam::PricingTeam(std::in_place_t /*with own devices*/, PricingSettings const& settings)
    : team_(team_options(settings)),
      kinds_(worker_kinds(devices_of(settings), team_.devices().layout())) {
  auto const own = pricing_devices(devices_of(settings), team_.devices(), team_.image());
  auto const texts = team_.exchange_all(text_of(own));
  for (int image = 0; image < images(); ++image) {
    for (auto& device : devices_from(texts[static_cast<std::size_t>(image)], image)) {
      devices_.push_back(std::move(device));
    }
  }
}

PricingTeam::~PricingTeam() = default;

void PricingTeam::begin_book(ContractBook const& book, PricingSettings const& settings) {
  if (images() > 1) team_.send(bytes_of(book, settings));
}

void PricingTeam::serve() {
  Servant servant(kernels_by_thread(devices_, image()));
  team_.serve(servant);
}

}  // namespace makespan::asian
