// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_file.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>

#include "core/base/budget.h"

namespace etlens {
namespace {

constexpr uint64_t kBlock = 32 << 10;
constexpr size_t kMaxBlockBytes = 8 << 20;  // that are kept
constexpr size_t kStepsPerBlock = 16;
constexpr size_t kFirstPiece = 1 << 20;  // of what is unpacked: what a file claims it must show

}  // namespace

void GitFiles::forget() {
  blocks_.clear();
  bytes_ = 0;
}

std::span<const uint8_t> GitFiles::at(const std::string& path, uint64_t offset) {
  const std::pair<std::string, uint64_t> key{path, offset / kBlock};
  auto found = blocks_.find(key);
  if (found == blocks_.end()) {
    go_on(kStepsPerBlock);
    Result<Bytes> bytes = files_.read_range(path, key.second * kBlock, kBlock);
    if (!bytes) return {};
    if (bytes_ + bytes->size() > kMaxBlockBytes) forget();
    bytes_ += bytes->size();
    found = blocks_.emplace(key, *std::move(bytes)).first;
  }
  const std::span<const uint8_t> block = found->second.span();
  return block.subspan(std::min<uint64_t>(offset % kBlock, block.size()));
}

bool GitFiles::copy(const std::string& path, uint64_t offset, std::span<uint8_t> out) {
  while (!out.empty()) {
    const std::span<const uint8_t> there = at(path, offset);
    if (there.empty()) return false;
    const size_t count = std::min(there.size(), out.size());
    std::copy_n(there.begin(), count, out.begin());
    out = out.subspan(count);
    offset += count;
  }
  return true;
}

uint64_t GitFiles::big_endian(const std::string& path, uint64_t offset, size_t bytes,
                              bool& is_there) {
  std::array<uint8_t, sizeof(uint64_t)> raw{};
  const std::span<uint8_t> wanted(raw.data(), std::min(bytes, raw.size()));
  is_there = is_there && copy(path, offset, wanted);
  uint64_t value = 0;
  for (const uint8_t byte : wanted) value = value << 8 | byte;
  return is_there ? value : 0;
}

std::optional<std::string> GitFiles::inflate(const std::string& path, uint64_t offset, size_t size,
                                             bool is_all) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return std::nullopt;
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> held(&stream, &inflateEnd);
  std::string text;
  size_t got = 0;
  int state = Z_OK;
  uint8_t beyond = 0;  // where a byte more than `size` would be written
  while (state == Z_OK) {
    const std::span<const uint8_t> packed = at(path, offset);
    if (packed.empty()) break;
    if (got == text.size() && got < size)
      text.resize(std::min(size, std::max(2 * got, std::min(size, kFirstPiece))));
    const bool is_full = got == size;
    if (is_full && !is_all) break;
    go_on(packed.size() / 256 + 1);
    stream.next_in = const_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = is_full ? &beyond : reinterpret_cast<Bytef*>(text.data()) + got;
    const size_t room = is_full ? 1 : text.size() - got;
    stream.avail_out = static_cast<uInt>(room);
    state = ::inflate(&stream, Z_NO_FLUSH);
    offset += packed.size() - stream.avail_in;
    const size_t made = room - stream.avail_out;
    if (is_full && made > 0) return std::nullopt;
    got += made;
  }
  text.resize(got);
  if (is_all && (state != Z_STREAM_END || got != size)) return std::nullopt;
  return text;
}

std::optional<std::string> GitFiles::unpack(const std::string& path, uint64_t offset, size_t size) {
  return inflate(path, offset, size, false);
}

std::optional<std::string> GitFiles::unpack_all(const std::string& path, uint64_t offset,
                                                size_t size) {
  return size <= kMaxGitObjectBytes ? inflate(path, offset, size, true) : std::nullopt;
}

}  // namespace etlens
