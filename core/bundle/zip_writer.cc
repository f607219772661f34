// SPDX-License-Identifier: Apache-2.0
#include "core/bundle/zip_writer.h"

#include <libdeflate.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <limits>

#include "core/base/counted_memory.h"

namespace etlens {
namespace {

constexpr size_t kMostZipBytes = std::numeric_limits<uint32_t>::max();
constexpr uint16_t kDate = 1 << 5 | 1;  // the first day that a ZIP can name

void put16(std::string& out, uint32_t value) {
  out += static_cast<char>(value & 0xff);
  out += static_cast<char>(value >> 8 & 0xff);
}

void put32(std::string& out, size_t value) {
  put16(out, static_cast<uint32_t>(value & 0xffff));
  put16(out, static_cast<uint32_t>(value >> 16 & 0xffff));
}

// What of a part is written.
struct PackedPart {
  std::string bytes;
  uint32_t checksum = 0;
  bool is_deflated = false;
};

PackedPart stored(const SparseBytes& content) {
  PackedPart packed;
  content.each_block([&](std::string_view block) {
    packed.checksum = libdeflate_crc32(packed.checksum, block.data(), block.size());
    packed.bytes += block;
  });
  return packed;
}

// Raw deflate. Past the budget zlib gets no memory, and the next go_on() ends the work.
PackedPart deflated(const SparseBytes& content) {
  PackedPart packed;
  packed.is_deflated = true;
  z_stream stream{};
  stream.zalloc = counted_items;
  stream.zfree = free_counted;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    return stored(content);
  std::array<char, 64 << 10> out;
  const auto run = [&](std::string_view block, int flush) {
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(block.data()));
    stream.avail_in = static_cast<uInt>(block.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      deflate(&stream, flush);
      packed.bytes.append(out.data(), out.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  };
  content.each_block([&](std::string_view block) {
    packed.checksum = libdeflate_crc32(packed.checksum, block.data(), block.size());
    run(block, Z_NO_FLUSH);
  });
  run("", Z_FINISH);
  deflateEnd(&stream);
  return packed;
}

// What the local header and the directory have in common.
std::string facts_of(const ZipPart& part, const PackedPart& packed) {
  std::string out;
  put16(out, packed.is_deflated ? 20 : 10);
  put16(out, 1 << 11);  // names are UTF-8
  put16(out, packed.is_deflated ? 8 : 0);
  put16(out, 0);
  put16(out, kDate);
  put32(out, packed.checksum);
  put32(out, packed.bytes.size());
  put32(out, part.content.size());
  put16(out, static_cast<uint32_t>(part.name.size()));
  put16(out, 0);
  return out;
}

}  // namespace

Result<std::string> zip_of(const std::vector<ZipPart>& parts, ZipMethod method) {
  const Error too_large{ErrorCode::Unsupported, "the files are too large for a ZIP file (4 GB)"};
  if (parts.size() >= 0xffff) return too_large;
  std::string out, directory;
  for (const ZipPart& part : parts) {
    if (part.content.size() >= kMostZipBytes || part.name.size() > 0xffff) return too_large;
    const PackedPart packed =
        method == ZipMethod::Deflated ? deflated(part.content) : stored(part.content);
    const std::string facts = facts_of(part, packed);
    directory += "PK\1\2";
    put16(directory, 20);
    directory += facts;
    directory.append(2 + 2 + 2 + 4, '\0');
    put32(directory, out.size());
    directory += part.name;
    out += "PK\3\4";
    out += facts + part.name + packed.bytes;
    if (out.size() + directory.size() >= kMostZipBytes) return too_large;
  }
  const size_t begin = out.size();
  out += directory;
  out += "PK\5\6";
  out.append(4, '\0');
  put16(out, static_cast<uint32_t>(parts.size()));
  put16(out, static_cast<uint32_t>(parts.size()));
  put32(out, directory.size());
  put32(out, begin);
  put16(out, 0);
  return out;
}

}  // namespace etlens
