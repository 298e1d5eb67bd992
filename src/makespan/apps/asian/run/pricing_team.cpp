// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/pricing_team.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "makespan/apps/asian/run/book_work.hpp"
#include "makespan/apps/asian/run/detail/book_piece.hpp"
#include "makespan/apps/asian/run/detail/book_wire.hpp"
#include "makespan/apps/asian/run/detail/device_lines.hpp"
#include "makespan/bag/image/own_devices.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/machine/affinity.hpp"

namespace makespan::asian {

namespace {

PricingSettings with_own_devices_all(PricingSettings settings) {
  // Alike on all images, which come to what follows together.
  bool const has_gpus = std::ranges::count(settings.devices, machine::DeviceKind::cuda,
                                           &machine::DeviceSpec::kind) > 0;
  settings.devices = bag::own_devices_all(listed_devices(settings));
  if (has_gpus) {
    // Not by the list, which has also GPUs that others feed, from cores of their own.
    int const gpus = bag::gpus_on_own_cores_all(settings.devices);
    auto const cores = static_cast<int>(machine::allowed_cores().size());
    settings.devices = beside_gpus(std::move(settings.devices), gpus, cores);
  }
  return settings;
}

}  // namespace

std::vector<PricingDevice> pricing_devices(PricingSettings const& settings, bag::DeviceTeam& team,
                                           int image) {
  bag::TeamLayout const& layout = team.layout();
  auto const specs = devices_of(settings);
  std::vector<PricingDevice> devices;
  devices.reserve(specs.size());
  for (machine::DeviceSpec const& spec : specs) {
    bool const is_gpu = spec.kind == machine::DeviceKind::cuda;
    devices.push_back({.name = spec.text,
                       .isa = is_gpu ? spec.isa : std::string(Kernels::named(spec.isa).isa),
                       .mode = spec.mode,
                       .image = image,
                       .threads = layout.threads_of(static_cast<int>(devices.size())),
                       .remembered = true,
                       .gpu = is_gpu ? spec.index : -1});
  }
  // A device counts as remembered where the speeds of all its workers were, and the team uses them.
  auto const kinds = worker_kinds(specs, layout);
  for (int worker = 0; worker < layout.workers(); ++worker) {
    auto const device =
        static_cast<std::size_t>(layout.role(layout.claiming_thread(worker)).device);
    bool const is_known = settings.speeds.contains(kinds[static_cast<std::size_t>(worker)]);
    bool const is_in_use = team.state().speeds.measured(worker);
    if (!is_known || !is_in_use) devices[device].remembered = false;
  }
  return devices;
}

std::vector<PricingThread> pricing_threads(std::vector<PricingDevice> const& devices, int image,
                                           BlockGpus const& gpus) {
  std::vector<PricingThread> threads;
  for (PricingDevice const& device : devices) {
    if (device.image != image) continue;
    bool const is_gpu = device.gpu >= 0;
    // A GPU's thread does on the host what no launch does, such as solves (BookWork::run_all());
    // `isa` of a GPU is its name.
    Kernels const& kernels = Kernels::named(is_gpu ? "auto" : device.isa);
    for (int thread = 0; thread < device.threads; ++thread) {
      threads.push_back({&kernels, is_gpu ? gpus.open(device.gpu, device.threads) : nullptr});
    }
  }
  return threads;
}

// Runs blocks of image 0's book, and keeps what came of them until it is sent.
class PricingTeam::Service final : public bag::ImageService, public bag::DistributedItemRunner {
 public:
  explicit Service(PricingTeam& team)
      : team_{team}, pieces_(static_cast<std::size_t>(team.team().devices().threads())) {}

  void receive(std::span<std::byte const> message) override {
    if (team_.team().devices().has_left_threads_behind()) {
      // One of them may still be at work for the book before.
      static_cast<void>(work_.release());
      static_cast<void>(book_.release());
    }
    // Before the book, the columns of which it reads.
    work_.reset();
    book_ = std::make_unique<ReceivedBook>(message);
    work_ =
        std::make_unique<BookWork>(book_->book(), book_->settings(),
                                   pricing_threads(team_.devices(), team_.image(), team_.gpus_));
  }

