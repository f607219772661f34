// SPDX-License-Identifier: Apache-2.0
// What a dump of a fleet costs, against loading the same dumps one by one; and what more of them
// cost in memory. etlens_fleet_bench [DUMPS [RECORD SERIES…]]
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bench/fleet/make_fleet.h"
#include "core/base/text.h"
#include "core/fleet/dump_work.h"
#include "core/fleet/fleet.h"
#include "core/fleet/processes.h"

namespace {

using namespace etlens;
namespace fs = std::filesystem;

std::string read_unpacked(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  std::string bytes;
  if (file == nullptr) return bytes;
  std::vector<char> buffer(1 << 16);
  for (int got = 0; (got = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0;)
    bytes.append(buffer.data(), static_cast<size_t>(got));
  gzclose(file);
  return bytes;
}

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

struct Seconds {
  double wall = 0;
  double processor = 0;  // of this process and those that it waited for
};

double processor_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  }
  return seconds;
}

Seconds seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  const double before = processor_seconds();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          processor_seconds() - before};
}

long peak_kb(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  return usage.ru_maxrss;
}

struct Read {
  Fleet fleet;
  uint64_t rows = 0;
  uint64_t row_bytes = 0;
};

Read read_fleet(const DumpSearch& search, size_t count, size_t jobs) {
  DumpWork work;
  work.dumps.assign(search.dumps.begin(), search.dumps.begin() + static_cast<long>(count));
  work.reader.partners = search.partners;
  work.reader.here = search.paths.front();
  work.jobs = jobs;
  Read read;
  FleetBuilder builder({{"device", "build"}, 1'000'000});
  (void)read_dumps(real_file_system(), work, [&](size_t, DumpText text) {
    if (auto* broken = std::get_if<BrokenDump>(&text)) {
      builder.add(std::move(*broken));
      return true;
    }
    const DumpRows rows = rows_from_text(std::get<std::string>(text));
    read.rows += rows.rows.size();
    read.row_bytes += std::get<std::string>(text).size();
    (void)builder.add(rows);
    return true;
  });
  read.fleet = std::move(builder).finish();
  return read;
}

// Returns how many bytes the dumps have together.
uint64_t write_dumps(const bench::FleetMaker& maker, const fs::path& folder, size_t count) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < count; ++i) {
    const std::string dump = maker.dump(i);
    bytes += dump.size();
    write(folder / maker.name(i), dump);
    write((folder / maker.name(i)).replace_extension(".json"), maker.sidecar(i));
  }
  return bytes;
}

void load_one_by_one(const DumpSearch& search, const fs::path& folder, size_t count) {
  LoadRequest request;
  request.etrecord = (folder / "model.etrecord").string();
  for (size_t i = 0; i < count; ++i) {
    request.etdump = search.dumps[i];
    (void)load_study(real_file_system(), request);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto count = static_cast<size_t>(argc > 1 ? parse_int(argv[1]).value_or(0) : 2000);
  std::string record = ETLENS_SOURCE_DIR "/tests/data/release-1.5/mlp-portable-fp32/model.etrecord";
  std::vector<std::string> series;
  for (int i = 3; i < argc; ++i) series.push_back(read_unpacked(argv[i]));
  if (argc > 2) record = argv[2];
  for (int i = 1; argc <= 2 && i <= 6; ++i)
    series.push_back(
        read_unpacked(fmt::format(ETLENS_SOURCE_DIR "/tests/data/compare/base-{}.dump.gz", i)));
  const bench::FleetMaker maker(std::move(series), {});
  if (count < 100 || maker.series_size() < 2) return 2;
  const fs::path folder = fs::temp_directory_path() / fmt::format("etlens-fleet-{}", ::getpid());
  write(folder / "model.etrecord", read_unpacked(record));
  const uint64_t bytes = write_dumps(maker, folder, count);
  const Result<DumpSearch> search = find_dumps(real_file_system(), {folder.string()});
  if (!search) return 1;
  fmt::print("{} dumps of {} bytes\n", count, bytes / count);

  const size_t few = count / 10;
  const Seconds one_by_one = seconds_of([&] { load_one_by_one(*search, folder, few); });
  Read read;
  const Seconds a_tenth = seconds_of([&] { read = read_fleet(*search, few, 1); });
  const long peak_of_few = peak_kb(RUSAGE_SELF);
  const long child_of_few = peak_kb(RUSAGE_CHILDREN);
  const Seconds all = seconds_of([&] { read = read_fleet(*search, count, 1); });
  const long peak_of_all = peak_kb(RUSAGE_SELF);
  const long child_of_all = peak_kb(RUSAGE_CHILDREN);
  const size_t cores = processor_count();
  const Seconds in_parallel = seconds_of([&] { (void)read_fleet(*search, count, cores); });

  const auto per_dump = [](double seconds, size_t n) {
    return seconds * 1e3 / static_cast<double>(n);
  };
  fmt::print("loaded one by one     {:7.3f} ms of a processor for a dump\n",
             per_dump(one_by_one.processor, few));
  fmt::print("fleet                 {:7.3f} ms of a processor for a dump: {:.2f} of that\n",
             per_dump(a_tenth.processor, few), a_tenth.processor / one_by_one.processor);
  fmt::print("{} readers             {:.2f} of the time of one\n", cores,
             in_parallel.wall / all.wall);
  fmt::print("rows                  {} a dump, {} bytes each\n", read.rows / count,
             read.row_bytes / std::max<uint64_t>(read.rows, 1));
  fmt::print("peak memory           {} kB with {} dumps, {} kB with {}: {:.2f} times\n",
             peak_of_few, few, peak_of_all, count,
             static_cast<double>(peak_of_all) / static_cast<double>(peak_of_few));
  fmt::print("peak of a reader      {} kB, {} kB: {:.2f} times\n", child_of_few, child_of_all,
             static_cast<double>(child_of_all) / static_cast<double>(child_of_few));
  fmt::print("{} dumps counted, {} broken\n", read.fleet.dumps, read.fleet.broken_count());
  fs::remove_all(folder);
  return read.fleet.dumps == count ? 0 : 1;
}
