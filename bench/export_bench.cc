// SPDX-License-Identifier: Apache-2.0
// Every export of a dump of 1.3 million events, against writing the same bytes to a file in pieces
// of the same size.
//
//   etlens_export_bench                    a synthetic dump
//   etlens_export_bench ETDUMP [ETRECORD]  a real one
//
// Columns: the file's size; seconds of the export and of writing its bytes, and their ratio (bound
// 3, for files that hold every execution); what the export holds in memory at most beside the
// profile, as a fraction of its file and of the profile. Forms that hold each event once are small:
// their time is that of working out what to say, and is shown without a bound.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "bench/synthetic.h"
#include "core/export/export.h"
#include "core/workspace/load.h"

namespace {

using namespace etlens;
using Clock = std::chrono::steady_clock;

constexpr uint32_t kNodes = 1000;
constexpr uint32_t kExecutions = 650;
constexpr int kRepeats = 3;  // the quickest counts
constexpr double kBound = 3;
constexpr size_t kPiece = 64 * 1024;

double held_bytes() { return static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd); }

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class OutFile {
 public:
  OutFile() : path_(std::filesystem::temp_directory_path() / "etlens-export-bench.out") {
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) std::exit(1);
  }
  ~OutFile() {
    std::fclose(file_);
    std::filesystem::remove(path_);
  }
  OutFile(const OutFile&) = delete;
  OutFile& operator=(const OutFile&) = delete;
  bool write(std::string_view piece) {
    return std::fwrite(piece.data(), 1, piece.size(), file_) == piece.size();
  }

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
};

struct Measured {
  double seconds = 0;
  double held = 0;  // bytes beside the profile, at most
  std::string bytes;
};

Measured export_once(const ExportForm& form, const ExportInput& input, bool keeps) {
  Measured measured;
  OutFile file;
  const double before = held_bytes();
  const auto start = Clock::now();
  Sink sink([&](std::string_view piece) {
    if (keeps) measured.bytes += piece;
    else measured.held = std::max(measured.held, held_bytes() - before);
    return file.write(piece);
  });
  form.write(input, sink);
  if (!sink.finish()) std::exit(1);
  measured.seconds = seconds_since(start);
  return measured;
}

double write_bytes(const std::string& bytes) {
  OutFile file;
  const auto start = Clock::now();
  for (size_t at = 0; at < bytes.size(); at += kPiece)
    file.write(std::string_view(bytes).substr(at, kPiece));
  return seconds_since(start);
}

bool measure(const ExportForm& form, const ExportInput& input, double profile_bytes) {
  const bool has_executions = form.name == "chrome" || form.name == "perfetto";
  const std::string bytes = export_once(form, input, true).bytes;
  double exporting = 1e9;
  double writing = 1e9;
  double held = 0;
  for (int i = 0; i < kRepeats; ++i) {
    const Measured one = export_once(form, input, false);
    exporting = std::min(exporting, one.seconds);
    held = std::max(held, one.held);
    writing = std::min(writing, write_bytes(bytes));
  }
  const double ratio = exporting / writing;
  fmt::print("{:<12} {:>9.1f} {:>9.3f} {:>9.3f} {:>7.2f} {:>10.4f} {:>10.4f}\n", form.name,
             static_cast<double>(bytes.size()) / 1e6, exporting, writing, ratio,
             held / static_cast<double>(bytes.size()), held / profile_bytes);
  return !has_executions || ratio <= kBound;
}

}  // namespace

int main(int argc, char** argv) {
  LoadRequest load;
  if (argc > 1) {
    load.etdump = argv[1];
    if (argc > 2) load.etrecord = argv[2];
  } else {
    bench::SyntheticSize size;
    size.nodes = kNodes;
    size.executions = kExecutions;
    const bench::SyntheticFiles files = bench::make_artifacts(size);
    load.etdump = files.etdump;
    load.etrecord = files.etrecord;
  }
  const double before = held_bytes();
  auto study = load_study(real_file_system(), load);
  if (!study) {
    fmt::print(stderr, "{}\n", study.error().message);
    return 1;
  }
  const Facts facts(std::move(*study));
  const double profile = held_bytes() - before;
  const std::vector<AnchoredSource> sources =
      read_and_anchor(real_file_system(), facts.code(), facts.sources());
  fmt::print("{} events, profile {:.0f} MB\n", facts.join().log->event_count(), profile / 1e6);
  fmt::print("{:<12} {:>9} {:>9} {:>9} {:>7} {:>10} {:>10}\n", "form", "MB", "export s", "write s",
             "ratio", "held/file", "held/prof");
  bool is_good = true;
  for (const ExportForm& form : export_forms())
    is_good &= measure(form, {facts, sources, std::nullopt}, profile);
  return is_good ? 0 : 1;
}
