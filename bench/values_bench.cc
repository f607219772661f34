// SPDX-License-Identifier: Apache-2.0
// Statistics of every value of a debug buffer, against reading the buffer once and looking at
// each of its bytes; and the memory that takes, beyond the largest tensor.
//
//   etlens_values_bench [MEGABYTES [FOLDER]]   1024 megabytes in the folder for temporary files
//
// Columns: ratio = statistics / reading (bound 3); memory = the most that was resident above the
// start, beyond the largest tensor (bound 64 MB).
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>

#include "core/formats/debug_buffer/debug_buffer.h"
#include "core/formats/scalar_type.h"
#include "core/measure/values/value_statistics.h"

namespace {

using namespace etlens;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kMegabyte = 1 << 20;
constexpr uint64_t kTensorBytes = 16 * kMegabyte;

// A line of /proc/self/status, in bytes.
double status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::strtod(line.c_str() + key.size() + 1, nullptr) * 1024;
  }
  return 0;
}

void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

// Random bits, but for those that would make any element of any type no finite number.
void write_buffer(const std::string& path, uint64_t megabytes) {
  constexpr uint32_t kFinite = 0xBBFF;
  std::mt19937 random(1);
  std::vector<uint16_t> values(kMegabyte / sizeof(uint16_t));
  for (uint16_t& value : values) value = static_cast<uint16_t>(random() & kFinite);
  std::ofstream file(path, std::ios::binary);
  for (uint64_t i = 0; i < megabytes; ++i)
    file.write(reinterpret_cast<const char*>(values.data()), kMegabyte);
}

std::vector<TensorInfo> tensors_of(int8_t scalar_type, uint64_t bytes) {
  std::vector<TensorInfo> tensors;
  for (uint64_t at = 0; at < bytes; at += kTensorBytes) {
    TensorInfo info;
    info.scalar_type = scalar_type;
    info.sizes = {
        static_cast<int64_t>(std::min(kTensorBytes, bytes - at) / scalar_type_size(scalar_type))};
    info.offset = static_cast<int64_t>(at);
    tensors.push_back(std::move(info));
  }
  return tensors;
}

double best_of_three(const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto start = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

// What nothing can avoid: the bytes, and a look at each.
void read_once(const FileSystem& files, const std::string& path, uint64_t bytes) {
  uint64_t sum = 0;
  for (uint64_t at = 0; at < bytes; at += kPieceBytes) {
    const Result<Bytes> piece = files.read_range(path, at, kPieceBytes);
    if (!piece || piece->size() != kPieceBytes) std::abort();
    for (size_t i = 0; i < piece->size(); i += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, piece->data() + i, sizeof word);
      sum ^= word;
    }
  }
  benchmark::DoNotOptimize(sum);
}

double measure(const DebugBuffer& buffer, int8_t scalar_type, bool with_magnitudes) {
  double sum = 0;
  for (const TensorInfo& info : tensors_of(scalar_type, buffer.size())) {
    const Result<StoredTensor> tensor = buffer.tensor(info);
    Magnitudes magnitudes;
    StatisticsOptions options;
    if (with_magnitudes) options.magnitudes = &magnitudes;
    const Result<ValueStatistics> row = value_statistics(*tensor, options);
    if (!row) std::abort();
    sum += row->sum;
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t megabytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1024;
  const std::string folder = argc > 2 ? argv[2] : std::filesystem::temp_directory_path().string();
  const std::string path = folder + "/etlens-values-bench.bin";
  write_buffer(path, megabytes);
  const FileSystem& files = real_file_system();
  const Result<DebugBuffer> buffer = DebugBuffer::open(files, path);
  if (!buffer) return 1;

  read_once(files, path, buffer->size());  // into the system's cache
  const double before = status_bytes("VmRSS:");
  const double reading = best_of_three([&] { read_once(files, path, buffer->size()); });
  fmt::print("reading {} MB once: {:.3f} s\n\n{:<10} {:<10} {:>8} {:>6} {:>10}\n", megabytes,
             reading, "type", "histogram", "s", "ratio", "memory");
  bool is_within = true;
  for (const int8_t type : std::to_array<int8_t>({6, 7, 4, 15, 5, 1})) {
    for (const bool with_magnitudes : {false, true}) {
      reset_peak();
      const double seconds = best_of_three([&] { measure(*buffer, type, with_magnitudes); });
      const double beyond = status_bytes("VmHWM:") - before - static_cast<double>(kTensorBytes);
      fmt::print("{:<10} {:<10} {:>8.3f} {:>6.2f} {:>7.1f} MB\n", scalar_type_name(type),
                 with_magnitudes ? "yes" : "no", seconds, seconds / reading,
                 std::max(0.0, beyond) / kMegabyte);
      if (type == 6 && !with_magnitudes) is_within &= seconds / reading <= 3;
      is_within &= beyond < 64.0 * kMegabyte;
    }
  }
  std::filesystem::remove(path);
  return is_within ? 0 : 1;
}