  bag::Bag begin(std::span<std::byte const> order) override {
    MAKESPAN_EXPECT(work_ != nullptr);
    std::vector<BookRound> const rounds = rounds_from(order, work_->rows());
    auto const& state = team_.team().devices().state();
    for (std::size_t thread = 0; thread < pieces_.size(); ++thread) {
      if (state.is_lost(static_cast<int>(thread))) continue;
      pieces_[thread].clear();  // of a run that was stopped
    }
    return work_->begin(rounds);
  }

  bag::DistributedItemRunner& runner() override { return *this; }

  void run(int thread, TaskId task, std::int64_t item_begin, std::int64_t item_end) override {
    // Without a stop token: the run's is image 0's, and here a run ends between two pieces.
    hold(thread, work_->run(thread, task.value(), item_begin, item_end, {}));
  }

  void run_all(int thread, std::span<bag::TaskItems const> parts) override {
    for (BookPiece& piece : work_->run_all(thread, parts, {})) hold(thread, std::move(piece));
  }

  void drop(int thread) override { pieces_[static_cast<std::size_t>(thread)].clear(); }

  void pack(int thread, std::vector<std::byte>& bytes) override {
    auto& mine = pieces_[static_cast<std::size_t>(thread)];
    for (BookPiece const& piece : mine) append(piece, bytes);
    mine.clear();
  }

  // Results go to image 0, where PricingRun::Engine takes them in.
  void unpack(std::span<std::byte const> /*bytes*/) override { MAKESPAN_ASSERT(false); }

 private:
  void hold(int thread, BookPiece&& piece) {
    add_to(pieces_[static_cast<std::size_t>(thread)], std::move(piece));
  }

  PricingTeam& team_;
  std::unique_ptr<ReceivedBook> book_{};
  std::unique_ptr<BookWork> work_{};
  std::vector<std::vector<BookPiece>> pieces_;  // by thread: not sent yet
};

namespace {

// What comes from an image's threads is counted by the devices that it says it has.
void expect_own(bag::ImageTeam const& team, int image, std::span<PricingDevice const> devices) {
  std::int64_t threads = 0;
  for (PricingDevice const& device : devices) {
    threads += std::clamp(device.threads, 0, team.threads_of(image) + 1);
  }
  if (std::ssize(devices) == team.devices_of(image) && threads == team.threads_of(image)) return;
  throw BadMessage(ImageId{image}, "its " + std::to_string(devices.size()) + " devices, of which " +
                                       std::to_string(team.devices_of(image)) + " with " +
                                       std::to_string(team.threads_of(image)) +
                                       " threads share the work");
}

}  // namespace

PricingTeam::PricingTeam(PricingSettings const& settings)
    : PricingTeam(std::in_place, with_own_devices_all(settings)) {
}

// All members are made of settings whose devices are this image's share of its node already.
PricingTeam::PricingTeam(std::in_place_t /*with own devices*/, PricingSettings const& settings)
    : team_(team_options(settings)),
      kinds_(worker_kinds(devices_of(settings), team_.devices().layout())),
      gpus_(*settings.gpus) {
  auto const own = pricing_devices(settings, team_.devices(), team_.image());
  auto const texts = team_.exchange_all(device_lines(own));
  for (int image = 0; image < images(); ++image) {
    auto lines = devices_from_lines(texts[static_cast<std::size_t>(image)], image);
    expect_own(team_, image, lines);
    std::ranges::move(lines, std::back_inserter(devices_));
  }
}

PricingTeam::~PricingTeam() = default;

void PricingTeam::begin_book(ContractBook const& book, PricingSettings const& settings) {
  if (images() > 1) team_.send(bytes_of(book, settings));
}

void PricingTeam::serve() {
  // A thread that is left behind may still be in it.
  auto const keep_or_delete = [this](Service* service) {
    if (!team_.devices().has_left_threads_behind()) delete service;
  };
  std::unique_ptr<Service, decltype(keep_or_delete)> const service(new Service(*this),
                                                                   keep_or_delete);
  team_.serve(*service);
}

}  // namespace makespan::asian
