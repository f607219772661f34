// SPDX-License-Identifier: Apache-2.0
// Loading a record and a dump into a finished study, against reading the same bytes and parsing
// the same graph JSON with simdjson. Time, its growth with the input, and memory.
//
//   etlens_loading_bench                      synthetic artifacts up to 1 million events
//   etlens_loading_bench --full               up to 10 million events and 100,000 nodes
//   etlens_loading_bench --pair DUMP RECORD   real artifacts as well
//
// Columns: ratio = load / baseline (bound 3); peak and resident memory as fractions of their bounds
// (twice, and half, the artifacts' bytes that are not weights, plus 30 MB each); series/resident is
// what the amounts of every event in every execution have of it. bench/ratios compares commands with
// the baseline, and with the yardstick: the same work in a program that reads files as most do.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>
#include <simdjson.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <string>

#include "bench/synthetic.h"
#include "core/formats/etrecord/zip_archive.h"
#include "core/workspace/load.h"

namespace {

using namespace etlens;
using Clock = std::chrono::steady_clock;

constexpr double kMegabyte = 1024.0 * 1024.0;
constexpr double kAllowance = 30 * kMegabyte;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Pair {
  std::string name;
  std::string etdump;
  std::string etrecord;
};

LoadRequest request_for(const Pair& pair) {
  LoadRequest request;
  request.etdump = pair.etdump;
  request.etrecord = pair.etrecord;
  return request;
}

bool is_graph(const ZipMember& member) {
  return member.name.starts_with("edge_dialect_exported_program") &&
         !member.name.ends_with("_state_dict") && !member.name.ends_with("_constants") &&
         !member.name.ends_with("_example_inputs");
}

// Python writes numbers that are not JSON, in masks of attention. Numbers of the same length replace them.
void replace_words(std::string& text) {
  for (const std::string_view word : {"Infinity", "NaN"})
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at))
      text.replace(at, word.size(), word.size(), '1');
}

// Of all graphs and maps of the record; returns their bytes. Weights are not read.
size_t parse_json(const Pair& pair) {
  size_t seen = 0;
  const Result<ZipArchive> archive = ZipArchive::open(real_file_system(), pair.etrecord);
  for (const ZipMember& member : archive->members()) {
    const bool is_map = member.name.ends_with("_map");
    if (!is_graph(member) && !is_map) continue;
    const Result<Bytes> json = archive->read(member);
    std::string text;
    text.reserve(json->size() + simdjson::SIMDJSON_PADDING);
    text = json->text();
    replace_words(text);
    simdjson::dom::parser parser;
    if (parser.parse(text.data(), text.size(), false).error() != simdjson::SUCCESS) {
      std::fprintf(stderr, "%s in %s is not JSON\n", member.name.c_str(), pair.etrecord.c_str());
      std::exit(1);
    }
    seen += text.size();
  }
  return seen;
}

// What nothing can avoid: the bytes, in blocks of memory as etlens has them, and the JSON.
size_t baseline(const Pair& pair) {
  const Result<Bytes> dump = real_file_system().read(pair.etdump);
  return (dump ? dump->size() : 0) + parse_json(pair);
}

// The same, but the bytes are added up, and they are in memory as `malloc` gives it to a program that
// asks for nothing special.
size_t yardstick(const Pair& pair) {
  const size_t size = real_file_system().stat(pair.etdump)->size / sizeof(uint64_t);
  uint64_t* const words = static_cast<uint64_t*>(std::malloc(size * sizeof(uint64_t)));
  std::FILE* const file = std::fopen(pair.etdump.c_str(), "rb");
  if (words == nullptr || file == nullptr) std::exit(1);
  const size_t read = std::fread(words, sizeof(uint64_t), size, file);
  std::fclose(file);
  const uint64_t sum = std::accumulate(words, words + read, uint64_t{0});
  std::free(words);
  return sum + parse_json(pair);
}

// Bytes of both artifacts that are not weights.
double useful_bytes(const Pair& pair) {
  double bytes = static_cast<double>(real_file_system().stat(pair.etdump)->size);
  const Result<ZipArchive> archive = ZipArchive::open(real_file_system(), pair.etrecord);
  for (const ZipMember& member : archive->members()) {
    const bool is_weights =
        member.name.ends_with("_state_dict") || member.name.ends_with("_constants") ||
        member.name.ends_with("_example_inputs") || member.name == "reference_outputs" ||
        member.name == "representative_inputs";
    if (!is_weights) bytes += static_cast<double>(member.size);
  }
  return bytes;
}

double status_bytes(const char* key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::strtod(line.c_str() + std::strlen(key), nullptr) * 1024;
  }
  return 0;
}

struct Measured {
  double seconds = 0;
  double peak = 0;      // bytes
  double resident = 0;  // bytes, afterwards
  double events = 0;
  double series = 0;  // bytes, of the resident
};

