// SPDX-License-Identifier: Apache-2.0
// Every export of a dump of 1.3 million events, against writing the same bytes to a file in pieces
// of the same size.
//
//   etlens_export_bench                    a synthetic dump
//   etlens_export_bench ETDUMP [ETRECORD]  a real one
//   etlens_export_bench --only FORM …      one form alone
//   etlens_export_bench --executions N …   of the synthetic dump
//
// Columns: the file's size; seconds of the export; what it is held against, and the ratio; what the
// export holds in memory at most beside the profile. Forms with every execution are held against
// writing their bytes (bound 3). Forms that hold each event once are small: they are held against
// the two tables of `etlens lines` and `etlens events`, which have to work out as much to say
// (bound 2). No form may hold more than a tenth of the profile.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bench/synthetic.h"
#include "core/base/budget.h"
#include "core/export/export.h"
#include "core/render/tables.h"
#include "core/workspace/load.h"

namespace {

using namespace etlens;
using Clock = std::chrono::steady_clock;

constexpr uint32_t kNodes = 1000;
constexpr uint32_t kExecutions = 650;
constexpr int kRepeats = 5;  // the quickest counts
constexpr double kWritingBound = 3;
constexpr double kTablesBound = 2;
constexpr double kHeldBound = 0.1;  // of the profile
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

double export_seconds(const ExportForm& form, const ExportInput& input) {
  OutFile file;
  const auto start = Clock::now();
  Sink sink([&](std::string_view piece) { return file.write(piece); });
  form.write(input, sink);
  if (!sink.finish()) std::exit(1);
  return seconds_since(start);
}

std::string export_bytes(const ExportForm& form, const ExportInput& input) {
  std::string bytes;
  Sink sink([&](std::string_view piece) {
    bytes += piece;
    return true;
  });
  form.write(input, sink);
  if (!sink.finish()) std::exit(1);
  return bytes;
}

// Bytes that an export allocated and had not yet freed, at most.
double export_holds(const ExportForm& form, const ExportInput& input) {
  set_base_budget(INT64_MAX / 4, INT64_MAX / 4);  // counted, not limited
  const Result<void> done = within_budget({}, [&] {
    Sink sink([](std::string_view) { return true; });
    form.write(input, sink);
    return sink.finish();
  });
  if (!done) std::exit(1);
  return static_cast<double>(last_peak_bytes());
}

double write_bytes(const std::string& bytes) {
  OutFile file;
  const auto start = Clock::now();
  for (size_t at = 0; at < bytes.size(); at += kPiece)
    file.write(std::string_view(bytes).substr(at, kPiece));
  return seconds_since(start);
}

double make_tables(const ExportInput& input) {
  const TableOptions style{TableStyle::Human, TimeScale::Milliseconds, std::nullopt};
  const auto start = Clock::now();
  const size_t rows = lines_table(input.facts, input.sources, style).rows.size() +
                      events_table(input.facts, input.sources, style).rows.size();
  if (rows == 0) std::exit(1);
  return seconds_since(start);
}

bool measure(const ExportForm& form, const ExportInput& input, double profile_bytes) {
  const bool has_executions = form.name == "chrome" || form.name == "perfetto";
  const std::string bytes = export_bytes(form, input);
  const double held = export_holds(form, input);
  double exporting = 1e9;
  double other = 1e9;
  for (int i = 0; i < kRepeats; ++i) {
    exporting = std::min(exporting, export_seconds(form, input));
    other = std::min(other, has_executions ? write_bytes(bytes) : make_tables(input));
  }
  const double ratio = exporting / other;
  fmt::print("{:<12} {:>9.2f} {:>9.3f} {:>9} {:>9.3f} {:>7.2f} {:>9.2f}\n", form.name,
             static_cast<double>(bytes.size()) / 1e6, exporting,
             has_executions ? "writing" : "tables", other, ratio, held / 1e6);
  return ratio <= (has_executions ? kWritingBound : kTablesBound) &&
         held <= kHeldBound * profile_bytes;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string_view> arguments(argv + 1, argv + argc);
  std::string_view only;
  uint32_t executions = kExecutions;
  for (; arguments.size() > 1 && arguments[0].starts_with("--");
       arguments.erase(arguments.begin(), arguments.begin() + 2)) {
    if (arguments[0] == "--only") only = arguments[1];
    else executions = static_cast<uint32_t>(std::strtoul(arguments[1].data(), nullptr, 10));
  }
  LoadRequest load;
  if (!arguments.empty()) {
    load.etdump = arguments[0];
    if (arguments.size() > 1) load.etrecord = arguments[1];
  } else {
    bench::SyntheticSize size;
    size.nodes = kNodes;
    size.executions = executions;
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
  fmt::print("{:<12} {:>9} {:>9} {:>9} {:>9} {:>7} {:>9}\n", "form", "MB", "export s", "against",
             "s", "ratio", "held MB");
  bool is_good = true;
  for (const ExportForm& form : export_forms()) {
    if (only.empty() || form.name == only)
      is_good &= measure(form, {facts, sources, std::nullopt}, profile);
  }
  return is_good ? 0 : 1;
}
