// SPDX-License-Identifier: Apache-2.0
// etlens_make_fleet FOLDER COUNT [--slow BUILD:INSTRUCTION:FACTOR]… [--first N] SERIES…
// Writes COUNT made dumps, each with a sidecar of facts, below FOLDER. SERIES: real dumps of one
// program, also gzipped ones; a record among them is copied beside the dumps.
#include <fmt/format.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bench/fleet/make_fleet.h"
#include "core/base/text.h"

namespace {

std::string read_unpacked(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");  // reads plain files as they are
  std::string bytes;
  if (file == nullptr) return bytes;
  std::vector<char> buffer(1 << 16);
  for (int got = 0; (got = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0;)
    bytes.append(buffer.data(), static_cast<size_t>(got));
  gzclose(file);
  return bytes;
}

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

// "2:5:1.15": builds from 1.
bool read_change(const std::string& text, etlens::bench::FleetPlan& plan) {
  const std::vector<std::string_view> parts = etlens::split(text, ':');
  if (parts.size() != 3) return false;
  const auto build = etlens::parse_int(parts[0]);
  const auto instruction = etlens::parse_int(parts[1]);
  const auto factor = etlens::parse_double(parts[2]);
  if (!build || *build < 1 || !instruction || !factor) return false;
  plan.changes.push_back(
      {static_cast<size_t>(*build - 1), static_cast<int32_t>(*instruction), *factor});
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  etlens::bench::FleetPlan plan;
  std::vector<std::string> plain;
  size_t first = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--slow" && has_value) {
      if (!read_change(argv[++i], plan)) return fmt::print(stderr, "no change: {}\n", argv[i]), 2;
    } else if (argument == "--first" && has_value) {
      first = static_cast<size_t>(etlens::parse_int(argv[++i]).value_or(0));
    } else {
      plain.push_back(argument);
    }
  }
  const auto count = plain.size() > 3 ? etlens::parse_int(plain[1]) : std::nullopt;
  if (!count || *count < 1) {
    fmt::print(stderr,
               "etlens_make_fleet FOLDER COUNT [--slow BUILD:INSTRUCTION:FACTOR]… "
               "[--first N] SERIES…\n");
    return 2;
  }
  const std::filesystem::path folder = plain[0];
  std::vector<std::string> series;
  for (size_t i = 2; i < plain.size(); ++i) {
    std::string bytes = read_unpacked(plain[i]);
    if (bytes.starts_with("PK")) write(folder / "model.etrecord", bytes);
    else series.push_back(std::move(bytes));
  }
  const etlens::bench::FleetMaker maker(std::move(series), plan);
  if (maker.series_size() < 2) return fmt::print(stderr, "two dumps of one program, or more\n"), 2;
  for (size_t i = first; i < first + static_cast<size_t>(*count); ++i) {
    const std::filesystem::path path = folder / maker.name(i);
    write(path, maker.dump(i));
    std::filesystem::path sidecar = path;
    write(sidecar.replace_extension(".json"), maker.sidecar(i));
  }
}