// Runs in a process of its own: loading is something that a fresh process does, and what an earlier
// round left in the allocator would flatter whoever comes second.
Measured measure(const char* self, const char* what, const Pair& pair) {
  const std::string command =
      fmt::format("'{}' {} '{}' '{}'", self, what, pair.etdump, pair.etrecord);
  Measured measured;
  if (std::FILE* child = ::popen(command.c_str(), "r")) {
    if (std::fscanf(child, "%lf %lf %lf %lf %lf", &measured.seconds, &measured.peak,
                    &measured.resident, &measured.events, &measured.series) != 5) {
      measured = {};
    }
    ::pclose(child);
  }
  return measured;
}

int measured_child(std::string_view what, const Pair& pair) {
  double events = 0;
  double series = 0;
  std::shared_ptr<const Study> kept;
  const auto start = Clock::now();
  if (what == "--baseline") {
    benchmark::DoNotOptimize(baseline(pair));
  } else if (what == "--yardstick") {
    benchmark::DoNotOptimize(yardstick(pair));
  } else {
    auto study = load_study(real_file_system(), request_for(pair));
    if (!study) return 1;
    kept = std::move(*study);
    events = static_cast<double>(kept->join->log->event_count());
    for (const Measure& measure : kept->measures) {
      const size_t amounts = measure.series.contributions() * measure.series.samples();
      series += static_cast<double>(amounts * sizeof(int64_t));
    }
  }
  const double seconds = seconds_since(start);
  const double peak = status_bytes("VmHWM:");
  ::malloc_trim(0);
  std::printf("%.9f %f %f %f %f\n", seconds, peak, status_bytes("VmRSS:"), events, series);
  return 0;
}

void load(benchmark::State& state, const Pair& pair, const char* self) {
  Measured best;
  double baseline_seconds = 1e9;
  best.seconds = 1e9;
  for (auto _ : state) {
    baseline_seconds = std::min(baseline_seconds, measure(self, "--baseline", pair).seconds);
    const Measured measured = measure(self, "--load", pair);
    if (measured.events == 0) {
      state.SkipWithError("the pair could not be loaded");
      return;
    }
    state.SetIterationTime(measured.seconds);
    if (measured.seconds < best.seconds) best = measured;
  }
  const double bytes = useful_bytes(pair);
  state.counters["events"] = best.events;
  state.counters["baseline_ms"] = baseline_seconds * 1e3;
  state.counters["load_ms"] = best.seconds * 1e3;
  state.counters["ratio"] = best.seconds / baseline_seconds;
  state.counters["ns_per_event"] = best.seconds * 1e9 / best.events;
  state.counters["peak_MB"] = best.peak / kMegabyte;
  state.counters["peak/bound"] = best.peak / (2 * bytes + kAllowance);
  state.counters["resident_MB"] = best.resident / kMegabyte;
  state.counters["resident/bound"] = best.resident / (bytes / 2 + kAllowance);
  state.counters["series/resident"] = best.series / best.resident;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 &&
      (std::strcmp(argv[1], "--load") == 0 || std::strcmp(argv[1], "--baseline") == 0 ||
       std::strcmp(argv[1], "--yardstick") == 0)) {
    return measured_child(argv[1], {"", argv[2], argv[3]});
  }
  // Makes artifacts for other tests: --make NODES EXECUTIONS prints their folder.
  if (argc == 4 && std::strcmp(argv[1], "--make") == 0) {
    const auto number = [](const char* text) {
      return static_cast<uint32_t>(std::strtoul(text, nullptr, 10));
    };
    fmt::print("{}\n", bench::make_artifacts({number(argv[2]), number(argv[3])}).folder);
    return 0;
  }
  std::vector<Pair> pairs;
  bool full = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--full") == 0) full = true;
    if (std::strcmp(argv[i], "--pair") == 0 && i + 2 < argc) {
      pairs.push_back({argv[i + 1], argv[i + 1], argv[i + 2]});
    }
  }
  std::vector<bench::SyntheticSize> sizes{
      {1000, 5}, {1000, 50}, {1000, 500}, {10'000, 5}, {10'000, 50}};
  if (full) sizes.insert(sizes.end(), {{1000, 5000}, {100'000, 5}, {100'000, 50}});
  for (const bench::SyntheticSize& size : sizes) {
    const bench::SyntheticFiles files = bench::make_artifacts(size);
    pairs.push_back({fmt::format("synthetic/{}_nodes/{}_events", size.nodes, size.events()),
                     files.etdump, files.etrecord});
  }
  for (const Pair& pair : pairs) {
    benchmark::RegisterBenchmark(("load/" + pair.name).c_str(), load, pair, argv[0])
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(7);
  }
  int benchmark_argc = 1;
  benchmark::Initialize(&benchmark_argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
