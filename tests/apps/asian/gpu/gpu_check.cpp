// SPDX-License-Identifier: Apache-2.0
// What a machine with a GPU is asked to show: the same bits on CPU, GPU and both; what the GPU does
// alone; what both do together. Run by tools/gpu_check; prints a line as each check ends, and one
// table last. Exit code 1 if bits differ; a figure that is not reached is told in the table.
//
// `gpu_check`: everything. `gpu_check small`: one little book, for a sanitizer. `gpu_check kernel`:
// one large option in single precision with 7 rounds, for a profiler.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "gpu_check_books.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/cuda/gpu.hpp"

namespace makespan::asian {
namespace {

// A multiprocessor's issue slots for each of a path's steps, random number included, by the machine
// code for sm_90 (docs/explanation/gpus.md): plain Monte Carlo, 7 rounds, single precision.
constexpr double slots_per_step = 45;

constexpr double rate_at_least = 4e11;      // path-steps/s
constexpr double slots_at_least = 0.6;      // of the bound
constexpr double together_at_least = 0.97;  // of the sum of the two alone
constexpr double prices_s_at_most = 0.2;    // 10 000 options at 1 bp of spot
constexpr double greeks_s_at_most = 0.5;

struct Row {
  std::string what;
  std::string figure;
  std::string wanted;
  bool reached;
};

class Table {
 public:
  void add(Row const& row) {
    rows_.push_back(row);
    std::cout << row.what << ": " << row.figure << std::endl;
  }

  void print() const {
    std::cout << "\n";
    for (Row const& row : rows_) {
      std::cout << std::left << std::setw(58) << row.what << std::setw(44) << row.figure
                << std::setw(16) << row.wanted << (row.reached ? "reached" : "NOT REACHED") << "\n";
    }
  }

 private:
  std::vector<Row> rows_;
};

std::string number(double value, int digits = 3) {
  std::ostringstream text;
  text << std::setprecision(digits) << value;
  return text.str();
}

// FNV-1a of all that is in a result but the time it took.
std::uint64_t hash_of(ResultBook const& results) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::uint64_t const word : bits_of(results)) {
    for (int byte = 0; byte < 8; ++byte) {
      hash = (hash ^ (word >> (8 * byte) & 0xffU)) * 0x100000001b3;
    }
  }
  return hash;
}

struct Priced {
  std::uint64_t hash;
  RunSummary summary;
  SpeedByKind speeds;
  double rate;  // path-steps/s, from the first claim to the last end
};

Priced price(BookColumns const& columns, PricingSettings settings, std::string const& devices,
             SpeedByKind const& speeds = {}) {
  settings.devices = machine::devices_from(devices);
  settings.speeds = speeds;
  PricingRun run{columns.book(), settings};
  RunSummary const summary = run.summary();
  return {.hash = hash_of(run.results()),
          .summary = summary,
          .speeds = run.speeds(),
          .rate = static_cast<double>(summary.path_steps) / summary.makespan.value()};
}

// Ends the program if they differ.
void check_bits_of(Table& table, std::string const& name, BookColumns const& columns,
                   PricingSettings const& settings) {
  auto const cpu = price(columns, settings, "cpu").hash;
  auto const gpu = price(columns, settings, "cuda:0").hash;
  auto const both = price(columns, settings, "cpu cuda:0").hash;
  std::ostringstream hashes;
  hashes << std::hex << cpu << (gpu == cpu ? " = " : " != ") << "GPU"
         << (both == cpu ? " = " : " != ") << "both";
  bool const same = gpu == cpu && both == cpu;
  table.add({"hash of a book: " + name, hashes.str(), "equal", same});
  if (!same) std::exit(1);
}

void check_bits(Table& table, bool small) {
  BookColumns const columns = small ? mixed_book() : many_kinds_book();
  for (MethodEntry const& method : methods()) {
    for (bool const greeks : {false, true}) {
      for (auto const precision : {PrecisionChoice::automatic, PrecisionChoice::fp64}) {
        if (small && (precision == PrecisionChoice::fp64) != greeks) continue;
        PricingSettings settings = settings_of(method.method, greeks, 0);
        settings.precision = precision;
        std::string const name = std::string(method.name) + (greeks ? ", Greeks" : "") +
                                 (precision == PrecisionChoice::fp64 ? ", fp64" : "");
        check_bits_of(table, name, columns, settings);
      }
    }
  }
  for (bool const greeks : {false, true}) {
    std::string const end = greeks ? ", Greeks" : "";
    PricingSettings const settings = settings_of(Method::automatic, greeks, 0);
    check_bits_of(table, "random variances, baskets" + end, models_book(), settings);
    check_bits_of(table, "local volatilities" + end, surface_book(), settings);
  }
}

// The best of some runs, as on a machine that others use as well.
Priced best_of(int runs, BookColumns const& columns, PricingSettings const& settings,
               std::string const& devices) {
  Priced best = price(columns, settings, devices);
  for (int run = 1; run < runs; ++run) {
    Priced const next = price(columns, settings, devices, best.speeds);
    if (next.rate > best.rate) best = next;
  }
  return best;
}

PricingSettings fastest(Method method, bool greeks) {
  PricingSettings settings = settings_of(method, greeks, 0);
  settings.philox_rounds = 7;
  settings.precision = PrecisionChoice::fp32;
  return settings;
}

