// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target over files, so that its seeds are an ordinary test under any compiler.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

// Larger files are data of other tests, not seeds.
constexpr uintmax_t kMaxSeedBytes = 4 << 20;

size_t run(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path)) count += run(entry.path());
    return count;
  }
  if (!std::filesystem::is_regular_file(path) || std::filesystem::file_size(path) > kMaxSeedBytes)
    return 0;
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file),
                                std::istreambuf_iterator<char>()};
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  size_t count = 0;
  LLVMFuzzerTestOneInput(nullptr, 0);
  for (int i = 1; i < argc; ++i) count += run(argv[i]);
  std::printf("%zu inputs\n", count);
  return count == 0 ? 1 : 0;  // a run without seeds tests nothing
}
