// SPDX-License-Identifier: Apache-2.0
// Bytes -> a pack with an index of eight objects -> each of them; and the same bytes as a loose
// object, a tree, an index and a delta. The first sixteen bytes are where the objects begin.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/source/git/git_delta.h"
#include "core/source/git/git_file.h"
#include "core/source/git/git_objects.h"
#include "core/source/git/git_packs.h"
#include "tests/support/memory_file_system.h"

namespace {

constexpr size_t kObjects = 8;

etlens::GitId id_of(size_t n) {
  etlens::GitId id;
  id.fill(static_cast<unsigned char>(n));
  return id;
}

std::string index_of(std::string_view places) {
  std::string index("\xFFtOc\0\0\0\x02", 8);
  for (size_t byte = 0; byte < 256; ++byte)
    index += std::string(3, '\0') + static_cast<char>(std::min(byte + 1, kObjects));
  for (size_t n = 0; n < kObjects; ++n) index += std::string(20, static_cast<char>(n));
  index += std::string(4 * kObjects, '\0');
  for (size_t n = 0; n < kObjects; ++n)
    index += std::string(2, '\0') + std::string(places.substr(2 * n, 2));
  return index;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  constexpr size_t kLimit = 1 << 20;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (size < 2 * kObjects) return 0;
  test::MemoryFileSystem files;
  files.put("/objects/pack/pack-1.idx", index_of(bytes));
  files.put("/objects/pack/pack-1.pack", bytes.substr(2 * kObjects));
  files.put("/objects/pack/pack-2.idx", bytes);
  files.put("/objects/pack/pack-2.pack", bytes);
  const std::string loose = "/objects/" + std::string(2, 'a') + "/" + std::string(38, 'a');
  files.put(loose, bytes);
  GitFiles pieces(files);
  GitPacks packs(files, pieces, "/objects");
  for (size_t n = 0; n < kObjects; ++n) {
    const std::optional<GitPacks::Place> place = packs.find(id_of(n));
    if (!place) continue;
    const std::optional<GitHeader> header = packs.header(*place);
    const std::optional<std::string> object = packs.read(*place, kLimit);
    if (object && (!header || header->size != object->size())) std::abort();
  }
  const GitObjects objects(files, "/objects");
  if (objects.read(*git_id_of(std::string(40, 'a')), GitKind::Blob, kLimit)) std::abort();
  (void)objects.abbreviated("0000");
  (void)entries_of(bytes);
  const std::string base(bytes.substr(0, size / 2));
  (void)apply_git_delta(base, bytes.substr(size / 2), kLimit);
  return 0;
}