void measure_gpu(Table& table) {
  cuda::Gpu const& gpu = cuda::discover().gpus.front();
  double const bound = gpu.lanes * gpu.clock_hz / slots_per_step;
  BookColumns const one = desk_book(1, 0.0, std::int64_t{1} << 30);
  double const plain = best_of(3, one, fastest(Method::mc_plain, false), "cuda:0").rate;
  table.add({"one option (MT), plain, path-steps/s", number(plain), ">= " + number(rate_at_least),
             plain >= rate_at_least});
  table.add({"the same over the bound by issue slots, " + number(bound), number(plain / bound),
             ">= " + number(slots_at_least), plain / bound >= slots_at_least});
  for (auto const& [name, method, greeks] :
       {std::tuple{"one option, controlled", Method::mc, false},
        {"one option, controlled, Greeks", Method::mc, true},
        {"one option, rqmc", Method::rqmc, false}}) {
    BookColumns const book = desk_book(1, 0.0, std::int64_t{1} << 28);
    double const rate = best_of(3, book, fastest(method, greeks), "cuda:0").rate;
    table.add({std::string(name) + ", path-steps/s", number(rate), "", true});
  }
  BookColumns const many = desk_book(4096, 0.0, 1 << 17);
  double const rate = best_of(3, many, fastest(Method::mc_plain, false), "cuda:0").rate;
  table.add({"4096 options of 2^17 paths (MO), path-steps/s", number(rate), "", true});
}

void measure_together(Table& table) {
  BookColumns const book = desk_book(512, 0.0, 1 << 23);
  PricingSettings const settings = fastest(Method::mc, false);
  BookColumns const share = desk_book(4, 0.0, 1 << 23);
  Priced const cpu = best_of(2, share, settings, "cpu");
  Priced const gpu = best_of(2, book, settings, "cuda:0");
  SpeedByKind speeds = cpu.speeds;
  for (auto const& [kind, speed] : gpu.speeds) speeds[kind] = speed;
  Priced best = price(book, settings, "cpu cuda:0", speeds);
  for (int run = 0; run < 2; ++run) {
    Priced const next = price(book, settings, "cpu cuda:0", speeds);
    if (next.rate > best.rate) best = next;
  }
  double const share_of_sum = best.rate / (cpu.rate + gpu.rate);
  table.add({"CPU alone, path-steps/s", number(cpu.rate), "", true});
  table.add({"GPU alone, path-steps/s", number(gpu.rate), "", true});
  table.add({"CPU + GPU on one book over the sum", number(share_of_sum),
             ">= " + number(together_at_least), share_of_sum >= together_at_least});
  for (DeviceSummary const& device : best.summary.devices) {
    std::string const busy = number(device.busy.value() / device.threads) + " s busy of " +
                             number(best.summary.makespan.value()) + " s";
    table.add({"  " + device.name + " (" + device.isa + ")",
               busy + ", " + number(device.work / best.summary.makespan / Speed{1.0}) + "/s", "",
               true});
  }
  table.add({"  claims, steals, makespan over ideal",
             std::to_string(best.summary.claims) + ", " + std::to_string(best.summary.steals) +
                 ", " + number(best.summary.makespan / best.summary.ideal, 4),
             "", true});
}

// To a standard error of 1 bp of spot.
void measure_accuracy(Table& table) {
  BookColumns const book = desk_book(10000, 0.01, 0);
  for (bool const greeks : {false, true}) {
    PricingSettings const settings = settings_of(Method::mc, greeks, 0);
    double best = 1e9;
    SpeedByKind speeds;
    for (int run = 0; run < 4; ++run) {
      Priced const priced = price(book, settings, "cpu cuda:0", speeds);
      speeds = priced.speeds;
      if (run > 0) best = std::min(best, priced.summary.wall.value());
    }
    double const wanted = greeks ? greeks_s_at_most : prices_s_at_most;
    table.add({std::string("10 000 options at 1 bp of spot, warm") + (greeks ? ", six Greeks" : ""),
               number(best) + " s", "< " + number(wanted) + " s", best < wanted});
  }
}

int run(std::string_view what) {
  cuda::Discovery const& found = cuda::discover();
  if (found.gpus.empty()) {
    std::cerr << "gpu_check: " << found.why_none << "\n";
    return 2;
  }
  cuda::Gpu const& gpu = found.gpus.front();
  std::cout << gpu.name << ", " << gpu.multiprocessors << " multiprocessors, "
            << number(gpu.clock_hz / 1e9) << " GHz, capability " << gpu.capability << ", "
            << std::thread::hardware_concurrency() << " cores\n";
  Table table;
  if (what == "kernel") {
    static_cast<void>(
        price(desk_book(1, 0.0, 1 << 28), fastest(Method::mc_plain, false), "cuda:0"));
    return 0;
  }
  check_bits(table, what == "small");
  if (what != "small") {
    measure_gpu(table);
    measure_together(table);
    measure_accuracy(table);
  }
  table.print();
  return 0;
}

}  // namespace
}  // namespace makespan::asian

int main(int argc, char** argv) {
  return makespan::asian::run(argc > 1 ? argv[1] : "");
}
