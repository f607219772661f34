// SPDX-License-Identifier: Apache-2.0
// Comparing 2 × 12 dumps of a large model, against loading each of them into a study of its own.
//
//   etlens_compare_bench                            synthetic artifacts
//   etlens_compare_bench RECORD PROGRAM DUMP...     real ones: the dumps are both sides
//
// Columns: ratio = compare / load (bound 1.3); what a side keeps of a further dump, as a fraction
// of the study that it came from.
#include <fmt/format.h>
#include <malloc.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bench/synthetic.h"
#include "core/compare/compare.h"

namespace {

using namespace etlens;
using Clock = std::chrono::steady_clock;

constexpr size_t kDumps = 12;  // a side

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double held_bytes() { return static_cast<double>(mallinfo2().uordblks); }

template <typename T>
T value_or_exit(Result<T> result) {
  if (!result) {
    fmt::print(stderr, "{}\n", result.error().message);
    std::exit(1);
  }
  return std::move(*result);
}

SideRequest request_of(const LoadRequest& load, const std::vector<std::string>& dumps,
                       size_t count) {
  SideRequest request;
  request.load = load;
  for (size_t i = 0; i < count; ++i) request.dumps.push_back(dumps[i % dumps.size()]);
  return request;
}

void measure(const std::string& name, const LoadRequest& load,
             const std::vector<std::string>& dumps) {
  const FileSystem& files = real_file_system();
  const SideRequest request = request_of(load, dumps, kDumps);
  auto start = Clock::now();
  double study_bytes = 0;
  for (size_t i = 0; i < 2 * kDumps; ++i) {
    LoadRequest one = load;
    one.etdump = request.dumps[i % kDumps];
    const double before = held_bytes();
    const auto study = value_or_exit(load_study(files, one));
    study_bytes = held_bytes() - before;
  }
  const double loading = seconds_since(start);

  start = Clock::now();
  auto before = std::make_shared<const Side>(value_or_exit(load_side(files, request)));
  auto after = std::make_shared<const Side>(value_or_exit(load_side(files, request)));
  const double reading = seconds_since(start);
  const Comparison comparison = value_or_exit(compare(before, after));
  const double comparing = seconds_since(start);

  const double base = held_bytes();
  const Side two = value_or_exit(load_side(files, request_of(load, dumps, 2)));
  const double of_two = held_bytes() - base;
  const Side many = value_or_exit(load_side(files, request_of(load, dumps, kDumps)));
  const double of_many = held_bytes() - base - of_two;
  const double of_further = (of_many - of_two) / static_cast<double>(kDumps - 2);

  fmt::print(
      "{:24} load {:6.2f} s  compare {:6.2f} s (reading {:.2f})  ratio {:.2f}  "
      "kept of a dump {:.1f} kB, {:.1f}% of its study\n",
      name, loading, comparing, reading, comparing / loading, of_further / 1e3,
      100 * of_further / study_bytes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 3) {
    LoadRequest load;
    load.etrecord = argv[1];
    load.pte = argv[2];
    measure("real", load, {argv + 3, argv + argc});
    return 0;
  }
  for (const bool delegated : {false, true}) {
    bench::SyntheticSize size;
    size.nodes = 5000;
    size.executions = 20;
    size.delegated = delegated;
    const bench::SyntheticFiles made = bench::make_artifacts(size);
    LoadRequest load;
    load.etrecord = made.etrecord;
    measure(delegated ? "5000 nodes, delegated" : "5000 nodes", load, {made.etdump});
  }
  return 0;
}
